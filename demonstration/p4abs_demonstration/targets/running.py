"""What the targets have in common once they run."""

from dataclasses import dataclass

from p4abs_switch.testbed.process import RunningProcess


class TargetError(Exception):
    """The bottleneck could not be made."""


@dataclass(frozen=True)
class RunningTarget:
    """A switch that waits for its program.

    note: what the user should know about this run; empty when there is nothing.
    """

    process: RunningProcess
    program: str
    note: str = ""
