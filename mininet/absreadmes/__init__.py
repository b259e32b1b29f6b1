"""Demonstrations of p4-guide that only a README tells, on the drop-in and on BMv2.

From the ground up:

- `readme`: the commands, frames and ports that a README tells of.
- `demonstrations`: which README of a checkout goes with which program.
- `outcome`: what came of one.
- `player`: sends the frames and tells what comes out; the labs' own `python3` runs it.
- `runner`: a demonstration in a namespace of its own.
- `page`: the table in docs/conformance.md.
"""
