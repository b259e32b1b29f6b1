"""The command line: `p4abs` with this package's commands and those that other packages register."""

from p4abs.cli.main import main, run

__all__ = ["main", "run"]
