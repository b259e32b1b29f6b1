"""A port's last minutes, a point a second, in memory that is bounded from the beginning."""

from array import array
from collections.abc import Iterator
from math import isnan, nan
from typing import NamedTuple

POINTS = 600


class Point(NamedTuple):
    """What a port did in a second or a little more; nan: not known.

    `time_s` is its end, seconds since the Unix epoch. Utilization, loss and the marked share are of
    the whole second, the backlog's extremes and the queue delay are the least and the greatest
    in it, the rest is as it was at its end. `binding` is an index into `Binding`, `unreachable` 1
    where no buffer meets a target.
    """

    time_s: float
    utilization: float = nan
    loss: float = 0.0
    marked_share: float = nan
    limit_bytes: float = 0.0
    least_backlog_bytes: float = nan
    greatest_backlog_bytes: float = nan
    queue_delay_s: float = nan
    capacity_bps: float = nan
    binding: float = 0.0
    unreachable: float = 0.0


_WIDTH = len(Point._fields) - 1


class History:
    """The last points. One thread appends; others may read meanwhile."""

    def __init__(self, points: int = POINTS) -> None:
        self._length = points + 1
        self._times = array("d", bytes(8 * self._length))
        self._values = array("f", bytes(4 * self._length * _WIDTH))
        self._count = 0

    def append(self, point: Point) -> None:
        """Takes the next point, in place of the oldest one."""
        index = self._count % self._length
        self._times[index] = point.time_s
        self._values[index * _WIDTH : (index + 1) * _WIDTH] = array("f", point[1:])
        self._count += 1

    def since(self, time_s: float) -> Iterator[Point]:
        """The points after this time, the oldest first."""
        # The oldest element is what a reader may find overwritten: it is never shown.
        count, times, values = self._count, self._times[:], self._values[:]
        for number in range(max(0, count - self._length + 1), count):
            index = number % self._length
            if times[index] > time_s:
                yield Point(times[index], *values[index * _WIDTH : (index + 1) * _WIDTH])


def known(value: float) -> float | None:
    """The value as JSON has it; None: not known."""
    return None if isnan(value) else value
