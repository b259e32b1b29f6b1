"""Messages about a port, each said once."""

from p4abs.control.sizer import is_near
from p4abs.units import format_rate


class Notices:
    """Messages that wait to be taken."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._said: set[str] = set()

    def take(self) -> list[str]:
        lines, self._waiting = self._waiting, []
        return lines

    def idle_time_is_not_measured(self) -> None:
        """Says that the target has no registers for it."""
        self._say(
            "idle time",
            "the switch does not measure idle time; utilization is departed bytes over capacity",
        )

    def capacity_is_measured(self, declared_bps: int | None, measured_bps: int) -> None:
        """Says which, if no capacity or another one was declared."""
        if declared_bps is None:
            self._say("capacity", f"capacity measured: {format_rate(measured_bps)}")
        elif not is_near(measured_bps, declared_bps):
            self._say(
                "capacity",
                f"capacity declared {format_rate(declared_bps)}, "
                f"measured {format_rate(measured_bps)} ({measured_bps / declared_bps - 1:+.1%})",
            )

    def _say(self, topic: str, line: str) -> None:
        if topic not in self._said:
            self._said.add(topic)
            self._waiting.append(line)
