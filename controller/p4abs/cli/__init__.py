"""The command line: `p4abs` with this package's commands and those that other packages register.

- `main`: the command `p4abs`. `registered`: commands of other packages. `options`: shared options.
- `control`: the options of `p4abs control`. `control_run`: one run of it, with SIGINT, SIGTERM and
  SIGHUP. `fleet_run`: its switches, and what a reload changes (`changes`).
- `check`, `release`, `runtime`: the other commands.
"""

from p4abs.cli.main import main, run

__all__ = ["main", "run"]
