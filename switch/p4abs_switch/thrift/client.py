"""Calls to the services of another switch, one after the other: this project's or BMv2's own."""

import socket
from collections.abc import Coroutine
from typing import Any, Self

from p4abs_switch.thrift.protocol.service import REFUSAL, SUCCESS, calls_of
from p4abs_switch.thrift.protocol.shapes import from_wire, to_wire
from p4abs_switch.thrift.protocol.wire import (
    Fields,
    Kind,
    MessageKind,
    ProtocolError,
    Reader,
    Value,
    message,
)
from p4abs_switch.thrift.services import HANDLERS

_CALLS = {name.rpartition(":")[2]: (name, call) for name, call in calls_of(HANDLERS).items()}


class Refused(Exception):
    """The switch does not carry a call out; the message says which, and with what code."""


class Client:
    """A connection. Close it, or use it in a `with` statement. Raises OSError.

    timeout_s: how long an answer may take.
    """

    def __init__(self, host: str, port: int, timeout_s: float) -> None:
        self._socket = socket.create_connection((host, port), timeout_s)
        self._answers = Reader(self._read, is_trusted=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()

    def call(self, name: str, *arguments: object) -> Any:
        """The result of a call. The context argument is added here. Raises Refused, OSError and
        EOFError as connections do, and ProtocolError where what answers is no such service."""
        full_name, call = _CALLS[name]
        pairs = zip(call.arguments, arguments, strict=True)
        given = {each.number: (each.shape.kind, to_wire(each.shape, of)) for each, of in pairs}
        if call.takes_context:
            given[1] = (Kind.I32, 0)
        self._socket.sendall(message(full_name, MessageKind.CALL, 0, Fields(given)))
        _, kind, _, content = _at_once(self._answers.message())
        if kind is not MessageKind.REPLY:
            raise ProtocolError(f"{full_name} is not answered")
        if REFUSAL in content.values:
            raise Refused(f"{name} is refused{_code(content.values[REFUSAL][1])}")
        if call.result is None:
            return None
        if SUCCESS not in content.values:
            raise ProtocolError(f"{full_name} gives nothing")
        kind_of_result, result = content.values[SUCCESS]
        return from_wire(call.result, kind_of_result, result, name)

    async def _read(self, most_bytes: int) -> bytes:
        return self._socket.recv(most_bytes)


def _code(refusal: Value) -> str:
    """What all of BMv2's exceptions have."""
    _, code = refusal.values.get(1, (None, None)) if isinstance(refusal, Fields) else (None, None)
    return "" if code is None else f": code {code!r}"


def _at_once(coroutine: Coroutine[Any, Any, tuple[str, MessageKind, int, Fields]]) -> Any:
    """What a coroutine that waits for nothing returns."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        return ended.value
    raise RuntimeError("the coroutine waits")
