"""Answers in the order of the request are decoded in arrays, and as protobuf decodes them."""

from collections.abc import Sequence
from random import Random

import pytest
from finsy.proto import p4d, p4r
from p4abs.access.program import load_program
from p4abs.access.register_cells import (
    Cell,
    Cells,
    bitstring,
    parsed,
    register_entity,
    update_head,
)
from p4abs.access.register_reader import RegisterReader

REGISTERS = (369098753, 369098770, 1)
CELLS = [(register, index) for index in (0, 1, 127, 128, 511, 70_000) for register in REGISTERS]


def answer(cells: Sequence[Cell], values: Sequence[bytes]) -> bytes:
    entities = [register_entity(*cell) for cell in cells]
    for entity, value in zip(entities, values, strict=True):
        entity.register_entry.data.bitstring = value
    return p4r.ReadResponse(entities=entities).SerializeToString()


def random_values(seed: int) -> list[bytes]:
    generator = Random(seed)
    return [generator.randbytes(generator.randint(1, 8)) for _ in CELLS]


@pytest.mark.parametrize("seed", range(5))
def test_values_of_any_size_are_those_that_protobuf_reads(seed: int) -> None:
    answered = answer(CELLS, random_values(seed))
    assert Cells(CELLS).values(answered).tolist() == [*parsed(answered).values()]


def test_the_largest_and_the_smallest_are_whole() -> None:
    values = [b"\0", b"\xff" * 8, b"\x80" + bytes(7)]
    assert Cells(CELLS[:3]).values(answer(CELLS[:3], values)).tolist() == [0, 2**64 - 1, 2**63]


@pytest.mark.parametrize(
    "other",
    [
        answer([CELLS[1], CELLS[0], *CELLS[2:]], random_values(1)),
        answer(CELLS[:-1], random_values(1)[:-1]),
        answer([*CELLS, (1, 5)], [*random_values(1), b"\1"]),
        answer(CELLS, [b"\1" * 9, *random_values(1)[1:]]),
        answer(CELLS, [b"", *random_values(1)[1:]]),
        answer(CELLS, random_values(1))[:-1],
        answer(CELLS, random_values(1)) + b"\x12\x00",
        b"\x12\x00" + answer(CELLS, random_values(1)),
        p4r.ReadResponse(
            entities=[
                p4r.Entity(
                    register_entry=p4r.RegisterEntry(
                        register_id=register,
                        index=p4r.Index(index=index),
                        data=p4d.P4Data(enum="name"),
                    )
                )
                for register, index in CELLS
            ]
        ).SerializeToString(),
        b"",
    ],
    ids=["order", "less", "more", "long", "empty", "cut", "behind", "before", "kind", "nothing"],
)
def test_any_other_answer_is_left_to_protobuf(other: bytes) -> None:
    assert Cells(CELLS).values(other) is None


def test_no_answer_is_taken_for_another_one() -> None:
    """Whatever byte is changed: what comes out is what protobuf reads, or nothing."""
    cells = Cells(CELLS[:3])
    whole = answer(CELLS[:3], [b"\1\2", b"\3", b"\4" * 8])
    for position in range(len(whole)):
        for value in range(256):
            changed = whole[:position] + bytes([value]) + whole[position + 1 :]
            values = cells.values(changed)
            assert values is None or values.tolist() == [*parsed(changed).values()]


def test_no_cells_are_answered_by_nothing() -> None:
    assert Cells([]).values(b"").tolist() == []
    assert Cells([]).values(answer(CELLS, random_values(1))) is None


@pytest.mark.parametrize("value", [0, 1, 255, 256, 2**40, 2**64 - 1])
def test_a_prepared_update_is_that_of_protobuf(value: int) -> None:
    data = bitstring(value)
    prepared = b"".join(update_head(cell, len(data)) + data for cell in CELLS)
    updates = p4r.WriteRequest.FromString(prepared).updates
    assert [each.type for each in updates] == [p4r.Update.MODIFY] * len(CELLS)
    told = p4r.ReadResponse(entities=[each.entity for each in updates]).SerializeToString()
    assert parsed(told) == dict.fromkeys(CELLS, value)


class Answers:
    """A switch's connection: cells of the ports asked for, each a value, `changed` by the test."""

    def __init__(self, changed) -> None:
        self._changed = changed

    def read_request(self, entities) -> bytes:
        return p4r.ReadRequest(entities=entities).SerializeToString()

    async def read_partly(self, request: bytes, _timeout_s: float):
        answer = p4r.ReadResponse(entities=p4r.ReadRequest.FromString(request).entities)
        for entity in answer.entities:
            entry = entity.register_entry
            entry.data.bitstring = bytes([entry.register_id % 256, entry.index.index])
        return p4r.ReadResponse(entities=self._changed([*answer.entities])).SerializeToString(), {}


async def read(ports: Sequence[int], changed):
    return await RegisterReader(Answers(changed), load_program("queue")).read(ports)


@pytest.mark.parametrize("count", [1, 3, 20])
async def test_registers_are_told_apart_in_whatever_order_they_come(count: int) -> None:
    ports = range(1, 1 + count)
    in_order, refused = await read(ports, lambda entities: entities)
    mixed, _ = await read(ports, lambda entities: Random(5).sample(entities, len(entities)))
    assert in_order.by_port() == mixed.by_port()
    ids = load_program("queue").register_ids()
    assert in_order.by_port() == {
        port: {name: number % 256 * 256 + port for name, number in ids.items()} for port in ports
    }
    assert not refused


@pytest.mark.parametrize("count", [3, 20])
async def test_a_value_that_looks_like_a_cell_is_read(count: int) -> None:
    value = bytes.fromhex("01 0a 07 5a 05 08 01")

    def alike(entities):
        entities[1].register_entry.data.bitstring = value
        return entities

    registers, refused = await read(range(1, 1 + count), alike)
    assert int.from_bytes(value) in registers.by_port()[1].values()
    assert registers.ports == [*range(1, 1 + count)]
    assert not refused


@pytest.mark.parametrize("count", [3, 20])
async def test_a_value_that_no_register_holds_fails_its_port_alone(count: int) -> None:
    def too_long(entities):
        entities[0].register_entry.data.bitstring = b"\1" * 9
        return entities

    registers, refused = await read(range(1, 1 + count), too_long)
    assert registers.ports == [*range(2, 1 + count)]
    assert refused.keys() == {1}
