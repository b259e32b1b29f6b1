"""The kernel's timers (timerfd_create(2)), for deadlines within a millisecond.

An event loop's own waits end at whole milliseconds, as epoll_wait(2) does.
"""

import asyncio
import ctypes
import math
import os
import time
from contextlib import suppress

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
    """For one sleeper after the other, in one event loop. Raises NoTimers.

    The loop goes on watching it between sleeps: to tell it of a timer each time would take nearly
    as long again as all the rest.
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
