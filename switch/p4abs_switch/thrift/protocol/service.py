"""Services: what answers a call."""

import asyncio
import inspect
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from typing import Any, ClassVar

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
# A longer list is encoded in a thread, so that other clients are served meanwhile.
_MAX_AT_ONCE = 1_000


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


class Handler:
    """What answers calls about a target: each public method of a class below these is one.

    takes_context: whether calls begin with a context, of which a switch has one: any number will
    do. Methods do not see it.
    """

    takes_context: ClassVar[bool] = True
    target: Any

    def refusals(self) -> AbstractContextManager[None]:
        """What cannot be done inside of it raises Refusal."""
        return nullcontext()


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is answered by a method: its arguments but for the context, and what it gives."""

    method: str
    takes_context: bool
    arguments: tuple[Field, ...]
    result: Shape | None

    def content(self, result: Any) -> Fields:
        """The reply that gives this result."""
        if self.result is None:
            return Fields({})
        return Fields({SUCCESS: (self.result.kind, to_wire(self.result, result))})


def calls_of(handlers: Mapping[str, Iterable[type[Handler]]]) -> dict[str, Call]:
    """All calls, by service and name."""
    return {
        f"{service}{_SEPARATOR}{call.method}": call
        for service, classes in handlers.items()
        for call in chain.from_iterable(map(_calls, classes))
    }


def _calls(handler: type[Handler]) -> Iterator[Call]:
    first = 2 if handler.takes_context else 1
    for name in sorted({*dir(handler)} - {*dir(Handler)}):
        method = getattr(handler, name)
        if not name.startswith("_") and inspect.isroutine(method):
            yield Call(name, handler.takes_context, *arguments_and_result(method, first))


class Services:
    """What answers calls, by their names: see `calls_of`."""

    def __init__(self, handlers: Mapping[str, Iterable[Handler]]) -> None:
        self._answered = {
            name: (handler, call)
            for service, those in handlers.items()
            for handler in those
            for name, call in calls_of({service: [type(handler)]}).items()
        }

    @property
    def calls(self) -> dict[str, tuple[Field, ...]]:
        """The arguments of each call."""
        return {name: call.arguments for name, (_, call) in self._answered.items()}

    async def answer(self, name: str, number: int, given: Fields) -> bytes:
        """The reply to a call."""
        bare_name = name.rpartition(_SEPARATOR)[2]

        def reply(kind: MessageKind, content: Fields) -> bytes:
            return message(bare_name, kind, number, content)

        try:
            call, result = await self._carry_out(name, given)
            if isinstance(result, list) and len(result) > _MAX_AT_ONCE:
                return await asyncio.to_thread(
                    lambda: reply(MessageKind.REPLY, call.content(result))
                )
            return reply(MessageKind.REPLY, call.content(result))
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

    async def _carry_out(self, name: str, given: Fields) -> tuple[Call, Any]:
        """The call, and what its method gives."""
        if name not in self._answered:
            raise Unserved(f"there is no call {name}")
        handler, call = self._answered[name]
        values = arguments_from_wire(call.arguments, given)
        with handler.refusals():
            for field in call.arguments:
                if field.shape.meaning is not None:
                    meant = field.shape.meaning.of(handler.target, values[field.name])
                    values[field.name] = meant
            result = getattr(handler, call.method)(**values)
            if inspect.isawaitable(result):
                result = await result
        return call, result
