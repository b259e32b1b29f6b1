"""The exercises of p4lang/tutorials with their solutions, on the drop-in and on BMv2.

From the ground up:

- `namespaces`: where a lab is alone.
- `switches`: the drop-in and BMv2, and the PATH that chooses one.
- `console`: a program at a pseudo-terminal, asked as a person would ask it.
- `lab`: an exercise that runs: its hosts, the files they write, what it must show.
- `exercises`: what each exercise's own instructions say that one sees, as checks that can fail.
- `workplace`: a copy of an exercise with its solution.
- `runner`: exercises in a row, each in namespaces of its own.
- `page`: the table in docs/conformance.md.
- `command`: what the commands that run labs have in common.
"""
