"""The kernel's TCP and ns-3's TCP on the same link, under the same limits and the same law.

`loads` says what is compared. `kernel` measures a load live, in network namespaces, with the
embedded switch as the bottleneck; `simulated` measures it in virtual time. `rows` is what both
write, `page` the table that holds one against the other.
"""
