"""The programs of a checkout of p4c, for commands that run some of them on both switches.

`programs`: which there are, and those of ours (`loops`: as p4testgen can read them); `compilation`:
one compiled, once; `command`: a command's arguments, and what it does.
"""
