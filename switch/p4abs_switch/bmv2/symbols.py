"""Ids and aliases of a program's objects, as p4c gives them.

Source: p4c, control-plane/p4RuntimeSymbolTable.cpp.
"""

from collections import Counter
from collections.abc import Iterable

from finsy.proto import p4i

_ID_BITS = 24


def ids(kind: p4i.P4Ids.Prefix.ValueType, names: Iterable[str]) -> dict[str, int]:
    """The ids that p4c gives to objects of a kind, by their names.

    In the order of the names: a hash of the name or, if that is taken, the next number.
    """
    taken: dict[int, str] = {}
    for name in sorted(set(names)):
        number = _one_at_a_time(name.encode()) % (1 << _ID_BITS)
        while number in taken:
            number = (number + 1) % (1 << _ID_BITS)
        taken[number] = name
    return {name: kind << _ID_BITS | number for number, name in taken.items()}


def _one_at_a_time(text: bytes) -> int:
    """Bob Jenkins' hash of 32 bits."""
    hashed = 0
    for byte in text:
        hashed = _low(hashed + byte)
        hashed = _low(hashed + (hashed << 10))
        hashed ^= hashed >> 6
    hashed = _low(hashed + (hashed << 3))
    hashed ^= hashed >> 11
    return _low(hashed + (hashed << 15))


def _low(number: int) -> int:
    return number & 0xFFFF_FFFF


def aliases(names: Iterable[str]) -> dict[str, str]:
    """For each name, its shortest ending of whole words that no other name has."""
    endings = {name: _endings(name) for name in names}
    uses = Counter(ending for each in endings.values() for ending in each)
    return {
        name: next((ending for ending in each if uses[ending] == 1), name)
        for name, each in endings.items()
    }


def _endings(name: str) -> list[str]:
    words = name.split(".")
    return [".".join(words[start:]) for start in range(len(words) - 1, -1, -1)]
