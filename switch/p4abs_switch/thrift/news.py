"""A program's news on their way from the server's thread to who publishes them."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from p4abs_switch._engine import IdleEntry
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.notices import Notices

_LOG = logging.getLogger(__name__)

# Each is of up to some thousand digests.
_MAX_WAITING = 16


class News:
    """Hears of digests and idle entries in any thread; tells of them in the running loop's."""

    def __init__(self, learning: Learning, notices: Notices) -> None:
        self._learning = learning
        self._notices = notices
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[Callable[[], None]] = asyncio.Queue(_MAX_WAITING)
        self._lost = 0

    def digests(self, digests: list[tuple[str, list[bytes]]]) -> None:
        """Takes digests of the program."""
        self._take(partial(self._learning.take, digests), len(digests))

    def idle(self, entries: list[tuple[str, IdleEntry]]) -> None:
        """Takes entries that have become idle."""
        self._take(partial(self._notices.tell_idle, entries), len(entries))

    async def publish(self) -> None:
        """Tells of them, until it is cancelled."""
        while True:
            tell = await self._waiting.get()
            tell()

    def report_losses(self) -> None:
        """Says on the log what subscribers were not told."""
        if self._lost:
            _LOG.warning(
                "%d digests and idle entries were not published: they came too fast", self._lost
            )

    def _take(self, tell: Callable[[], None], count: int) -> None:
        self._loop.call_soon_threadsafe(self._put, tell, count)

    def _put(self, tell: Callable[[], None], count: int) -> None:
        try:
            self._waiting.put_nowait(tell)
        except asyncio.QueueFull:
            self._lost += count
