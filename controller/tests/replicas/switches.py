"""Embedded switches in virtual time, and the links to them: all of P4Runtime but the transport."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import grpc
from finsy.proto import p4r
from google.protobuf import struct_pb2
from google.protobuf.message import Message
from p4abs.access.program import Program
from p4abs_switch._engine import ControllerStream, Device, RequestRefused, Switch

from controller.tests.replicas.processes import Process, Timeline

LATENCY_S = (0.0002, 0.001)
CPU_PORT = 510
_CODES = {code.value[0]: code for code in grpc.StatusCode}


def error_of(code: grpc.StatusCode, message: str) -> grpc.aio.AioRpcError:
    none = grpc.aio.Metadata()
    return grpc.aio.AioRpcError(code, none, none, details=message)


def _gone() -> grpc.aio.AioRpcError:
    return error_of(grpc.StatusCode.UNAVAILABLE, "the connection is cut")


def _refused(error: RequestRefused) -> grpc.aio.AioRpcError:
    number, message = error.args
    return error_of(_CODES[number], message)


@dataclass(eq=False)
class Stream:
    """A controller's stream, both ends of it."""

    link: "Link"
    received: asyncio.Queue[Message | grpc.aio.AioRpcError | None] = field(
        default_factory=asyncio.Queue
    )
    at_switch: ControllerStream | None = None
    opened_s: float = 0.0
    told: p4r.MasterArbitrationUpdate | None = None
    told_s: float = 0.0

    def arrive(self, response: p4r.StreamMessageResponse) -> None:
        if response.HasField("arbitration"):
            self.told, self.told_s = response.arbitration, self.link.timeline.now_s
        self.received.put_nowait(response)

    async def write(self, request: p4r.StreamMessageRequest) -> None:
        if request.HasField("packet"):
            self.link.switch.check_writer(self)
        copy = p4r.StreamMessageRequest()
        copy.CopyFrom(request)
        self.link.to_switch(lambda: self.link.switch.receive(self, copy))

    async def done_writing(self) -> None:
        self.link.to_switch(self._left)

    def _left(self) -> None:
        """The switch ends its side when the controller has ended the other."""
        self.link.switch.leave(self)
        self.link.to_controller(lambda: self.received.put_nowait(None))

    def cancel(self) -> None:
        self.link.to_switch(lambda: self.link.switch.leave(self))

    async def __aiter__(self) -> AsyncIterator[p4r.StreamMessageResponse]:
        while (message := await self.received.get()) is not None:
            if isinstance(message, grpc.aio.AioRpcError):
                raise message
            yield message


class Link:
    """From a controller's process to a switch: as it should be, cut, or silent.

    Cut, it ends what goes over it, and nothing new begins. Silent, it keeps what is sent until it
    is well again, as TCP does.
    """

    def __init__(
        self, timeline: Timeline, generator: random.Random, switch: "VirtualSwitch"
    ) -> None:
        self.timeline = timeline
        self.switch = switch
        self.process: Process
        self.is_cut = False
        self.is_silent = False
        self.streams: list[Stream] = []
        self._generator = generator
        self._held: list[tuple[bool, Callable[[], None]]] = []
        self._arrivals_s = {True: 0.0, False: 0.0}
        self._calls: set[asyncio.Future[Message]] = set()

    @property
    def is_well(self) -> bool:
        return not (self.is_cut or self.is_silent)

    def to_switch(self, deliver: Callable[[], None], *, in_order: bool = True) -> None:
        """As long as its process lives, and in order with what else goes over a stream."""
        if self.process.is_alive and not self.is_cut:
            self._carry(True, deliver, in_order)

    def to_controller(self, deliver: Callable[[], None]) -> None:
        self._carry(False, deliver, True)

    def _carry(self, is_up: bool, deliver: Callable[[], None], in_order: bool) -> None:
        if self.is_silent:
            self._held.append((is_up, deliver))
            return
        at_s = self.timeline.now_s + self._generator.uniform(*LATENCY_S)
        if in_order:
            at_s = self._arrivals_s[is_up] = max(at_s, self._arrivals_s[is_up])
        process = self.process
        self.timeline.at(at_s, deliver if is_up else lambda: process.receive(deliver))

    def mend(self) -> None:
        self.is_cut = self.is_silent = False
        held, self._held = self._held, []
        for is_up, deliver in held:
            self._carry(is_up, deliver, True)

    def cut(self) -> None:
        """Both ends notice."""
        self.is_cut = True
        self._held.clear()
        for stream in [*self.streams]:
            self.sever(stream, _gone())
        calls, self._calls = self._calls, set()
        for call in calls:
            self.process.receive(lambda call=call: _fail(call, _gone()))

    def silence(self) -> None:
        self.is_silent = True

    def sever(self, stream: Stream, error: grpc.aio.AioRpcError) -> None:
        self.switch.leave(stream)
        self.process.receive(lambda: stream.received.put_nowait(error))

    def open(self) -> Stream:
        stream = Stream(self)
        if self.is_cut:
            stream.received.put_nowait(_gone())
        else:
            self.to_switch(lambda: self.switch.enter(stream))
        return stream

    async def call(
        self, handle: Callable[[], Message], timeout_s: float | None, *, writes: bool = False
    ) -> Message:
        """A unary call, which a stream's messages may overtake."""
        if self.is_cut:
            raise _gone()
        answered: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._calls.add(answered)
        self.to_switch(lambda: self._answer(handle, answered), in_order=False)
        try:
            async with asyncio.timeout(timeout_s):
                return await answered
        except TimeoutError:
            raise error_of(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer") from None
        finally:
            self._calls.discard(answered)

    def _answer(self, handle: Callable[[], Message], answered: asyncio.Future[Message]) -> None:
        try:
            answer = handle()
        except RequestRefused as error:
            refused = _refused(error)
            self.to_controller(lambda: _fail(answered, refused))
        else:
            self.to_controller(lambda: answered.done() or answered.set_result(answer))


def _fail(call: asyncio.Future[Message], error: grpc.aio.AioRpcError) -> None:
    if not call.done():
        call.set_exception(error)


class Channel:
    """What P4RuntimeStub asks of a gRPC channel."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def stream_stream(self, *_: object, **__: object) -> Callable[[], Stream]:
        return self._link.open

    def unary_unary(self, path: str, **_: object) -> Callable[..., Any]:
        name = path.rpartition("/")[2]

        def call(request: Message | bytes, timeout: float | None = None) -> Any:
            # The controller itself makes the bytes of Writes; who asks for them has no serializer.
            kind = p4r.WriteRequest if isinstance(request, bytes) else type(request)
            sent = request if isinstance(request, bytes) else request.SerializeToString()
            copy = kind.FromString(sent)
            return self._link.call(lambda: self._link.switch.handle(name, copy), timeout)

        return call

    def unary_stream(self, path: str, **_: object) -> Callable[..., Any]:
        """Of Reads, whose bytes the controller itself reads and writes."""
        call = self.unary_unary(path)

        async def responses(request: bytes, **options: float) -> Any:
            answer = await call(p4r.ReadRequest.FromString(request), **options)
            yield answer.SerializeToString()

        return responses

    async def close(self) -> None:
        """Nothing to close."""


class VirtualSwitch:
    """The device of `p4abs switch` with its engine. `written` is told of each write taken.

    tells_all: whether backups hear of a primary's further bids.
    """

    tells_all = True

    def __init__(
        self, timeline: Timeline, program: Program, written: Callable[[Stream], None]
    ) -> None:
        self.timeline = timeline
        self.engine = Switch((), CPU_PORT)
        self.device = Device(1, self.engine)
        self.device.commit(program.forwarding_config().SerializeToString())
        self.refused = 0
        self._streams: list[Stream] = []
        self._primary: Stream | None = None
        self.violations: list[str] = []
        self._written = written

    def enter(self, stream: Stream) -> None:
        stream.opened_s = self.timeline.now_s
        stream.link.streams.append(stream)
        stream.at_switch = self.device.enter()
        self._streams.append(stream)

    def leave(self, stream: Stream) -> None:
        if stream.at_switch is not None:
            stream.link.streams.remove(stream)
            self._streams.remove(stream)
            stream.at_switch.leave()
            if self._primary is stream:
                self._primary = None
            stream.at_switch = None
            self._tell()

    def receive(self, stream: Stream, request: p4r.StreamMessageRequest) -> None:
        if stream.at_switch is None:
            return
        self.engine.run_until(round(self.timeline.now_s * 1e9))
        before = self.refused
        try:
            stream.at_switch.receive(request.SerializeToString())
        except RequestRefused as error:
            stream.link.sever(stream, _refused(error))
            return
        self._tell(stream)
        if request.HasField("packet") and self.refused == before:
            self.device.deliver_packets(self.engine.packet_in())
            self._tell()
            self._written(stream)

    def _tell(self, asker: Stream | None = None) -> None:
        """Sends controllers what waits for them."""
        before, waiting = self._primary, list[tuple[Stream, p4r.StreamMessageResponse]]()
        for stream in self._streams:
            assert stream.at_switch is not None
            for message in stream.at_switch.take():
                waiting.append((stream, p4r.StreamMessageResponse.FromString(message)))
                self._note(*waiting[-1])
        told_to_all = self.tells_all or self._primary is not before
        for stream, response in waiting:
            if response.HasField("error"):
                self.refused += 1
            elif told_to_all or stream is asker or not response.HasField("arbitration"):
                stream.link.to_controller(partial(stream.arrive, response))

    def _note(self, stream: Stream, response: p4r.StreamMessageResponse) -> None:
        if response.HasField("arbitration"):
            if response.arbitration.status.code == 0:
                self._primary = stream
            elif self._primary is stream:
                self._primary = None

    def handle(self, name: str, request: Any) -> Message:
        self.engine.run_until(round(self.timeline.now_s * 1e9))
        match name:
            case "Read":
                messages, failed = self.device.read(request.SerializeToString())
                assert failed is None
                found = map(p4r.ReadResponse.FromString, messages)
                return p4r.ReadResponse(entities=[each for part in found for each in part.entities])
            case "Write":
                assert self.device.write(request.SerializeToString()) is None
                self._written(self.primary)
                return p4r.WriteResponse()
            case "SetForwardingPipelineConfig":
                self.device.set_config(request.SerializeToString())
                return p4r.SetForwardingPipelineConfigResponse()
            case "GetForwardingPipelineConfig":
                answer = self.device.get_config(request.SerializeToString())
                return p4r.GetForwardingPipelineConfigResponse.FromString(answer)
            case "ShowPorts":
                return struct_pb2.Struct()  # the engine's ports are nobody's concern here
        raise AssertionError(name)

    @property
    def primary(self) -> Stream | None:
        """Who has been told so last, as the switch sees it."""
        return self._primary

    def check_writer(self, stream: Stream) -> None:
        """A controller that was told that it is not primary writes no more."""
        is_told = stream.told is not None and stream.told.status.code == 0
        if not is_told and stream.told_s < self.timeline.now_s:
            self.violations.append(f"{self.timeline.now_s:.3f} s: written without being primary")
