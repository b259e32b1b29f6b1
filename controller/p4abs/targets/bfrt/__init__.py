"""BF Runtime by the client of Intel's SDE, for the programs of p4src/tna.

`sde` finds that client; `client` is what is used of it, off the event loop's thread; `tables` knows
the program's tables, `access` reads and writes them as a RegisterAccess, `session` and `reader`
are those of targets/target.py.
"""
