"""Ports that send more than the capacity that was declared for them: it is wrong."""

from collections.abc import Sequence

import numpy as np

from p4abs.columns import ByPort, Floats, Positions
from p4abs.config import PortSettings
from p4abs.units import format_rate

ABOVE = 1.1
"""So much more than the capacity no clock and no frame at an interval's end explains."""

LONG_ENOUGH_S = 10.0


class Overdriven(ByPort):
    """Says it once of each port. Where idle time is measured, no utilization is above 1."""

    _by_port = ("_above_s", "_is_said")

    def __init__(self, ports: int) -> None:
        self._above_s = np.zeros(ports)
        self._is_said = np.zeros(ports, np.bool_)

    def begin(self, ports: Positions) -> None:
        """These begin anew."""
        self._above_s[ports], self._is_said[ports] = 0.0, False

    def after(self, known_s: Floats, busy_s: Floats, ports: Sequence[PortSettings]) -> list[str]:
        """Lines after about a second, in which links were busy for so much of the known time."""
        is_above = busy_s > ABOVE * known_s
        self._above_s = np.where(is_above, self._above_s + known_s, 0.0)
        is_news = (self._above_s >= LONG_ENOUGH_S) & ~self._is_said
        self._is_said |= is_news
        return [
            f"{ports[position].label}: utilization {busy_s[position] / known_s[position]:.0%} of "
            f"the capacity {format_rate(ports[position].capacity or 0)}: the link carries more "
            "than was declared; correct capacity"
            for position in np.flatnonzero(is_news).tolist()
        ]
