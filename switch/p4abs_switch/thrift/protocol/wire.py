"""Values in Thrift's binary protocol (Thrift specification, "Thrift Binary protocol encoding")."""

import math
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


class Kind(IntEnum):
    """What a value is, as the wire says it."""

    STOP = 0
    BOOL = 2
    BYTE = 3
    DOUBLE = 4
    I16 = 6
    I32 = 8
    I64 = 10
    STRING = 11
    STRUCT = 12
    MAP = 13
    SET = 14
    LIST = 15


class MessageKind(IntEnum):
    """What a message is."""

    CALL = 1
    REPLY = 2
    EXCEPTION = 3
    ONEWAY = 4


class ProtocolError(Exception):
    """A peer violates the protocol, or sends more than is read; the message is one line that says
    how."""


@dataclass(frozen=True, slots=True)
class Elements:
    """A list or a set."""

    kind: Kind
    values: list["Value"]


@dataclass(frozen=True, slots=True)
class Fields:
    """A struct: kind and value of its fields by their numbers."""

    values: dict[int, tuple[Kind, "Value"]]


@dataclass(frozen=True, slots=True)
class Texts:
    """A map of strings to strings, which is written only."""

    values: dict[bytes, bytes]


Value: TypeAlias = bool | int | float | bytes | Elements | Fields | Texts
Read: TypeAlias = Callable[[int], Awaitable[bytes]]
"""Gives what has come, at most so many bytes; none: nothing comes any more."""

_VERSION_1 = 0x8001
_NUMBERS = {
    Kind.BYTE: struct.Struct(">b"),
    Kind.I16: struct.Struct(">h"),
    Kind.I32: struct.Struct(">i"),
    Kind.I64: struct.Struct(">q"),
    Kind.DOUBLE: struct.Struct(">d"),
}
_KINDS = {int(kind): kind for kind in Kind if kind is not Kind.STOP}

# More than any client of BMv2 sends at once, and read in a fraction of a second.
_MAX_VALUES = 1 << 14
_MAX_BYTES = 64 << 20  # a program's JSON
_MAX_DEPTH = 16
_AT_ONCE_BYTES = 1 << 16


class Reader:
    """Reads messages, one after the other. All methods raise ProtocolError, EOFError and what
    `read` raises.

    is_trusted: whether messages may have as many values as there are.
    """

    def __init__(self, read: Read, *, is_trusted: bool = False) -> None:
        self._read_some = read
        self._most_values: float = math.inf if is_trusted else _MAX_VALUES
        self._values_left = self._most_values
        self._bytes_left = _MAX_BYTES
        self._buffer, self._place = b"", 0

    @property
    def is_ahead(self) -> bool:
        """Whether the next message has begun to come: reading it may not wait."""
        return self._place < len(self._buffer)

    async def message(self) -> tuple[str, MessageKind, int, Fields]:
        """A message's name, kind, number and content."""
        self._values_left, self._bytes_left = self._most_values, _MAX_BYTES
        version, _, kind = struct.unpack(">HBB", await self._read(4))
        if version != _VERSION_1 or kind not in frozenset(MessageKind):
            raise ProtocolError("not a message of Thrift's strict binary protocol")
        name = await self._string()
        number = await self._number(Kind.I32)
        content = await self._fields(_MAX_DEPTH)
        try:
            return name.decode(), MessageKind(kind), int(number), content
        except UnicodeDecodeError:
            raise ProtocolError(f"no call has the name {name!r}") from None

    async def _value(self, kind: Kind, depth: int) -> Value:
        self._values_left -= 1
        if self._values_left < 0:
            raise ProtocolError(f"a message of more than {_MAX_VALUES} values")
        match kind:
            case Kind.BOOL:
                return await self._read(1) != b"\0"
            case Kind.STRING:
                return await self._string()
            case Kind.STRUCT:
                return await self._fields(depth - 1)
            case Kind.LIST | Kind.SET:
                return await self._elements(depth - 1)
            case Kind.MAP:
                raise ProtocolError("a map, which no call takes")
            case _:
                return await self._number(kind)

    async def _fields(self, depth: int) -> Fields:
        _check_depth(depth)
        values: dict[int, tuple[Kind, Value]] = {}
        while (kind := (await self._read(1))[0]) != Kind.STOP:
            number = int(await self._number(Kind.I16))
            of = _known(kind)
            values[number] = (of, await self._value(of, depth))
        return Fields(values)

    async def _elements(self, depth: int) -> Elements:
        _check_depth(depth)
        kind = _known((await self._read(1))[0])
        count = int(await self._number(Kind.I32))
        if not 0 <= count <= self._values_left:
            raise ProtocolError(f"a list of {count} values; valid: up to {_MAX_VALUES} in all")
        return Elements(kind, [await self._value(kind, depth) for _ in range(count)])

    async def _number(self, kind: Kind) -> int | float:
        form = _NUMBERS[kind]
        number: int | float = form.unpack(await self._read(form.size))[0]
        return number

    async def _string(self) -> bytes:
        return await self._read(int(await self._number(Kind.I32)))

    async def _read(self, length_bytes: int) -> bytes:
        if not 0 <= length_bytes <= self._bytes_left:
            raise ProtocolError(f"{length_bytes} bytes; valid: up to {_MAX_BYTES} in a message")
        self._bytes_left -= length_bytes
        if self._place + length_bytes > len(self._buffer):
            await self._fill(length_bytes)
        start, self._place = self._place, self._place + length_bytes
        return self._buffer[start : self._place]

    async def _fill(self, length_bytes: int) -> None:
        """Waits until the buffer has so many bytes that have not been read."""
        parts = [self._buffer[self._place :]]
        missing = length_bytes - len(parts[0])
        while missing > 0:
            part = await self._read_some(max(missing, _AT_ONCE_BYTES))
            if not part:
                raise EOFError(f"the connection ends {missing} bytes before a message does")
            parts.append(part)
            missing -= len(part)
        self._buffer, self._place = b"".join(parts), 0


def _known(kind: int) -> Kind:
    if kind not in _KINDS:
        raise ProtocolError(f"no value has the kind {kind}")
    return _KINDS[kind]


def _check_depth(depth: int) -> None:
    if depth < 0:
        raise ProtocolError(f"values more than {_MAX_DEPTH} deep in each other")


def message(name: str, kind: MessageKind, number: int, content: Fields) -> bytes:
    """The bytes of a message."""
    parts = [struct.pack(">HBB", _VERSION_1, 0, kind), _encoded(Kind.STRING, name.encode())]
    parts += [_encoded(Kind.I32, number), _encoded(Kind.STRUCT, content)]
    return b"".join(parts)


def _encoded(kind: Kind, value: Value) -> bytes:
    match value:
        case Elements(element_kind, values):
            head = struct.pack(">bi", element_kind, len(values))
            return head + b"".join(_encoded(element_kind, each) for each in values)
        case Fields(fields):
            parts = (
                struct.pack(">bh", of, number) + _encoded(of, each)
                for number, (of, each) in fields.items()
            )
            return b"".join(parts) + b"\0"
        case Texts(texts):
            head = struct.pack(">bbi", Kind.STRING, Kind.STRING, len(texts))
            words = (word for pair in texts.items() for word in pair)
            return head + b"".join(_encoded(Kind.STRING, word) for word in words)
        case bytes():
            return struct.pack(">i", len(value)) + value
        case bool():
            return b"\1" if value else b"\0"
        case _:
            return _NUMBERS[kind].pack(value)
