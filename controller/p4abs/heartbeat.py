"""When a process shows that it is alive: once an interval, on a grid or behind another process."""

import asyncio
import math
from collections.abc import Callable

# A follower beats this many intervals after the one that it follows, whose beats may be late by as
# much.
BEHIND = 0.25
# The next beat makes up for a lateness of this many intervals: a timer's. A process that has stood
# still does not make up for it; its beats keep their distance.
MADE_GOOD = 0.25


class Heartbeat:
    """Calls `beat` once in `interval_s`, from lead() or follow() until stop().

    Who leads beats at (n + phase) intervals of the event loop's clock, so that those of different
    phases, from 0 to 1, do not meet. Who follows beats BEHIND what it follows, and an interval
    later each time that there was nothing to be followed.
    """

    def __init__(self, interval_s: float, phase: float, beat: Callable[[], None]) -> None:
        self._interval_s = interval_s
        self._phase = phase
        self._beat = beat
        self._leads = True
        self._due_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def lead(self) -> None:
        """Beats on the grid from now on."""
        self._leads = True
        self._wait_until(self._of_grid(_now_s()))

    def follow(self) -> None:
        """The one that is followed has beaten just now."""
        self._leads = False
        self._wait_until(_now_s() + BEHIND * self._interval_s)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _wait_until(self, due_s: float) -> None:
        self.stop()
        self._due_s = due_s
        self._timer = asyncio.get_running_loop().call_at(due_s, self._is_due)

    def _is_due(self) -> None:
        punctual_s = max(self._due_s, _now_s() - MADE_GOOD * self._interval_s)
        after_s = punctual_s + self._interval_s
        self._wait_until(self._of_grid(punctual_s) if self._leads else after_s)
        self._beat()

    def _of_grid(self, time_s: float) -> float:
        """The first time on the grid that is more than a quarter of an interval later."""
        number = math.ceil(time_s / self._interval_s + MADE_GOOD - self._phase)
        return (number + self._phase) * self._interval_s


def _now_s() -> float:
    return asyncio.get_running_loop().time()
