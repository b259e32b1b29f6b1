"""Processes in virtual time: each an event loop with a clock of its own, all in one thread.

What a process waits for takes no time, and what it does takes none either. A process can be
stopped and go on, be killed, and its clock can jump, as monotonic clocks do: forward.
"""

import asyncio
import heapq
import selectors
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

_HANGS_S = 1000.0
# More in one instant than any process that works needs.
_MAX_TURNS = 100


class Timeline:
    """What happens in virtual time, in its order."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self._order = count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []

    def at(self, time_s: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (max(time_s, self.now_s), next(self._order), action))

    def after(self, delay_s: float, action: Callable[[], None]) -> None:
        self.at(self.now_s + delay_s, action)

    def run_until(self, end_s: float) -> None:
        while self._events and self._events[0][0] <= end_s:
            self.now_s, _, action = heapq.heappop(self._events)
            action()
        self.now_s = end_s


class _Idle(selectors.SelectSelector):
    """Ends the event loop's turn instead of waiting, and says for how long it would have waited."""

    def __init__(self, process: "Process") -> None:
        super().__init__()
        self._process = process
        self._turns = 0

    def select(self, timeout: float | None = None) -> list[Any]:
        self._turns += 1
        if timeout is None or timeout > 0:
            self._turns = 0
            self._process.idle(timeout)
        assert self._turns < _MAX_TURNS, f"busy at {self._process.now_s():.3f} s without end"
        return []


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, process: "Process") -> None:
        self._process = process
        super().__init__(_Idle(process))

    def time(self) -> float:
        return self._process.now_s()


class LoopClock:
    """The clock of whichever process runs."""

    def now_s(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep_until(self, deadline_s: float) -> None:
        await asyncio.sleep(max(0.0, deadline_s - self.now_s()))


class Process:
    """Runs `main` from now on."""

    def __init__(self, timeline: Timeline, main: Coroutine[Any, Any, object]) -> None:
        self.is_stopped = False
        self.is_alive = True
        self._timeline = timeline
        self._ahead_s = 0.0
        self._due_s: float | None = None
        self._loop = _VirtualLoop(self)
        self._main = self._loop.create_task(main)
        self._timeline.after(0.0, self._run)

    @property
    def is_running(self) -> bool:
        return self.is_alive and not self.is_stopped

    def now_s(self) -> float:
        return self._timeline.now_s + self._ahead_s

    def receive(self, handle: Callable[[], object]) -> None:
        """Something from outside; the process handles it as soon as it runs."""
        if self.is_alive:
            self._loop.call_soon(handle)
            self._timeline.after(0.0, self._run)

    def stop(self) -> None:
        self.is_stopped = True

    def go_on(self) -> None:
        self.is_stopped = False
        self._timeline.after(0.0, self._run)

    def jump(self, ahead_s: float) -> None:
        self._ahead_s += ahead_s
        self._timeline.after(0.0, self._run)

    def kill(self) -> None:
        """Ends it; whatever it still does reaches nobody."""
        if not self.is_alive:
            return
        self.is_alive = False
        for _ in range(10):
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._ahead_s += _HANGS_S
            self._loop.run_forever()
        assert not asyncio.all_tasks(self._loop)
        self._loop.close()

    def idle(self, timeout_s: float | None) -> None:
        """The event loop has nothing to do for so long."""
        self._loop.stop()
        due_s = None if timeout_s is None else self._timeline.now_s + timeout_s
        if due_s is not None and due_s != self._due_s:
            self._timeline.at(due_s, lambda: self._run_if_due(due_s))
        self._due_s = due_s

    def _run_if_due(self, due_s: float) -> None:
        """Unless something else has come up since."""
        if due_s == self._due_s:
            self._due_s = None
            self._run()

    def _run(self) -> None:
        if self.is_running:
            self._loop.run_forever()
            if self._main.done() and not self._main.cancelled():
                self._main.result()
