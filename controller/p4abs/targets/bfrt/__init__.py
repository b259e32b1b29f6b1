"""BF Runtime by the client of Intel's SDE, for the programs of p4src/tna.

`sde` finds that client; `client` is what is used of it, off the event loop's thread; `tables` knows
the program's tables, `target` has what targets/target.py asks for. Who holds queues to their limits
is an `enforcer`: the program's own queue, whose registers `access` reads and writes as a
RegisterAccess, `queue`, the program in front of the traffic manager's queues, or `tm`, the traffic
manager.
"""
