"""p4c's programs over P4Runtime: pushed, read back, an entry for each table, on both switches.

- `entries`: an entry for each table of a P4Info, without looking at the program.
- `switches`: the two, as processes that are started again when they have ended.
- `observation`: what a switch answers, step by step, in a form in which answers can be compared.
- `comparison`: in which steps the two differ, and how; `reasons`: why, kept by hand.
- `command`: all programs in a row; `report`: the section of docs/conformance.md.
"""
