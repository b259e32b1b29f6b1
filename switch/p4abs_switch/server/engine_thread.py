"""Brings what the engine has for the controller into the event loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from p4abs_switch.server.threads import in_thread

# How long a wait in the engine may delay the end of the thread.
_WAIT_S = 0.1

_Item = TypeVar("_Item")


class EngineThread(Generic[_Item]):
    """A thread that takes what the engine has, and the event loop's delivery of it.

    `take` is called in the thread, with the seconds that it may wait, `deliver` in the event loop.
    The next items are taken only when the loop has delivered the last ones: what the loop cannot
    keep up with waits, and is lost, in the engine's bounded queue.
    """

    def __init__(
        self,
        name: str,
        take: Callable[[float], list[_Item]],
        deliver: Callable[[list[_Item]], None],
    ) -> None:
        self._name = name
        self._take = take
        self._deliver = deliver
        self._delivered = threading.Event()
        self._error: BaseException | None = None
        self._stopped = False

    async def run(self) -> None:
        """Runs the thread until this is cancelled. Raises what `take` or `deliver` raises."""
        loop = asyncio.get_running_loop()
        await in_thread(self._name, lambda: self._relay(loop), self._stop)

    def _stop(self) -> None:
        self._stopped = True
        self._delivered.set()

    def _relay(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stopped:
            items = self._take(_WAIT_S)
            if items and not self._stopped:
                self._delivered.clear()
                loop.call_soon_threadsafe(self._deliver_all, items)
                self._delivered.wait()
            if self._error is not None:
                raise self._error

    def _deliver_all(self, items: list[_Item]) -> None:
        try:
            self._deliver(items)
        except BaseException as error:
            self._error = error
        finally:
            self._delivered.set()
