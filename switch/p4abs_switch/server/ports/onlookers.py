"""Traces of a running switch, each for a client that looks on."""

import asyncio
from typing import Any, Literal

from google.protobuf.struct_pb2 import Struct
from grpc.aio import ServicerContext

from p4abs_switch._engine import PORT_LIMIT
from p4abs_switch.port_service import message
from p4abs_switch.server.device import Device
from p4abs_switch.server.ports.fields import GREATEST_COUNT, GREATEST_ID, is_set, whole
from p4abs_switch.status import RequestError, abort, engine_errors, invalid

# How often lines are sent.
_INTERVAL_S = 0.05
_DIGITS = frozenset("0123456789abcdef")


async def show_trace(device: Device, request: Struct, context: ServicerContext[Any, Any]) -> None:
    """Sends lines as they come, until the client goes or the trace has its size.

    What the client does not take in time is lost, and counted in a line: packets wait for nobody.
    """
    try:
        device_id = whole(request, "device_id", GREATEST_ID)
        device.check_device(device_id)
        with engine_errors():
            watcher = device.switch.watch(
                _format(request),
                _ports(request),
                _fields(request),
                is_set(request, "dropped_only"),
                whole(request, "packets_per_second", GREATEST_COUNT),
                whole(request, "bytes", GREATEST_COUNT),
            )
        try:
            # From here on the client knows that it looks on.
            await context.send_initial_metadata(())
            while (lines := watcher.take()) is not None:
                sending = asyncio.ensure_future(_send(context, lines))
                try:
                    while not sending.done():
                        await asyncio.wait([sending], timeout=_INTERVAL_S)
                        # One that has failed, or ends, ends its streams.
                        device.check_device(device_id)
                    await sending
                finally:
                    sending.cancel()
        finally:
            watcher.end()
    except RequestError as error:
        await abort(context, error)


async def _send(context: ServicerContext[Any, Any], lines: str) -> None:
    if lines:
        await context.write(message({"lines": lines}))
    await asyncio.sleep(_INTERVAL_S)


def _format(request: Struct) -> Literal["text", "json"]:
    return "json" if is_set(request, "json") else "text"


def _ports(request: Struct) -> list[int] | None:
    """The ports asked for; None: all."""
    ports = [whole(each, "port", PORT_LIMIT - 1) for each in _structs(request, "ports")]
    return ports or None


def _fields(request: Struct) -> list[tuple[str, str]]:
    """Names and hexadecimal digits."""
    fields = []
    for each in _structs(request, "fields"):
        name, value = (each.fields[key].string_value for key in ("field", "value"))
        if not value or not _DIGITS.issuperset(value):
            raise invalid(f"field {name}: {value!r} is no hexadecimal number in small letters")
        fields.append((name, value))
    return fields


def _structs(request: Struct, name: str) -> list[Struct]:
    if name not in request.fields:
        return []
    return [each.struct_value for each in request.fields[name].list_value.values]
