"""Limits of the traffic manager's own queues, `enforcement = "tm"`.

`tables` knows the chip's fixed tables by name, `program` which queue a port has, `queues` reads and
limits queues; `counts` makes bytes of what it reads, and `enforcer` has a RegisterAccess of it all,
and the Enforcer that gives it.
"""
