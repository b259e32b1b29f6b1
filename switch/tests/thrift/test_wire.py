"""Thrift's binary protocol: what is written is read, also by thriftpy2; hostile bytes are not."""

import asyncio
import contextlib
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from p4abs_switch.thrift.protocol.shapes import (
    I16,
    I32,
    I64,
    Binary,
    Bool,
    Double,
    Text,
    arguments_from_wire,
    fields_of,
    fields_to_wire,
)
from p4abs_switch.thrift.protocol.wire import (
    Elements,
    Fields,
    Kind,
    MessageKind,
    ProtocolError,
    Reader,
    message,
)
from thriftpy2.protocol.binary import read_message_begin, read_val
from thriftpy2.thrift import TType
from thriftpy2.transport import TMemoryBuffer

NUMBERS = {Kind.BYTE: 8, Kind.I16: 16, Kind.I32: 32, Kind.I64: 64}


def reading(data: bytes) -> Callable[[int], Awaitable[bytes]]:
    """Gives the bytes, and then none."""
    stream = asyncio.StreamReader()
    stream.feed_data(data)
    stream.feed_eof()
    return stream.read


def read(data: bytes) -> tuple[str, MessageKind, int, Fields]:
    async def result() -> tuple[str, MessageKind, int, Fields]:
        return await Reader(reading(data)).message()

    return asyncio.run(result())


def of_kind(kind: Kind, deeper: st.SearchStrategy) -> st.SearchStrategy:
    if kind in NUMBERS:
        half = 1 << (NUMBERS[kind] - 1)
        return st.integers(-half, half - 1)
    simple = {Kind.BOOL: st.booleans(), Kind.STRING: st.binary(max_size=20)}
    return simple.get(kind, st.floats(allow_nan=False)) if kind in SIMPLE else deeper


SIMPLE = [Kind.BOOL, Kind.STRING, Kind.DOUBLE, *NUMBERS]


def fields(values: st.SearchStrategy) -> st.SearchStrategy:
    numbers = st.integers(-(1 << 15), (1 << 15) - 1)
    return st.dictionaries(numbers, values, max_size=4).map(Fields)


SIMPLE_VALUES = st.sampled_from(SIMPLE).flatmap(
    lambda kind: st.tuples(st.just(kind), of_kind(kind, st.nothing()))
)
LISTS = st.sampled_from(SIMPLE).flatmap(
    lambda kind: st.lists(of_kind(kind, st.nothing()), max_size=4).map(
        lambda values: (Kind.LIST, Elements(kind, values))
    )
)
VALUES = st.recursive(
    SIMPLE_VALUES | LISTS,
    lambda inner: fields(inner).map(lambda struct: (Kind.STRUCT, struct)),
    max_leaves=10,
)


@settings(max_examples=200)
@given(st.text(max_size=10), st.integers(-(1 << 31), (1 << 31) - 1), fields(VALUES))
def test_a_message_is_read_as_it_was_written(name: str, number: int, content: Fields) -> None:
    data = message(name, MessageKind.REPLY, number, content)
    assert read(data) == (name, MessageKind.REPLY, number, content)


@settings(max_examples=50)
@given(st.lists(fields(VALUES), max_size=4), st.lists(st.integers(1, 30)))
def test_messages_are_read_one_after_the_other_in_whatever_pieces_they_come(
    contents: list[Fields], pieces: list[int]
) -> None:
    data = [message("call", MessageKind.CALL, n, each) for n, each in enumerate(contents)]
    stream = BytesIO(b"".join(data))
    lengths = iter(pieces)

    async def some(most: int) -> bytes:
        return stream.read(min(most, next(lengths, most)))

    async def messages() -> None:
        reader = Reader(some)
        for number, content in enumerate(contents):
            assert await reader.message() == ("call", MessageKind.CALL, number, content)
        assert not reader.is_ahead
        with pytest.raises(EOFError):
            await reader.message()

    asyncio.run(messages())


def test_each_message_may_have_as_many_values_as_one_and_what_follows_it_is_known_to_be_there() -> (
    None
):
    many = Fields({1: (Kind.LIST, Elements(Kind.BOOL, [True] * 10_000))})
    data = message("call", MessageKind.CALL, 1, many)

    async def messages() -> None:
        reader = Reader(reading(data * 2))
        for is_ahead in (True, False):
            assert (await reader.message())[3] == many
            assert reader.is_ahead is is_ahead

    asyncio.run(messages())


@dataclass(frozen=True, slots=True)
class Everything:
    is_so: Bool
    small: I16
    middle: I32
    large: I64
    real: Double
    text: Text
    data: Binary
    several: list[I32]
    texts: dict[str, str]
    optional: I32 | None = None


SPEC = {
    1: (TType.BOOL, "is_so", False),
    2: (TType.I16, "small", False),
    3: (TType.I32, "middle", False),
    4: (TType.I64, "large", False),
    5: (TType.DOUBLE, "real", False),
    6: (TType.STRING, "text", False),
    7: (TType.BINARY, "data", False),
    8: (TType.LIST, "several", TType.I32, False),
    9: (TType.MAP, "texts", (TType.STRING, TType.STRING), False),
    10: (TType.I32, "optional", False),
}


def test_another_implementation_reads_the_same() -> None:
    written = Everything(
        True, -2, 1 << 30, -(1 << 62), 0.25, "Käse", b"\xff\0", [1, -1], {"a": "é", "": ""}
    )
    data = message("call", MessageKind.CALL, 7, fields_to_wire(written))
    buffer = TMemoryBuffer(data)
    assert read_message_begin(buffer) == ("call", MessageKind.CALL, 7)

    class Struct:
        thrift_spec = SPEC

    found = read_val(buffer, TType.STRUCT, Struct)
    expected = {name: getattr(written, name) for name in written.__slots__ if name != "optional"}
    assert vars(found) == expected


def test_what_is_left_out_is_zero_empty_or_none_and_what_is_unknown_is_left_aside() -> None:
    unknown = Fields({99: (Kind.I32, 1)})
    arguments = arguments_from_wire(fields_of(Everything), unknown)
    assert Everything(**arguments) == Everything(False, 0, 0, 0, 0.0, "", b"", [], {})


def test_whole_numbers_are_cut_off_to_their_width() -> None:
    written = Everything(False, 1 << 15, (1 << 31) + 1, 1 << 63, 0.0, "", b"", [], {})
    found = fields_to_wire(written).values
    assert [found[n][1] for n in (2, 3, 4)] == [-(1 << 15), 1 - (1 << 31), -(1 << 63)]


@pytest.mark.parametrize(
    ("number", "value"),
    [(1, (Kind.I32, 1)), (6, (Kind.STRING, b"\xff")), (8, (Kind.LIST, Elements(Kind.I64, [1])))],
)
def test_a_value_of_another_kind_is_refused_by_its_name(number: int, value: object) -> None:
    name = fields_of(Everything)[number - 1].name
    with pytest.raises(ProtocolError, match=name):
        arguments_from_wire(fields_of(Everything), Fields({number: value}))  # type: ignore[dict-item]


def begun(kind: int, rest: bytes) -> bytes:
    """A call whose first field is of this kind."""
    return (
        message("call", MessageKind.CALL, 1, Fields({}))[:-1] + struct.pack(">bh", kind, 1) + rest
    )


MANY = struct.pack(">i", 2**31 - 1)
HOSTILE = {
    "no Thrift": b"GET / HTTP/1.1\r\n\r\n",
    "no version": struct.pack(">i", 4) + b"call",
    "a kind of message that there is not": struct.pack(">HBB", 0x8001, 0, 9) + bytes(20),
    "a name that is no text": struct.pack(">HBBi", 0x8001, 0, 1, 1) + b"\xff" + bytes(5),
    "a name of less than no bytes": struct.pack(">HBBi", 0x8001, 0, 1, -1) + bytes(20),
    "a kind of value that there is not": begun(99, bytes(20)),
    "a string of less than no bytes": begun(Kind.STRING, struct.pack(">i", -5)),
    "a string without end": begun(Kind.STRING, MANY),
    "a list of less than nothing": begun(Kind.LIST, bytes([Kind.I32]) + struct.pack(">i", -1)),
    "a map": begun(Kind.MAP, bytes(10)),
    "a struct of many fields": begun(
        Kind.STRUCT,
        b"".join(struct.pack(">bHb", Kind.BOOL, number, 0) for number in range(1 << 15)),
    ),
    "structs in structs": begun(Kind.STRUCT, struct.pack(">bh", Kind.STRUCT, 1) * 5000),
    "lists in lists": begun(Kind.LIST, (bytes([Kind.LIST]) + struct.pack(">i", 1)) * 5000),
    **{
        f"a list of {kind} without end": begun(Kind.LIST, bytes([kind]) + MANY)
        for kind in (0, 1, 2, 7, 8, 11, 12, 15)
    },
    "many lists of many values": begun(
        Kind.LIST,
        bytes([Kind.LIST])
        + struct.pack(">i", 1 << 10)
        + (bytes([Kind.BOOL]) + struct.pack(">i", 1 << 10) + bytes(1 << 10)) * (1 << 10),
    ),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bytes_are_refused_after_little_of_them(data: bytes) -> None:
    taken = 0

    async def counted(read_bytes: Callable[[int], Awaitable[bytes]]) -> None:
        async def counting(_most: int) -> bytes:
            nonlocal taken
            taken += 1
            return await read_bytes(1)

        await Reader(counting).message()

    async def refused() -> None:
        with pytest.raises(ProtocolError):
            await counted(reading(data))

    asyncio.run(refused())
    assert taken < 100_000


@settings(max_examples=300)
@given(st.binary(max_size=60), st.booleans())
def test_any_bytes_are_a_message_or_refused(data: bytes, begins_well: bool) -> None:
    if begins_well:
        data = message("c", MessageKind.CALL, 1, Fields({}))[:-1] + data
    with contextlib.suppress(ProtocolError, EOFError):
        read(data)
