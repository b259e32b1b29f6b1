"""Limits of the traffic manager's own queues, `enforcement = "tm"`.

`tables` knows the chip's fixed tables by name, `program` which queue a port has, `queues` reads and
limits queues; `counts` makes bytes of what it reads, `access` is a RegisterAccess of it all, and
`enforcer` the Enforcer that gives it.
"""
