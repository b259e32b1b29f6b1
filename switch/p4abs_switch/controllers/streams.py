"""A controller's stream: what waits to be sent to it (P4Runtime 1.5, section 16)."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from p4abs_switch.protobuf import p4r
from p4abs_switch.status import Code, RequestError, number

# A controller that does not read loses messages beyond the first number, and its stream when even
# arbitration updates come to the second: nobody else waits for it.
_MESSAGES_WAITING = 1024
_UPDATES_WAITING = 2048


class ControllerStream:
    """A bounded queue of messages to one controller. Belongs to the event loop's thread."""

    def __init__(self) -> None:
        self._waiting: deque[p4r.StreamMessageResponse] = deque()
        self._news = asyncio.Event()
        self._ended = False
        self._error: RequestError | None = None
        self.lost_messages = 0

    def notify(self, update: p4r.MasterArbitrationUpdate) -> None:
        """Sends where the controller stands."""
        if len(self._waiting) >= _UPDATES_WAITING:
            self.end(RequestError(Code.RESOURCE_EXHAUSTED, "the controller does not read"))
        else:
            self._append(p4r.StreamMessageResponse(arbitration=update))

    def send(self, response: p4r.StreamMessageResponse) -> None:
        """Sends a packet or notification, or counts it as lost when too many wait."""
        if len(self._waiting) < _MESSAGES_WAITING:
            self._append(response)
        else:
            self.lost_messages += 1

    def report(self, error: RequestError, request: p4r.StreamMessageRequest) -> None:
        """Reports a message of the controller that was dropped (section 16.6)."""
        self.send(p4r.StreamMessageResponse(error=_stream_error(error, request)))

    def end(self, error: RequestError | None = None) -> None:
        """Ends the stream after what waits; with an error, at once."""
        self._ended = True
        self._error = self._error or error
        self._news.set()

    async def responses(self) -> AsyncIterator[p4r.StreamMessageResponse]:
        """The messages in order, until the stream ends. Raises the RequestError that ended it."""
        while True:
            if self._error is not None:
                raise self._error
            if self._waiting:
                yield self._waiting.popleft()
            elif self._ended:
                return
            else:
                self._news.clear()
                await self._news.wait()

    def _append(self, response: p4r.StreamMessageResponse) -> None:
        self._waiting.append(response)
        self._news.set()


def _stream_error(error: RequestError, request: p4r.StreamMessageRequest) -> p4r.StreamError:
    report = p4r.StreamError(canonical_code=number(error.code), message=error.message)
    match request.WhichOneof("update"):
        case "packet":
            report.packet_out.packet_out.CopyFrom(request.packet)
        case "digest_ack":
            report.digest_list_ack.digest_list_ack.CopyFrom(request.digest_ack)
        case _:
            report.other.SetInParent()
    return report
