"""Small pools of values, from which packets and table entries of one case both draw, so that they
match."""

import json
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


def _constants(node: Any) -> set[int]:
    """All numbers of a program's expressions and transitions."""
    if isinstance(node, dict):
        if node.get("type") == "hexstr" and isinstance(node.get("value"), str):
            return {abs(int(node["value"], 16))}
        return set().union(*map(_constants, node.values()))
    if isinstance(node, list):
        return set().union(*map(_constants, node))
    return set()


def load_document(program: bytes) -> Any:
    """A program's JSON."""
    return json.loads(program)


def uses(document: Any, *words: str) -> str | None:
    """The first of the words that a program uses, rather than declares."""
    used = {k: part for k, part in document.items() if k not in ("field_aliases", "header_types")}
    return _found(used, words)


def _found(node: Any, words: tuple[str, ...]) -> str | None:
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list):
        return next(filter(None, (_found(part, words) for part in node)), None)
    return node if node in words else None
