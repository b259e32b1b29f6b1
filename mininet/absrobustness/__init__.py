"""Demonstrations one after the other, undisturbed, disturbed and beside a compiler: who meets what?

`robustness.py` beside this package is the command. From the ground up:

- `cases`: the demonstrations, a table; `goals`: whether a phase meets its targets.
- `demonstration`: one of them, as a process; `compiler`: what keeps all cores busy meanwhile.
- `tables`: the results on the terminal, in robustness.md and robustness.json.
- `campaign`: all of them in a row.
"""
