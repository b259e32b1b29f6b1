"""One P4Runtime session with a switch: its channel, its stream and its place in the election."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Self, TypeAlias, TypeVar

import grpc
from finsy.proto import U128, p4r, rpc_code

from p4abs.access.election import Election, rights_to_control, role_of
from p4abs.access.program import Pipeline
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.rpc_error import RpcError, raise_first
from p4abs.access.tls import TlsFiles
from p4abs.errors import P4absError
from p4abs.heartbeat import Heartbeat

PUSH_TIMEOUT_S = 30.0
# If a switch does not answer a bid for this long, it is gone, or it has lost the bid with the
# stream.
BID_TIMEOUT_S = 2.0
# The time that a switch has to end its side, so that the next controller finds the election id
# free.
END_TIMEOUT_S = 1.0

_Answer = TypeVar("_Answer")
_Write: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"


class PrimacyLost(P4absError):
    """A controller with a higher election id has taken the switch over."""


class Role(StrEnum):
    """A controller's place in the election (P4Runtime specification, section 5).

    It is not known before the first answer, and while nobody is primary.
    """

    UNKNOWN = "unknown"
    PRIMARY = "primary"
    BACKUP = "backup"


class Connection(ReadOnlyConnection):
    """An open session, used as `async with Connection(...)`; its tasks end with the block.

    A primary that closes gives the rights of its role back.

    `election` is an election id, or decides on several. Entering raises RpcError when the switch
    does not answer or refuses the election id, and TlsError when a file of `tls` cannot be used.
    Without `tls` nothing is encrypted.
    """

    def __init__(
        self, address: str, device_id: int, election: int | Election, tls: TlsFiles | None = None
    ) -> None:
        super().__init__(address, device_id, tls)
        self._election = Election(election) if isinstance(election, int) else election
        self._is_answered = False
        self._unanswered_intervals = 0
        self._times_deposed = 0
        self._is_candidate = True
        self.primary_id: int | None = None
        self.role = Role.UNKNOWN
        self.on_packet_in: Callable[[p4r.PacketIn], None] = lambda _packet: None
        self._lost: Exception | None = None
        self._heartbeat: Heartbeat | None = None
        self._changed = asyncio.Event()
        self._outgoing: asyncio.Queue[p4r.StreamMessageRequest | None] = asyncio.Queue()
        self._rights = role_of(self._election.role, None)

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        # Requests are bytes, so that they can be prepared.
        self._write: _Write = self._channel.unary_unary("/p4.v1.P4Runtime/Write")
        self._stream = self._stub.StreamChannel()
        self._tasks = (
            asyncio.create_task(self._read_stream()),
            asyncio.create_task(self._write_stream()),
        )
        if (interval_s := self._election.interval_s) is not None:
            self._heartbeat = Heartbeat(interval_s, self._election.phase, self._beat)
            self._heartbeat.lead()
        try:
            self._bid()
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self.until(lambda: self.role is not Role.UNKNOWN)
        except TimeoutError:
            await self._close()
            raise _silence() from None
        except BaseException:
            await self._close()
            raise
        return self

    def claim(self, program: Pipeline) -> None:
        """Bids for the rights that the switch's program gives the role. Raises MissingObjects when
        they do not suffice for control."""
        rights = rights_to_control(self._election.role, program.p4info)
        if rights != self._rights:
            self._rights = rights
            self._bid()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what depends on the election. Raises RpcError when the connection is lost."""
        while True:
            if self._lost is not None:
                raise self._lost
            if condition():
                return
            self._changed.clear()
            await self._changed.wait()

    async def watch(self) -> None:
        """Returns never: raises PrimacyLost or, when the connection is lost, RpcError."""
        await self.until(lambda: self.role is not Role.PRIMARY)
        raise self._primacy_lost()

    def _check_primacy(self) -> None:
        if self.role is not Role.PRIMARY:
            raise self._primacy_lost()

    def _primacy_lost(self) -> PrimacyLost:
        return PrimacyLost(f"another controller is primary, with election id {self.primary_id}")

    async def hand_over(self, patience_s: float) -> bool:
        """Steps down; whether another controller has become primary. If none has, this one is."""
        self._is_candidate = False
        self._send(p4r.MasterArbitrationUpdate(device_id=self.device_id, role=self._rights))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self.until(lambda: self.role is Role.BACKUP)
        self._is_candidate = True
        if self.role is not Role.BACKUP:
            self._election.rise_above(self.primary_id or 0)
            self._bid()
            await self.until(lambda: self._is_answered and self.role is not Role.UNKNOWN)
        return self.role is Role.BACKUP

    async def write(
        self, updates: Sequence[p4r.Update], timeout_s: float, *, together: bool = False
    ) -> None:
        """Applies the updates as the primary controller; `together`: all of them or none."""
        raise_first(await self.write_partly(updates, timeout_s, together=together))

    async def write_partly(
        self, updates: Sequence[p4r.Update], timeout_s: float, *, together: bool = False
    ) -> dict[int, RpcError]:
        """As write(); returns the errors of the updates that failed by their positions."""
        request = p4r.WriteRequest(updates=updates).SerializeToString()
        return await self.write_prepared(request, timeout_s, together=together)

    async def write_prepared(
        self, updates: bytes, timeout_s: float, *, together: bool = False
    ) -> dict[int, RpcError]:
        """As write_partly(), of a WriteRequest that has nothing but updates."""
        kinds = p4r.WriteRequest
        atomicity = kinds.ROLLBACK_ON_ERROR if together else kinds.CONTINUE_ON_ERROR

        def call(election_id: p4r.Uint128) -> Awaitable[bytes]:
            request = p4r.WriteRequest(
                device_id=self.device_id,
                role=self._election.role,
                election_id=election_id,
                atomicity=atomicity,
            )
            # Protobuf merges messages whose bytes stand one behind the other.
            return self._write(request.SerializeToString() + updates, timeout=timeout_s)

        try:
            await self._as_primary(call, timeout_s)
        except grpc.aio.AioRpcError as error:
            return RpcError.failures("write", error)
        return {}

    def packet_out(self, packet: p4r.PacketOut) -> None:
        """Sends a packet into the switch. Raises RpcError when the connection is lost. Raises
        PrimacyLost, because the switch would still accept a packet behind a bid of ours that
        wins."""
        if self._lost is not None:
            raise self._lost
        self._check_primacy()
        self._outgoing.put_nowait(p4r.StreamMessageRequest(packet=packet))

    async def push(self, program: Pipeline) -> None:
        """Replaces the switch's program; its tables and registers start empty."""

        def call(
            election_id: p4r.Uint128,
        ) -> Awaitable[p4r.SetForwardingPipelineConfigResponse]:
            request = p4r.SetForwardingPipelineConfigRequest(
                device_id=self.device_id,
                role=self._election.role,
                election_id=election_id,
                action=p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT,
                config=program.forwarding_config(),
            )
            return self._stub.SetForwardingPipelineConfig(request, timeout=PUSH_TIMEOUT_S)

        try:
            await self._as_primary(call, PUSH_TIMEOUT_S)
        except grpc.aio.AioRpcError as error:
            raise RpcError.wrap("push pipeline", error) from None

    async def _as_primary(
        self, call: Callable[[p4r.Uint128], Awaitable[_Answer]], timeout_s: float
    ) -> _Answer:
        """Calls with the election id that the switch knows, and calls again if a bid overtakes the
        call.

        Raises RpcError when the switch does not answer a bid for so long. Raises PrimacyLost as
        soon as another controller is or has been primary, because earlier decisions are no longer
        valid then.
        """
        self._check_primacy()
        times_deposed = self._times_deposed
        while True:
            try:
                async with asyncio.timeout(timeout_s):
                    await self.until(lambda: self._is_answered)
            except TimeoutError:
                raise _silence() from None
            if self._times_deposed != times_deposed:
                raise self._primacy_lost()
            election_id = self._election.election_id
            try:
                return await call(U128.encode(election_id))
            except grpc.aio.AioRpcError as error:
                is_refused = error.code() is grpc.StatusCode.PERMISSION_DENIED
                is_overtaken = election_id != self._election.election_id
                if not (is_refused and is_overtaken and self.role is Role.PRIMARY):
                    raise

    def _bid(self) -> None:
        election_id = U128.encode(self._election.election_id)
        self._send(
            p4r.MasterArbitrationUpdate(
                device_id=self.device_id, election_id=election_id, role=self._rights
            )
        )

    def _send(self, arbitration: p4r.MasterArbitrationUpdate) -> None:
        self._outgoing.put_nowait(p4r.StreamMessageRequest(arbitration=arbitration))
        self._is_answered = False
        self._unanswered_intervals = 0

    def _beat(self) -> None:
        """Bids again if the last bid is answered."""
        if not self._is_answered:
            self._unanswered_intervals += 1
            if self._unanswered_intervals * (self._election.interval_s or 0.0) > BID_TIMEOUT_S:
                self._lose(_silence())
        elif self._is_candidate:
            self._election.beat()
            self._bid()

    async def _write_stream(self) -> None:
        # The only writer, because canceling a write ends the stream; None ends our side of it.
        try:
            while (message := await self._outgoing.get()) is not None:
                await self._stream.write(message)
            await self._stream.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # who reads it is told
        except Exception as defect:
            self._lose(defect)

    async def _read_stream(self) -> None:
        try:
            async for message in self._stream:
                if message.HasField("packet"):
                    self.on_packet_in(message.packet)
                elif message.HasField("arbitration"):
                    self._arbitrate(message.arbitration)
            ended = RpcError("stream", grpc.StatusCode.UNAVAILABLE, "the switch ended the session")
            self._lose(ended)
        except grpc.aio.AioRpcError as error:
            self._lose(RpcError.wrap("stream", error))
        except Exception as defect:
            self._lose(defect)

    def _arbitrate(self, update: p4r.MasterArbitrationUpdate) -> None:
        is_asked, self._is_answered = not self._is_answered, True
        before = self.role
        self.primary_id = U128.decode(update.election_id)
        if update.status.code == rpc_code.OK:
            self.role = Role.PRIMARY
        elif update.status.code == rpc_code.ALREADY_EXISTS:
            self.role = Role.BACKUP
        else:
            self.role = Role.UNKNOWN
            if self._is_candidate:
                # The controller with the highest id has gone. Only this id or a higher one wins
                # now.
                self._election.rise_above(self.primary_id)
                self._bid()
        if before is Role.PRIMARY and self.role is not Role.PRIMARY:
            self._times_deposed += 1
        if self._heartbeat is not None:
            self._keep_time(self._heartbeat, before, is_asked)
        self._changed.set()

    def _keep_time(self, heartbeat: Heartbeat, before: Role, is_asked: bool) -> None:
        """Handles an update about the election. An update that answers no bid of ours tells of a
        rival's bid."""
        if self.role is Role.BACKUP:
            if before is not Role.BACKUP or not is_asked:
                self._election.hear()
                heartbeat.follow()
            elif self._is_candidate and self._election.should_take_over(self.primary_id or 0):
                self._election.rise_above(self.primary_id or 0)
                self._bid()
        elif self.role is Role.PRIMARY:
            if before is not Role.PRIMARY:
                heartbeat.lead()
            elif self._unanswered_intervals:
                # An answer has come so late that a beat was left out.
                self._beat()

    def _give_back(self) -> None:
        """Leaves the role without exclusive rights.

        A switch has to remember what the last primary of a role asked for, also when it has gone
        (P4Runtime specification, section 5.2). Only another bid that wins changes it.
        """
        rights = role_of(self._election.role, None)
        if self.role is Role.PRIMARY and self._rights != rights:
            self._rights = rights
            self._bid()

    def _lose(self, error: Exception) -> None:
        self._lost = error
        self._stop_beating()
        self._changed.set()

    def _stop_beating(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.stop()

    async def _close(self) -> None:
        self._stop_beating()
        if self._lost is None:
            self._give_back()
            self._outgoing.put_nowait(None)
            await asyncio.wait(self._tasks, timeout=END_TIMEOUT_S)
        for task in self._tasks:
            task.cancel()
        self._stream.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super()._close()


def _silence() -> RpcError:
    return RpcError("arbitration", grpc.StatusCode.DEADLINE_EXCEEDED, "the switch does not answer")
