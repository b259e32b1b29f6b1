"""Brings frames from the engine's CPU port into the event loop."""

import asyncio
import threading
from collections.abc import Callable

from p4abs_switch._engine import Switch

# How long a wait in the engine may delay the end of the thread.
_WAIT_S = 0.1


class PacketInThread:
    """Waits for frames in a thread of its own and calls `deliver` with them in the event loop.

    The next frames are taken only when the loop has delivered the last ones: what the loop cannot
    keep up with waits, and is lost, in the engine's bounded queue.
    """

    def __init__(self, switch: Switch, deliver: Callable[[list[bytes]], None]) -> None:
        self._switch = switch
        self._deliver = deliver
        self._loop = asyncio.get_running_loop()
        self._delivered = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="packet-in", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Ends the thread."""
        self._stopped = True
        self._delivered.set()
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while not self._stopped:
            frames = self._switch.packet_in(_WAIT_S)
            if frames and not self._stopped:
                self._delivered.clear()
                self._loop.call_soon_threadsafe(self._deliver_all, frames)
                self._delivered.wait()

    def _deliver_all(self, frames: list[bytes]) -> None:
        try:
            self._deliver(frames)
        finally:
            self._delivered.set()
