"""Services: what answers a call."""

import inspect
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from p4abs_switch.thrift.protocol.shapes import (
    I32,
    Field,
    Shape,
    Text,
    arguments_and_result,
    arguments_from_wire,
    fields_to_wire,
    to_wire,
)
from p4abs_switch.thrift.protocol.wire import (
    Fields,
    Kind,
    MessageKind,
    ProtocolError,
    message,
)

_LOG = logging.getLogger(__name__)
_SEPARATOR = ":"  # between the service and the call, as in TMultiplexedProtocol
SUCCESS, REFUSAL = 0, 1  # fields of a result; every call of BMv2 declares one exception at most


class Refusal(Exception):
    """A call is refused with a code that its declaration knows; `reason` is for the log."""

    def __init__(self, code: IntEnum, reason: str = "") -> None:
        super().__init__(reason or code.name)
        self.code = code


class Failure(IntEnum):
    """Why a call cannot be answered at all (TApplicationException)."""

    UNKNOWN_METHOD = 1
    INTERNAL_ERROR = 6
    PROTOCOL_ERROR = 7


class Unserved(Exception):
    """A call of BMv2 that is not served; the message is one line that says what to use instead."""


@dataclass(frozen=True, slots=True)
class _Failed:
    """TApplicationException."""

    message: Text
    type: I32


@dataclass(frozen=True, slots=True)
class _Code:
    """What all of BMv2's exceptions have."""

    code: I32


@dataclass(frozen=True, slots=True)
class Call:
    """What answers a call, its arguments, and what it gives."""

    method: Callable[..., Any]
    arguments: tuple[Field, ...]
    result: Shape | None


def calls_of(handlers: Mapping[str, Iterable[object]]) -> dict[str, Call]:
    """All calls, by service and name: the public methods of the services' handlers or of their
    classes."""
    return {
        f"{service}{_SEPARATOR}{name}": Call(method, *arguments_and_result(method))
        for service, objects in handlers.items()
        for handler in objects
        for name in dir(handler)
        if not name.startswith("_") and inspect.isroutine(method := getattr(handler, name))
    }


class Services:
    """What answers calls, by their names: see `calls_of`."""

    def __init__(self, handlers: Mapping[str, Iterable[object]]) -> None:
        self._calls = calls_of(handlers)

    @property
    def calls(self) -> dict[str, tuple[Field, ...]]:
        """The arguments of each call."""
        return {name: call.arguments for name, call in self._calls.items()}

    async def answer(self, name: str, number: int, given: Fields) -> bytes:
        """The reply to a call."""
        bare_name = name.rpartition(_SEPARATOR)[2]

        def reply(kind: MessageKind, content: Fields) -> bytes:
            return message(bare_name, kind, number, content)

        try:
            return reply(MessageKind.REPLY, await self._result(name, given))
        except Refusal as refusal:
            _LOG.info("%s: %s: %s", bare_name, refusal.code.name, refusal)
            code = fields_to_wire(_Code(refusal.code))
            return reply(MessageKind.REPLY, Fields({REFUSAL: (Kind.STRUCT, code)}))
        except (ProtocolError, Unserved) as error:
            _LOG.warning("%s: %s", bare_name, error)
            is_wrong = isinstance(error, ProtocolError)
            why = Failure.PROTOCOL_ERROR if is_wrong else Failure.UNKNOWN_METHOD
            failed = _Failed(str(error), why)
        except Exception as error:
            _LOG.exception("%s failed", bare_name)
            failed = _Failed(f"{type(error).__name__}: {error}", Failure.INTERNAL_ERROR)
        return reply(MessageKind.EXCEPTION, fields_to_wire(failed))

    async def _result(self, name: str, given: Fields) -> Fields:
        call = self._calls.get(name)
        if call is None:
            raise Unserved(f"there is no call {name}")
        result = call.method(**arguments_from_wire(call.arguments, given))
        if inspect.isawaitable(result):
            result = await result
        if call.result is None:
            return Fields({})
        return Fields({SUCCESS: (call.result.kind, to_wire(call.result, result))})
