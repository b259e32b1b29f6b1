"""Time, passed in, so that the control loop also runs in virtual time."""

import asyncio
import time
from typing import Protocol

from p4abs.clock.timer import NoTimers, Timer


class Clock(Protocol):
    """A clock that only ever advances."""

    def now_s(self) -> float:
        """Seconds since an arbitrary start."""

    async def sleep_until(self, deadline_s: float) -> None:
        """Returns at the deadline or a little later, at once if it has passed."""


class MonotonicClock:
    """The operating system's monotonic clock."""

    def __init__(self) -> None:
        self._idle: list[Timer] = []

    def now_s(self) -> float:
        """See Clock."""
        return time.monotonic()

    async def sleep_until(self, deadline_s: float) -> None:
        """See Clock; up to a millisecond later where there is no timer to be had."""
        remaining_s = deadline_s - time.monotonic()
        timer = self._timer() if remaining_s > 0 else None
        if timer is None:
            await asyncio.sleep(max(0.0, remaining_s))
            return
        try:
            await timer.until(deadline_s)
        finally:
            self._idle.append(timer)

    def _timer(self) -> Timer | None:
        """One that nobody sleeps by, of the loop that runs."""
        self._idle = [timer for timer in self._idle if timer.is_here]
        try:
            return self._idle.pop() if self._idle else Timer()
        except NoTimers:
            return None
