"""Cells of registers in Reads and Writes of RegisterEntry (P4Runtime specification, section 9.7).

An answer of 1900 cells takes protobuf's messages 3 ms to hand out one by one, and arrays 0.1 ms. A
switch that answers in the order of the request repeats the requested bytes and adds values. So
these bytes are compared, not parsed. Protobuf parses any other answer.
"""

from collections.abc import Sequence

import numpy as np
from finsy.proto import p4r
from numpy.typing import NDArray

Cell = tuple[int, int]
"""A register's id and an index."""
Values = NDArray[np.uint64]

_VALUE_BYTES = 8
_WORD_BYTES = 8
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(1 + _VALUE_BYTES)], np.uint64)
# How a cell begins: the keys of `ReadResponse.entities`, `Entity.register_entry` and
# `RegisterEntry.register_id`, with a length of one byte between them.
_ENTITIES, _REGISTER_ENTRY, _REGISTER_ID = 0x0A, 0x5A, 0x08


class Cells:
    """Some cells, in order."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.entities = [register_entity(*cell) for cell in cells]
        short, long = (_heads(self.entities, value) for value in (b"\0", b"\0\0"))
        self._sizes = np.array([*map(len, short)], np.intp)
        # All bytes of a head are in three words, which may overlap. Some bytes count what follows.
        last = self._sizes - _WORD_BYTES
        self._words = [
            (places, _words(short, places), _words(long, places) - _words(short, places))
            for places in (0 * last, last // 2, last)
        ]

    def values(self, answer: bytes) -> Values | None:
        """What a ReadResponse has for the cells; None: it is no such answer, in no such order."""
        if not self.entities:
            return None if answer else np.zeros(0, np.uint64)
        begins = _begins(answer)
        if len(begins) != len(self.entities) or begins[0]:
            return None
        ends = np.append(begins[1:], len(answer))
        sizes = ends - begins - self._sizes
        if sizes.min() < 1 or sizes.max() > _VALUE_BYTES:
            return None
        words = np.ndarray((len(answer) - _WORD_BYTES + 1,), "<u8", answer, strides=(1,))
        more = (sizes - 1).astype(np.uint64)
        for places, heads, growth in self._words:
            if not np.array_equal(words[begins + places], heads + growth * more):
                return None
        values: Values = words[ends - _WORD_BYTES].byteswap() & _MASKS[sizes]
        return values


def parsed(answer: bytes) -> dict[Cell, int]:
    """The cells of any ReadResponse, as far as their values have 64 bits at most."""
    entries = [each.register_entry for each in p4r.ReadResponse.FromString(answer).entities]
    return {
        (entry.register_id, entry.index.index): int.from_bytes(entry.data.bitstring)
        for entry in entries
        if len(entry.data.bitstring) <= _VALUE_BYTES
    }


def register_entity(register_id: int, index: int) -> p4r.Entity:
    """One element of a register, as reads and writes name it."""
    entry = p4r.RegisterEntry(register_id=register_id, index=p4r.Index(index=index))
    return p4r.Entity(register_entry=entry)


def update_head(cell: Cell, size: int) -> bytes:
    """What stands in a WriteRequest before the new value of a cell, which has so many bytes."""
    update = p4r.Update(type=p4r.Update.MODIFY, entity=register_entity(*cell))
    update.entity.register_entry.data.bitstring = bytes(size)
    return p4r.WriteRequest(updates=[update]).SerializeToString()[:-size]


def bitstring(value: int) -> bytes:
    """The canonical form of a number of at most 64 bits (P4Runtime specification, section 8.3)."""
    return value.to_bytes((value.bit_length() + 7) // 8 or 1)


def _begins(answer: bytes) -> NDArray[np.intp]:
    """Where cells begin; also where a value looks like the beginning of one."""
    answered = np.frombuffer(answer, np.uint8)
    found: NDArray[np.intp] = np.flatnonzero(
        (answered[:-4] == _ENTITIES)
        & (answered[2:-2] == _REGISTER_ENTRY)
        & (answered[4:] == _REGISTER_ID)
    )
    begins: NDArray[np.intp] = found[answered[found + 1] == answered[found + 3] + 2]
    return begins


def _heads(entities: Sequence[p4r.Entity], value: bytes) -> list[bytes]:
    """What stands before values of this size in an answer."""
    heads = []
    for entity in entities:
        answered = p4r.Entity.FromString(entity.SerializeToString())
        answered.register_entry.data.bitstring = value
        answer = p4r.ReadResponse(entities=[answered]).SerializeToString()
        heads.append(answer.removesuffix(value))
    return heads


def _words(heads: Sequence[bytes], places: NDArray[np.intp]) -> NDArray[np.uint64]:
    words = [head[at : at + _WORD_BYTES] for head, at in zip(heads, places.tolist(), strict=True)]
    return np.frombuffer(b"".join(words), "<u8")
