"""The command line."""

from p4abs.cli.main import main

__all__ = ["main"]
