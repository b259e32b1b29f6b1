"""The P4Runtime service: each call handed to the device, each error to gRPC."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from finsy.proto import p4r, p4r_grpc
from grpc.aio import ServicerContext

from p4abs_switch.controllers.streams import ControllerStream
from p4abs_switch.requests import read
from p4abs_switch.server.device import Device
from p4abs_switch.status import RequestError, abort, abort_batch

P4RUNTIME_API_VERSION = "1.5.0"

_Context = ServicerContext[Any, Any]


class P4RuntimeService(p4r_grpc.P4RuntimeServicer):
    """Serves one device."""

    def __init__(self, device: Device) -> None:
        self._device = device

    async def Write(self, request: p4r.WriteRequest, context: _Context) -> p4r.WriteResponse:
        """Applies a batch of updates."""
        try:
            errors = self._device.write(request)
        except RequestError as error:
            await abort(context, error)
        if any(errors):
            await abort_batch(context, "Write", errors)
        return p4r.WriteResponse()

    async def Read(
        self, request: p4r.ReadRequest, context: _Context
    ) -> AsyncIterator[p4r.ReadResponse]:
        """Reads a batch of entities."""
        try:
            found, errors = self._device.read(request)
        except RequestError as error:
            await abort(context, error)
        for response in read.responses(found):
            yield response
        if any(errors):
            await abort_batch(context, "Read", errors)

    async def SetForwardingPipelineConfig(
        self, request: p4r.SetForwardingPipelineConfigRequest, context: _Context
    ) -> p4r.SetForwardingPipelineConfigResponse:
        """Verifies, saves or commits a program."""
        try:
            self._device.set_config(request)
        except RequestError as error:
            await abort(context, error)
        return p4r.SetForwardingPipelineConfigResponse()

    async def GetForwardingPipelineConfig(
        self, request: p4r.GetForwardingPipelineConfigRequest, context: _Context
    ) -> p4r.GetForwardingPipelineConfigResponse:
        """Returns the program, its P4Info or its cookie."""
        try:
            return self._device.get_config(request)
        except RequestError as error:
            await abort(context, error)

    # Not a generator, as the stub's type has it: a generator is not told when its call is cancelled
    # while a response waits for a controller that does not read.
    async def StreamChannel(  # type: ignore[override]
        self, request_iterator: AsyncIterable[p4r.StreamMessageRequest], context: _Context
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

    async def Capabilities(
        self, request: p4r.CapabilitiesRequest, context: _Context
    ) -> p4r.CapabilitiesResponse:
        """Tells the version of the specification."""
        try:
            self._device.check_capabilities(request)
        except RequestError as error:
            await abort(context, error)
        return p4r.CapabilitiesResponse(p4runtime_api_version=P4RUNTIME_API_VERSION)

    async def _receive(
        self, stream: ControllerStream, requests: AsyncIterable[p4r.StreamMessageRequest]
    ) -> None:
        try:
            async for request in requests:
                self._device.receive(stream, request)
        except RequestError as error:
            stream.end(error)
        finally:
            stream.end()
