"""Demonstrations of p4-guide that only a README tells.

From the ground up: `readme`: the commands, frames and ports that a README tells of; `frames`: what
came of one; `player`: sends the frames and tells what comes out, run by the labs' own `python3`;
`demonstrations`: which README of a checkout goes with which program, and how it is played.
"""
