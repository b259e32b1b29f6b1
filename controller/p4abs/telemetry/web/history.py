"""Ports' last minutes, a point a second, in memory that is bounded from the beginning."""

from collections.abc import Iterator
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from p4abs.columns import Floats, Ints, Positions
from p4abs.states import PortState

POINTS = 600


class Point(NamedTuple):
    """What a port, or each of several, did in a second or a little more; nan: not known.

    `time_s` is its end, seconds since the Unix epoch. What arrived, utilization, loss, the marked
    share, the numbers of flows and their round-trip time are of the whole second, the backlog's
    extremes and the queue delay are the least and the greatest in it, the rest is as it was at
    its end. `binding` is an index into `Binding`, `state` a `PortState`.
    """

    time_s: Floats
    offered_bps: Floats = 0.0
    utilization: Floats = nan
    loss: Floats = 0.0
    marked_share: Floats = nan
    active_flows: Floats = nan
    long_flows: Floats = nan
    round_trip_s: Floats = nan
    limit_bytes: Ints = 0
    least_backlog_bytes: Floats = nan
    greatest_backlog_bytes: Floats = nan
    queue_delay_s: Floats = nan
    capacity_bps: Floats = nan
    binding: Ints = 0
    state: Ints = PortState.NO_TRAFFIC


_WIDTH = len(Point._fields) - 1


class History:
    """The ports' last points. One thread appends; others may read meanwhile."""

    def __init__(self, ports: int, points: int = POINTS) -> None:
        self._length = points + 1
        # Not zeros: the kernel gives their memory only when it is written to.
        self._times = np.full((ports, self._length), nan)
        self._values = np.full((ports, self._length, _WIDTH), nan, np.float32)
        self._last = np.zeros((ports, 1 + _WIDTH))
        self._counts = np.zeros(ports, np.int64)

    def begin(self, ports: Positions) -> None:
        """These, of which some may be new, begin anew."""
        more = max(0, int(ports.max()) + 1 - len(self._counts))
        self._times = np.pad(self._times, ((0, more), (0, 0)))
        self._values = np.pad(self._values, ((0, more), (0, 0), (0, 0)))
        self._last = np.pad(self._last, ((0, more), (0, 0)))
        self._counts = np.pad(self._counts, (0, more))
        self._counts[ports] = 0

    def append(self, ports: Positions, points: Point) -> None:
        """Takes the next point of each of these ports, in place of its oldest one."""
        rows = np.stack(np.broadcast_arrays(*points, ports)[:-1], axis=1)
        indices = self._counts[ports] % self._length
        self._times[ports, indices] = rows[:, 0]
        self._values[ports, indices] = rows[:, 1:]
        self._last[ports] = rows
        self._counts[ports] += 1

    def last(self, port: int) -> Point | None:
        """A port's newest point; None before the first one."""
        return Point(*self._last[port].tolist()) if self._counts[port] else None

    def since(self, port: int, time_s: float) -> Iterator[Point]:
        """A port's points after this time, the oldest first."""
        # The oldest element may be overwritten while a reader takes it, so it is never shown.
        count = self._counts[port].item()
        times, values = self._times[port].copy(), self._values[port].copy()
        for number in range(max(0, count - self._length + 1), count):
            index = number % self._length
            if times[index] > time_s:
                yield Point(times[index].item(), *values[index].tolist())


def known(value: float) -> float | None:
    """The value as JSON has it; None: not known."""
    return None if isnan(value) else value
