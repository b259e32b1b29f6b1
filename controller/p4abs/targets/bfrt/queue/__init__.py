"""Limits of the program on the traffic manager's own queues, `enforcement = "queue"`.

`program` is p4src/tna/queue with the queue that each port has, `reports` sees that the ghost thread
is told of these, `access` is a RegisterAccess, and `enforcer` the Enforcer that gives it.
"""
