"""One P4Runtime session with a switch: its channel, its stream and its place in the election."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from enum import StrEnum
from types import TracebackType
from typing import Self

import grpc
from finsy.proto import U128, p4r, rpc_code

from p4abs.access.program import Program
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.rpc_error import RpcError, raise_first
from p4abs.access.tls import TlsFiles
from p4abs.errors import P4absError

PUSH_TIMEOUT_S = 30.0


class PrimacyLost(P4absError):
    """A controller with a higher election id has taken the switch over."""


class Role(StrEnum):
    """A controller's place in the election (P4Runtime specification, section 5)."""

    UNKNOWN = "unknown"
    PRIMARY = "primary"
    BACKUP = "backup"


class Connection(ReadOnlyConnection):
    """An open session, used as `async with Connection(...)`; its tasks end with the block.

    Entering raises RpcError when the switch does not answer or refuses the election id, and
    TlsError when a file of `tls` cannot be used. Without `tls` nothing is encrypted.
    """

    def __init__(
        self, address: str, device_id: int, election_id: int, tls: TlsFiles | None = None
    ) -> None:
        super().__init__(address, device_id, tls)
        self.election_id = election_id
        self.primary_id: int | None = None
        self.role = Role.UNKNOWN
        self.on_packet_in: Callable[[p4r.PacketIn], None] = lambda _packet: None
        self._lost: RpcError | None = None
        self._changed = asyncio.Event()
        self._outgoing: asyncio.Queue[p4r.StreamMessageRequest] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._stream = self._stub.StreamChannel()
        self._tasks = (
            asyncio.create_task(self._read_stream()),
            asyncio.create_task(self._write_stream()),
        )
        try:
            self._bid()
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self._until(lambda: self.role is not Role.UNKNOWN)
        except TimeoutError:
            await self._close()
            raise RpcError(
                "arbitration", grpc.StatusCode.DEADLINE_EXCEEDED, "the switch does not answer"
            ) from None
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self._close()

    async def until_primary(self) -> None:
        """Waits for primacy. Raises RpcError when the connection is lost first."""
        await self._until(lambda: self.role is Role.PRIMARY)

    async def watch(self) -> None:
        """Returns never: raises PrimacyLost or, when the connection is lost, RpcError."""
        await self._until(lambda: self.role is not Role.PRIMARY)
        raise PrimacyLost(f"election id {self.primary_id} has taken over")

    async def write(self, updates: Sequence[p4r.Update], timeout_s: float) -> None:
        """Applies the updates as the primary controller."""
        raise_first(await self.write_partly(updates, timeout_s))

    async def write_partly(
        self, updates: Sequence[p4r.Update], timeout_s: float
    ) -> dict[int, RpcError]:
        """As write(); returns the errors of the updates that failed by their positions."""
        request = p4r.WriteRequest(
            device_id=self.device_id,
            election_id=U128.encode(self.election_id),
            updates=updates,
        )
        try:
            await self._stub.Write(request, timeout=timeout_s)
        except grpc.aio.AioRpcError as error:
            return RpcError.failures("write", error)
        return {}

    def packet_out(self, packet: p4r.PacketOut) -> None:
        """Sends a packet into the switch. Raises RpcError when the connection is lost."""
        if self._lost is not None:
            raise self._lost
        self._outgoing.put_nowait(p4r.StreamMessageRequest(packet=packet))

    async def push(self, program: Program) -> None:
        """Replaces the switch's program; its tables and registers start empty."""
        request = p4r.SetForwardingPipelineConfigRequest(
            device_id=self.device_id,
            election_id=U128.encode(self.election_id),
            action=p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT,
            config=program.forwarding_config(),
        )
        try:
            await self._stub.SetForwardingPipelineConfig(request, timeout=PUSH_TIMEOUT_S)
        except grpc.aio.AioRpcError as error:
            raise RpcError.wrap("push pipeline", error) from None

    def _bid(self) -> None:
        arbitration = p4r.MasterArbitrationUpdate(
            device_id=self.device_id, election_id=U128.encode(self.election_id)
        )
        self._outgoing.put_nowait(p4r.StreamMessageRequest(arbitration=arbitration))

    async def _write_stream(self) -> None:
        # The only writer, because cancelling a write ends the stream.
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._stream.write(await self._outgoing.get())

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

    def _arbitrate(self, update: p4r.MasterArbitrationUpdate) -> None:
        self.primary_id = U128.decode(update.election_id)
        if update.status.code == rpc_code.OK and self.primary_id == self.election_id:
            self.role = Role.PRIMARY
        elif update.status.code == rpc_code.ALREADY_EXISTS:
            self.role = Role.BACKUP
        else:
            # No primary: one that had the highest id has gone. Only that id, or more, wins now.
            self.role = Role.BACKUP
            self.election_id = max(self.election_id, self.primary_id)
            self._bid()
        self._changed.set()

    def _lose(self, error: RpcError) -> None:
        self._lost = error
        self._changed.set()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while True:
            if self._lost is not None:
                raise self._lost
            if condition():
                return
            self._changed.clear()
            await self._changed.wait()

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._stream.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().__aexit__(None, None, None)
