"""The drift-free schedule of the control loop."""

import math
from collections.abc import Collection

from p4abs.clock import Clock


class Schedule:
    """Deadlines at (n + phase) * interval, for whole n, however long the work in between takes.

    So loops with the same clock and interval, but different phases from 0 to 1, never meet,
    whenever they were started. The first deadline is one to two intervals away. A deadline that has
    passed when the work is done is missed: the schedule counts and skips it.
    """

    def __init__(self, clock: Clock, interval_s: float, phase: float = 0.0) -> None:
        self._clock = clock
        self._interval_s = interval_s
        begun = math.ceil(clock.now_s() / interval_s - phase)
        self._start_s = (begun + phase) * interval_s
        self._index = 0
        self.missed = 0

    async def next(self) -> float:
        """Sleeps until the next deadline; returns by how many seconds it was overslept."""
        elapsed_s = self._clock.now_s() - self._start_s
        upcoming = int(elapsed_s // self._interval_s) + 1
        self.missed += max(0, upcoming - self._index - 1)
        self._index = max(upcoming, self._index + 1)
        deadline_s = self._start_s + self._index * self._interval_s
        await self._clock.sleep_until(deadline_s)
        return max(0.0, self._clock.now_s() - deadline_s)


def free_phase(taken: Collection[float]) -> float:
    """The phase that is furthest from those that are taken: the middle of the widest gap."""
    if not taken:
        return 0.0
    ordered = sorted(taken)
    ends = [*ordered[1:], ordered[0] + 1.0]
    begin, end = max(zip(ordered, ends, strict=True), key=lambda gap: gap[1] - gap[0])
    return (begin + end) / 2 % 1.0
