"""A stream to a switch: a client's place in the election, and what the primary is told."""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Condition, Thread

import grpc
from finsy.proto import U128, p4r, p4r_grpc, rpc_code

from p4abs_switch.client.rpc_error import RpcError
from p4abs_switch.errors import Failure

GREATEST_ELECTION_ID = (1 << 128) - 1
ANSWER_TIMEOUT_S = 5.0
# The time that a switch has to end its side, so that the next controller finds the election id
# free.
_END_TIMEOUT_S = 1.0

Hear = Callable[[p4r.StreamMessageResponse], None]


class NotPrimary(Failure):
    """Another controller is in charge of the switch."""

    def __init__(self, primary_id: int, consequence: str = "") -> None:
        told = f", and {consequence}" if consequence else ""
        super().__init__(
            f"another controller is primary with election id {primary_id}{told}; "
            f"stop it, or {how_to_outbid(primary_id)}"
        )


def how_to_outbid(election_id: int) -> str:
    """What users can do if their election id is not above this one."""
    if election_id >= GREATEST_ELECTION_ID:
        return "give it a lower election id"
    return f"take the switch over with --election-id {election_id + 1} or higher"


class Primacy:
    """An open stream that bids.

    election_id: None: it never becomes primary, but is told who is.
    hear: takes what is neither an arbitration nor digests, in a thread of the stream.
    """

    def __init__(
        self, stub: p4r_grpc.P4RuntimeStub, device_id: int, election_id: int | None, hear: Hear
    ) -> None:
        self.election_id = election_id
        self._device_id = device_id
        self._hear = hear
        self._primary_id = 0
        self._is_primary: bool | None = None  # not known, or nobody is
        self._lost: RpcError | None = None
        self._changed = Condition()
        self._digests: deque[p4r.DigestList] = deque()
        self._outgoing: SimpleQueue[p4r.StreamMessageRequest | None] = SimpleQueue()
        self._stream = stub.StreamChannel(iter(self._outgoing.get, None))
        self._reader = Thread(target=self._read_stream, daemon=True)
        self._reader.start()
        self._bid()

    def send(self, message: p4r.StreamMessageRequest) -> None:
        self._outgoing.put(message)

    def check(self, consequence: str = "") -> None:
        """Raises NotPrimary, and RpcError when the switch does not answer or refuses the id."""
        with self._changed:
            told = self._changed.wait_for(
                lambda: self._lost is not None or self._is_primary is not None, ANSWER_TIMEOUT_S
            )
            if self._lost is not None:
                raise self._lost
        if not told:
            silence = "the switch does not answer"
            raise RpcError("arbitration", grpc.StatusCode.DEADLINE_EXCEEDED, silence)
        if not self._is_primary:
            raise NotPrimary(self._primary_id, consequence)

    def next_digests(self) -> p4r.DigestList | None:
        """Waits for digests that the switch tells its primary; None: this one is it no longer."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._digests or self._lost is not None or self._is_primary is False
            )
            return self._digests.popleft() if self._digests else None

    def close(self) -> None:
        self._outgoing.put(None)
        self._reader.join(_END_TIMEOUT_S)
        self._stream.cancel()

    def _bid(self) -> None:
        bid = p4r.MasterArbitrationUpdate(device_id=self._device_id)
        if self.election_id is not None:
            bid.election_id.CopyFrom(U128.encode(self.election_id))
        self.send(p4r.StreamMessageRequest(arbitration=bid))

    def _read_stream(self) -> None:
        try:
            for message in self._stream:
                if message.HasField("arbitration"):
                    self._arbitrate(message.arbitration)
                elif message.HasField("digest"):
                    self._take(message.digest)
                else:
                    self._hear(message)
            ended = "the switch ended the session"
            lost = RpcError("stream", grpc.StatusCode.UNAVAILABLE, ended)
        except grpc.RpcError as error:
            lost = RpcError.wrap("stream", error)
        with self._changed:
            self._lost = lost
            self._changed.notify_all()

    def _take(self, digests: p4r.DigestList) -> None:
        with self._changed:
            self._digests.append(digests)
            self._changed.notify_all()

    def _arbitrate(self, update: p4r.MasterArbitrationUpdate) -> None:
        with self._changed:
            self._primary_id = U128.decode(update.election_id)
            is_told = update.status.code in (rpc_code.OK, rpc_code.ALREADY_EXISTS)
            is_told |= self.election_id is None
            self._is_primary = update.status.code == rpc_code.OK if is_told else None
            self._changed.notify_all()
        if self._is_primary is None and self.election_id is not None:
            # The controller with the highest id has gone. Only this id or a higher one wins now.
            self.election_id = max(self.election_id, self._primary_id)
            self._bid()
