"""A call from the other side."""

import asyncio
from contextlib import suppress
from typing import TypeVar

from p4abs_switch.thrift.protocol.shapes import from_wire, shape
from p4abs_switch.thrift.protocol.wire import (
    Fields,
    MessageKind,
    ProtocolError,
    Reader,
    message,
)

_Result = TypeVar("_Result")
_SUCCESS = 0


async def ask(host: str, port: int, call: str, result: type[_Result]) -> _Result:
    """Makes a call without arguments, `service:name`, that gives a struct.

    Raises OSError and EOFError as connections do, and ProtocolError where there is no such call.
    """
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(message(call, MessageKind.CALL, 0, Fields({})))
        _, kind, _, content = await Reader(reader.readexactly).message()
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    if kind is not MessageKind.REPLY or _SUCCESS not in content.values:
        raise ProtocolError(f"{call} is not answered")
    given: _Result = from_wire(shape(result), *content.values[_SUCCESS], call)
    return given
