"""The service for ports and queues, which P4Runtime has no words for; see port_service."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.struct_pb2 import Struct
from grpc.aio import ServicerContext

from p4abs_switch._engine import PortConfig, Switch
from p4abs_switch.port_service import SERVICE, Fields, Method, message
from p4abs_switch.server.config import LaterPorts
from p4abs_switch.server.device import Device, parsed
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.ports.fields import (
    GREATEST_COUNT,
    GREATEST_ID,
    is_set,
    whole,
    whole_if_any,
)
from p4abs_switch.server.ports.onlookers import show_trace
from p4abs_switch.status import RequestError, abort, engine_errors

_GREATEST_ELECTION_ID = 2**128 - 1
_GREATEST_PORT = 2**32 - 1

_Call = Callable[[Struct], Awaitable[Fields]]
_Answer = Callable[[bytes, ServicerContext[Any, Any]], Awaitable[Struct]]


class PortsService:
    """Serves one device, which is to have such `later_ports` and is watched so."""

    def __init__(self, device: Device, later_ports: LaterPorts, observation: Observation) -> None:
        self._device = device
        self._later_ports = later_ports
        self._observation = observation

    def handler(self) -> grpc.GenericRpcHandler:
        """What a gRPC server needs."""
        calls: dict[str, _Call] = {
            Method.SHOW_PORTS: self._show_ports,
            Method.SET_QUEUE_DEPTH: self._set_queue_depth,
            Method.SET_QUEUE_RATE: self._set_queue_rate,
            Method.ADD_PORT: self._add_port,
            Method.REMOVE_PORT: self._remove_port,
        }
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            method: grpc.unary_unary_rpc_method_handler(
                _answer(call), response_serializer=Struct.SerializeToString
            )
            for method, call in calls.items()
        }
        trace: grpc.RpcMethodHandler[Any, Any] = grpc.unary_stream_rpc_method_handler(
            self._trace, response_serializer=Struct.SerializeToString
        )
        return grpc.method_handlers_generic_handler(SERVICE, {**handlers, Method.TRACE: trace})

    # Not a generator: that is not told when its call is cancelled while a response waits.
    async def _trace(self, request: bytes, context: ServicerContext[Any, Any]) -> None:
        try:
            wanted = parsed(Struct, request)
        except RequestError as error:
            await abort(context, error)
        await show_trace(self._device, wanted, context)

    async def _show_ports(self, request: Struct) -> Fields:
        self._device.check_device(whole(request, "device_id", GREATEST_ID))
        ports = self._device.switch.ports()
        return {
            "ports": [
                {"port": config.port, "interface": config.interface, "is_up": is_up}
                for config, is_up in ports
            ]
        }

    async def _set_queue_depth(self, request: Struct) -> Fields:
        self._check_primary(request)
        packets = whole(request, "packets", GREATEST_COUNT)
        self._device.switch.set_queue_depth(packets, *_queues(request))
        return {}

    async def _set_queue_rate(self, request: Struct) -> Fields:
        self._check_primary(request)
        packets_per_second = whole(request, "packets_per_second", GREATEST_COUNT)
        self._device.switch.set_queue_rate(packets_per_second, *_queues(request))
        return {}

    async def _add_port(self, request: Struct) -> Fields:
        self._check_primary(request)
        interface = (
            request.fields["interface"].string_value if "interface" in request.fields else ""
        )
        config = self._later_ports.port(whole(request, "port", _GREATEST_PORT), interface)
        observation = self._observation if is_set(request, "captured") else None
        captures = await added_port(self._device.switch, config, observation)
        if captures is None:
            return {}
        came_in, went_out = captures
        return {"captured_in": str(came_in), "captured_out": str(went_out)}

    async def _remove_port(self, request: Struct) -> Fields:
        self._check_primary(request)
        port = whole(request, "port", _GREATEST_PORT)
        await asyncio.to_thread(self._device.switch.remove_port, port)
        return {}

    def _check_primary(self, request: Struct) -> None:
        self._device.check_primary(
            whole(request, "device_id", GREATEST_ID),
            whole_if_any(request, "election_id", _GREATEST_ELECTION_ID),
        )


async def added_port(
    switch: Switch, config: PortConfig, observation: Observation | None
) -> tuple[Path, Path] | None:
    """Adds a port; returns where `observation`, if given, captures what comes in and goes out.

    Raises EngineError, and RequestError where nothing is captured.
    """
    captures = None if observation is None else observation.captures_of(config.interface or "")
    # The kernel takes its time to open and close interfaces; other calls need not wait for it.
    await asyncio.to_thread(switch.add_port, config)
    return captures


def _answer(call: _Call) -> _Answer:
    async def answer(request: bytes, context: ServicerContext[Any, Any]) -> Struct:
        try:
            with engine_errors():
                return message(await call(parsed(Struct, request)))
        except RequestError as error:
            await abort(context, error)

    return answer


def _queues(request: Struct) -> tuple[int | None, int | None]:
    """Port and queue, as far as they are given."""
    port = whole_if_any(request, "port", _GREATEST_PORT)
    return port, whole_if_any(request, "queue", _GREATEST_PORT)
