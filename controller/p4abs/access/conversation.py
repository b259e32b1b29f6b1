"""Questions by packet-out and answers by packet-in, matched by sequence number."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from finsy.proto import p4r

from p4abs.access.backlog_windows import WINDOW_MODULUS
from p4abs.access.connection import Connection
from p4abs.access.register_access import ExchangeTimeout

REPLY_TIMEOUT_S = 0.25

Reply = TypeVar("Reply")


@dataclass(slots=True)
class _Round(Generic[Reply]):
    """Questions that have been sent together; `complete` when each has its reply."""

    count: int
    complete: asyncio.Future[None]
    replies: dict[int, Reply] = field(default_factory=dict)

    def take(self, sequence: int, reply: Reply) -> None:
        """Takes a reply; one that comes twice is the same."""
        self.replies[sequence] = reply
        if len(self.replies) == self.count and not self.complete.done():
            self.complete.set_result(None)


class Conversation(Generic[Reply]):
    """A late reply finds nobody waiting. `read` takes a packet-in apart; None: it is no reply."""

    def __init__(
        self, connection: Connection, read: Callable[[p4r.PacketIn], tuple[int, Reply] | None]
    ) -> None:
        self._connection = connection
        self._read = read
        self._sequence = 0
        self._waiting: dict[int, _Round[Reply]] = {}
        connection.on_packet_in = self._receive

    async def ask(
        self, questions: Sequence[Callable[[int], p4r.PacketOut]]
    ) -> list[tuple[int, Reply | None]]:
        """Sends them all, each made for its sequence number; these and the replies, if any came.

        Raises RpcError when the connection is lost.
        """
        if not questions:
            return []
        numbered = {self._next_sequence(): make for make in questions}
        asked: _Round[Reply] = _Round(len(numbered), asyncio.get_running_loop().create_future())
        self._waiting.update(dict.fromkeys(numbered, asked))
        try:
            for sequence, make in numbered.items():
                self._connection.packet_out(make(sequence))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REPLY_TIMEOUT_S):
                    await asked.complete
        finally:
            for sequence in numbered:
                del self._waiting[sequence]
        return [(sequence, asked.replies.get(sequence)) for sequence in numbered]

    def _next_sequence(self) -> int:
        # A sequence number names the backlog window that its question starts.
        self._sequence = (self._sequence + 1) % WINDOW_MODULUS
        return self._sequence

    def _receive(self, packet: p4r.PacketIn) -> None:
        numbered = self._read(packet)
        if numbered is not None and numbered[0] in self._waiting:
            self._waiting[numbered[0]].take(*numbered)


def silence() -> ExchangeTimeout:
    """What it means that no reply came."""
    return ExchangeTimeout(f"no mailbox reply within {REPLY_TIMEOUT_S} s")
