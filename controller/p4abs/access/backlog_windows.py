"""Backlog windows: whether the extremes of a snapshot are those of its interval.

The data plane keeps the least and the greatest backlog of a window, which a number names
(p4src/adaptive/measurement/backlog_extremes.p4). Every exchange starts a new one. If a reply or a
request was lost, or another controller was at work, the measured window is not the interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

WINDOW_MODULUS = 2**32
WINDOW_REGISTERS = ("backlog_window", "measured_window")


@dataclass
class BacklogWindows:
    """The window that began with each port's last received snapshot."""

    _begun: dict[int, int] = field(default_factory=dict)

    def received(self, port: int, measured: int, begun: int) -> bool:
        """Records a snapshot whose extremes belong to the window `measured`; the window `begun`
        starts now.

        True if the extremes cover exactly the time since the port's last received snapshot.
        """
        covered = self._begun.get(port) == measured
        self._begun[port] = begun
        return covered

    def received_by(
        self, ports: Sequence[int], measured: Sequence[int], begun: Sequence[int]
    ) -> list[bool]:
        """As `received`, of a snapshot of each of several ports."""
        return [*map(self.received, ports, measured, begun)]
