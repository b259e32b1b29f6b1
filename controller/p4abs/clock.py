"""Time, passed in, so that the control loop also runs in virtual time."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """A clock that only ever advances."""

    def now_s(self) -> float:
        """Seconds since an arbitrary start."""

    async def sleep_until(self, deadline_s: float) -> None:
        """Returns at the deadline or a little later, at once if it has passed."""


class MonotonicClock:
    """The operating system's monotonic clock."""

    def now_s(self) -> float:
        """See Clock."""
        return time.monotonic()

    async def sleep_until(self, deadline_s: float) -> None:
        """See Clock."""
        await asyncio.sleep(max(0.0, deadline_s - time.monotonic()))
