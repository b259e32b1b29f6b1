"""Questions by packet-out and answers by packet-in, matched by sequence number."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from finsy.proto import p4r
from numpy.typing import NDArray

from p4abs.access.backlog_windows import WINDOW_MODULUS
from p4abs.access.connection import Connection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.queues import port_text

REPLY_TIMEOUT_S = 0.25

Reply = TypeVar("Reply")
Ports = TypeVar("Ports", Sequence[int], NDArray[Any])


@dataclass(frozen=True, slots=True)
class Question(Generic[Reply]):
    """`make` makes the packet for a sequence number; `misfit` says what is wrong with a reply."""

    make: Callable[[int], p4r.PacketOut]
    misfit: Callable[[Reply], str] = lambda _reply: ""


@dataclass(slots=True)
class Answer(Generic[Reply]):
    """The reply to a question, if one came, and what was wrong with another that did."""

    sequence: int
    question: Question[Reply]
    reply: Reply | None = None
    misfit: str = ""

    def take(self, reply: Reply) -> bool:
        """Whether it is one to the question. One that comes twice is the same."""
        misfit = self.question.misfit(reply)
        if misfit:
            self.misfit = misfit
        else:
            self.reply = reply
        return not misfit

    @property
    def silence(self) -> ExchangeTimeout:
        """What it means that no reply came."""
        instead = f"; one came {self.misfit}" if self.misfit else ""
        return ExchangeTimeout(f"no mailbox reply within {REPLY_TIMEOUT_S} s{instead}")


@dataclass(slots=True)
class _Round(Generic[Reply]):
    """Questions that have been sent together; `complete` when each has its reply."""

    answers: dict[int, Answer[Reply]]
    complete: asyncio.Future[None]
    waiting: set[int] = field(init=False)

    def __post_init__(self) -> None:
        self.waiting = {*self.answers}

    def take(self, sequence: int, reply: Reply) -> None:
        """Takes a reply. A reply that does not fit is ignored: the right one may be on its way."""
        if self.answers[sequence].take(reply):
            self.waiting.discard(sequence)
            if not self.waiting and not self.complete.done():
                self.complete.set_result(None)


class Conversation(Generic[Reply]):
    """A late reply is ignored. `read` parses a packet-in; None: it is no reply."""

    def __init__(
        self, connection: Connection, read: Callable[[p4r.PacketIn], tuple[int, Reply] | None]
    ) -> None:
        self._connection = connection
        self._read = read
        self._sequence = 0
        self._waiting: dict[int, _Round[Reply]] = {}
        connection.on_packet_in = self._receive

    async def ask(self, questions: Sequence[Question[Reply]]) -> list[Answer[Reply]]:
        """Sends them all and waits for their replies, for a bounded time.

        Raises RpcError when the connection is lost.
        """
        if not questions:
            return []
        answers = [Answer(self._next_sequence(), question) for question in questions]
        asked = {answer.sequence: answer for answer in answers}
        round_ = _Round(asked, asyncio.get_running_loop().create_future())
        self._waiting.update(dict.fromkeys(asked, round_))
        try:
            for answer in answers:
                self._connection.packet_out(answer.question.make(answer.sequence))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REPLY_TIMEOUT_S):
                    await round_.complete
        finally:
            for sequence in asked:
                del self._waiting[sequence]
        return answers

    def _next_sequence(self) -> int:
        # A sequence number names the backlog window that its question starts.
        self._sequence = (self._sequence + 1) % WINDOW_MODULUS
        return self._sequence

    def _receive(self, packet: p4r.PacketIn) -> None:
        numbered = self._read(packet)
        if numbered is not None and numbered[0] in self._waiting:
            self._waiting[numbered[0]].take(*numbered)


def batches_of(ports: Ports, most: int) -> list[Ports]:
    """The ports of one packet each, or their records, in their order, as many as fit."""
    return [ports[first : first + most] for first in range(0, len(ports), most)]


def misplaced(ports: Sequence[int], answered: Sequence[int]) -> str:
    """What is wrong with the ports of a reply's records, as many as were asked; empty: nothing."""
    for port, other in zip(ports, answered, strict=True):
        if other != port:
            return f"with a record of {port_text(other)} instead of {port_text(port)}"
    return ""
