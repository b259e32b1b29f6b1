"""Time, passed in, so that the control loop also runs in virtual time."""

import asyncio
import ctypes
import math
import os
import time
from contextlib import suppress
from typing import Protocol

_NS_PER_S = 1_000_000_000
_TIMER_ABSTIME = 1
_LIBRARY = ctypes.CDLL(None)


class NoTimers(Exception):
    """The system has none, or no descriptor is left for one."""


class _TimeSpec(ctypes.Structure):
    _fields_ = (("s", ctypes.c_long), ("ns", ctypes.c_long))


class _TimerSpec(ctypes.Structure):
    _fields_ = (("interval", _TimeSpec), ("value", _TimeSpec))


class Timer:
    """A timer for one sleeper after the other, in one event loop. Raises NoTimers.

    The loop watches the timer between sleeps, too. Registering it each time would nearly double the
    work.
    """

    def __init__(self) -> None:
        self._descriptor = _created()
        self._expired = asyncio.Event()
        self._spec = _TimerSpec()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._descriptor, self._expire)

    def __del__(self) -> None:
        # The loop has a reference: it is closed, or was never told.
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)

    async def until(self, deadline_s: float) -> None:
        """Sleeps until time.monotonic() has come to the deadline."""
        self._expired.clear()
        self._set(deadline_s)
        await self._expired.wait()

    @property
    def is_here(self) -> bool:
        """Whether it is of the loop that runs."""
        return self._loop is asyncio.get_running_loop()

    def _set(self, deadline_s: float) -> None:
        value = self._spec.value
        value.s, value.ns = divmod(math.ceil(deadline_s * _NS_PER_S), _NS_PER_S)
        _LIBRARY.timerfd_settime(self._descriptor, _TIMER_ABSTIME, ctypes.byref(self._spec), None)

    def _expire(self) -> None:
        with suppress(BlockingIOError):  # has been set anew since
            os.read(self._descriptor, 8)
            self._expired.set()


def _created() -> int:
    create = getattr(_LIBRARY, "timerfd_create", None)
    descriptor: int = create(time.CLOCK_MONOTONIC, os.O_CLOEXEC | os.O_NONBLOCK) if create else -1
    if descriptor < 0:
        raise NoTimers
    return descriptor


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
