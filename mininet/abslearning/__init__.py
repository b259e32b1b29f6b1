"""The labs of nsg-ethz/p4-learning, which know BMv2 by its Thrift alone, here and on BMv2.

From the ground up:

- `pings`: what Mininet says of them.
- `labs`: which there are, and copies of them; `runner`: one in namespaces of its own.
- `page`: the table in docs/conformance.md.
"""
