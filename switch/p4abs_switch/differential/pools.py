"""Small pools of values, from which packets and table entries of one case both draw, so that they
match."""

from collections.abc import Iterator
from random import Random
from typing import Any

PORTS = (0, 1, 2, 3)
_CONSTANTS_PER_POOL = 2
_RANDOM_PER_POOL = 1


class Pools:
    """A few values per field, chosen once per case, with the program's own constants among them."""

    def __init__(self, random: Random, document: Any) -> None:
        self._random = random
        self._constants = sorted(_constants(document))
        self._pools: dict[str, list[int]] = {}

    def value(self, field: str, width_bits: int) -> int:
        """A value of a field, mostly one it has had before."""
        if self._random.random() < 0.1:
            return self._random.getrandbits(width_bits)
        if field not in self._pools:
            self._pools[field] = self._new_pool(width_bits)
        return self._random.choice(self._pools[field])

    def _new_pool(self, width_bits: int) -> list[int]:
        most = (1 << width_bits) - 1
        fitting = [value for value in self._constants if value <= most]
        drawn = self._random.sample(fitting, min(_CONSTANTS_PER_POOL, len(fitting)))
        pool = [*drawn, self._random.choice((0, 1, most))]
        if width_bits == 9:
            pool += self._random.sample(PORTS, 2)
        return pool + [self._random.getrandbits(width_bits) for _ in range(_RANDOM_PER_POOL)]


def _constants(document: Any) -> set[int]:
    """All numbers of a program's expressions and transitions."""
    objects = (part for part in _parts(document) if isinstance(part, dict))
    values = (each.get("value") for each in objects if each.get("type") == "hexstr")
    return {abs(int(value, 16)) for value in values if isinstance(value, str)}


def uses(document: Any, *words: str) -> str | None:
    """The first of the words that a program uses, rather than declares."""
    used = {k: part for k, part in document.items() if k not in ("field_aliases", "header_types")}
    return next((part for part in _parts(used) if part in words), None)


def _parts(document: Any) -> Iterator[Any]:
    """All objects and values, in their order; Python's own stack is too small for long sums."""
    waiting = [document]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(reversed(part))
            continue
        yield part
        if isinstance(part, dict):
            waiting.extend(reversed(part.values()))
