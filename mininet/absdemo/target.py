"""What the two kinds of target have in common."""

from dataclasses import dataclass
from pathlib import Path


class TargetError(Exception):
    """The switch could not be started, or has ended."""


@dataclass(frozen=True)
class RunningTarget:
    """A switch that waits for its program.

    note: what the user should know about this run; empty when there is nothing.
    """

    address: str
    program: str
    note: str = ""


def last_line(log: Path) -> str:
    """What a process has said last."""
    return (log.read_text(errors="replace").strip().splitlines() or ["no message"])[-1]
