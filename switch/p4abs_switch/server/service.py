"""The P4Runtime service: each call handed to the device, each error to gRPC.

Requests about programs stay the bytes that came, and so do answers: the engine reads and writes
them.
"""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable
from typing import Any

import grpc
from grpc.aio import ServicerContext

from p4abs_switch._engine import Found, Written
from p4abs_switch.controllers.streams import ControllerStream
from p4abs_switch.protobuf import p4r
from p4abs_switch.server.device import Device, parsed
from p4abs_switch.server.threads import in_daemon_thread, to_the_end
from p4abs_switch.status import RequestError, abort, abort_batch, engine_errors

P4RUNTIME_API_VERSION = "1.5.0"

_SERVICE = "p4.v1.P4Runtime"
_NOTHING = b""

_Context = ServicerContext[Any, Any]


class P4RuntimeService:
    """Serves one device."""

    def __init__(self, device: Device) -> None:
        self._device = device
        # A Write, a config change and a Read are each complete before the next one starts
        # (P4Runtime 1.5, sections 12.1 and 13.4). Their parts are not in the way of other calls.
        self._undivided = asyncio.Lock()
        # Reads wait here for each other, so that what writes waits for one of them, not for all.
        self._reads = asyncio.Lock()

    def handler(self) -> grpc.GenericRpcHandler:
        """The calls by their names, for gRPC."""
        calls: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Write": grpc.unary_unary_rpc_method_handler(self.write),
            "Read": grpc.unary_stream_rpc_method_handler(self.read),
            "SetForwardingPipelineConfig": grpc.unary_unary_rpc_method_handler(self.set_config),
            "GetForwardingPipelineConfig": grpc.unary_unary_rpc_method_handler(self.get_config),
            "StreamChannel": grpc.stream_stream_rpc_method_handler(
                self.stream_channel,
                response_serializer=p4r.StreamMessageResponse.SerializeToString,
            ),
            "Capabilities": grpc.unary_unary_rpc_method_handler(self.capabilities),
        }
        return grpc.method_handlers_generic_handler(_SERVICE, calls)

    async def write(self, request: bytes, context: _Context) -> bytes:
        """Applies a batch of updates."""
        try:
            async with self._undivided:
                written = self._device.write(request)
                if written.is_complete:
                    failed = self._device.finish(written)
                else:
                    failed = await to_the_end(self._finished(written))
        except RequestError as error:
            await abort(context, error)
        if failed is not None:
            await abort_batch(context, *failed)
        return _NOTHING

    async def read(self, request: bytes, context: _Context) -> AsyncIterator[bytes]:
        """Reads a batch of entities."""
        try:
            async with self._reads, self._undivided:
                found = self._device.read(request)
                messages = await self._taken(found)
            with engine_errors():
                failed = found.status()
        except RequestError as error:
            await abort(context, error)
        for message in messages:
            yield message
        if failed is not None:
            await abort_batch(context, *failed)

    async def set_config(self, request: bytes, context: _Context) -> bytes:
        """Verifies, saves or commits a program."""
        try:
            async with self._undivided:
                change = self._device.config_change(request)
                await to_the_end(self._changed(change))
        except RequestError as error:
            await abort(context, error)
        return _NOTHING

    async def get_config(self, request: bytes, context: _Context) -> bytes:
        """Returns the program, its P4Info or its cookie."""
        try:
            return self._device.get_config(request)
        except RequestError as error:
            await abort(context, error)

    # Not a generator: a generator is not told when its call is cancelled while a response waits for
    # a controller that does not read.
    async def stream_channel(
        self, request_iterator: AsyncIterable[bytes], context: _Context
    ) -> None:
        """Arbitration and packets, both ways, for as long as a controller lives."""
        stream = ControllerStream()
        receiving = asyncio.create_task(self._receive(stream, request_iterator))
        try:
            self._device.enter(stream)
            async for response in stream.responses():
                await context.write(response)
            await receiving
        except RequestError as error:
            await abort(context, error)
        finally:
            receiving.cancel()
            self._device.leave(stream)

    async def capabilities(self, request: bytes, context: _Context) -> bytes:
        """Tells the version of the specification."""
        try:
            self._device.check_capabilities(parsed(p4r.CapabilitiesRequest, request))
        except RequestError as error:
            await abort(context, error)
        told = p4r.CapabilitiesResponse(p4runtime_api_version=P4RUNTIME_API_VERSION)
        return told.SerializeToString()

    async def _finished(self, written: Written) -> tuple[str, bytes] | None:
        with engine_errors():
            while not written.is_complete:
                await asyncio.to_thread(written.go_on)
        return self._device.finish(written)

    async def _changed(self, change: Callable[[], None]) -> None:
        """A large program takes long to compile; the end of the process does not wait for it."""
        with engine_errors():
            await in_daemon_thread("config change", change)
        self._device.adopt_program()

    async def _taken(self, found: Found) -> list[bytes]:
        """All messages of a Read. Other calls run meanwhile, but none that writes."""
        messages: list[bytes] = []
        with engine_errors():
            while not found.is_complete:
                messages += await asyncio.to_thread(found.take)
            return messages + found.take()

    async def _receive(self, stream: ControllerStream, requests: AsyncIterable[bytes]) -> None:
        try:
            async for request in requests:
                self._device.receive(stream, parsed(p4r.StreamMessageRequest, request))
        except RequestError as error:
            stream.end(error)
        finally:
            stream.end()
