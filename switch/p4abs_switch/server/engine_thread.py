"""Brings what the engine has for the controller into the event loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

# How long a wait in the engine may delay the end of the thread.
_WAIT_S = 0.1

_Item = TypeVar("_Item")


class EngineThread(Generic[_Item]):
    """Waits in a thread of its own for `take` to return something, and calls `deliver` with it in
    the event loop. `take` is given how many seconds it may wait.

    The next items are taken only when the loop has delivered the last ones: what the loop cannot
    keep up with waits, and is lost, in the engine's bounded queue.
    """

    def __init__(
        self,
        name: str,
        take: Callable[[float], list[_Item]],
        deliver: Callable[[list[_Item]], None],
    ) -> None:
        self._take = take
        self._deliver = deliver
        self._loop = asyncio.get_running_loop()
        self._delivered = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Ends the thread."""
        self._stopped = True
        self._delivered.set()
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while not self._stopped:
            items = self._take(_WAIT_S)
            if items and not self._stopped:
                self._delivered.clear()
                self._loop.call_soon_threadsafe(self._deliver_all, items)
                self._delivered.wait()

    def _deliver_all(self, items: list[_Item]) -> None:
        try:
            self._deliver(items)
        finally:
            self._delivered.set()
