"""Longest prefixes of fields whose widths are no whole bytes, written over P4Runtime.

BMv2 1.15.5 refuses them over P4Runtime, and over Thrift counts a prefix from the first bit of the
first byte: docs/conformance.md.
"""

from random import Random

import pytest

from .conftest import PROGRAMS
from .controller import pipeline_config
from .entities import Entities, lpm
from .model import Model

WIDTHS_BITS = {"nine": 9, "twenty": 20, "thirty_three": 33, "two": 2}
TABLES = {field: f"{field}s" for field in WIDTHS_BITS} | {"twenty": "twenties"}
NONE = 0


@pytest.mark.parametrize("field", WIDTHS_BITS)
def test_the_longest_prefix_is_found(field: str) -> None:
    config = pipeline_config(PROGRAMS / "prefixes_of_part_bytes.json")
    model, entities = Model(config), Entities(config.p4info)
    random, width = Random(field), WIDTHS_BITS[field]
    prefixes = {
        (random.getrandbits(width) >> width - length << width - length, length)
        for length in [*range(1, width + 1)] * 3
    }
    for number, (value, length) in enumerate(sorted(prefixes), start=1):
        model.insert(entities.entry(TABLES[field], [lpm(1, value, length)], field, number))
    for value in {*(random.getrandbits(width) for _ in range(200)), *(v for v, _ in prefixes)}:
        assert found(model, field, value) == longest(sorted(prefixes), value, width)


def longest(prefixes: list[tuple[int, int]], value: int, width: int) -> int:
    """The number of the entry, from 1."""
    fits = [
        (length, number)
        for number, (prefix, length) in enumerate(prefixes, start=1)
        if value >> width - length == prefix >> width - length
    ]
    return max(fits, default=(0, NONE))[1]


def found(model: Model, field: str, value: int) -> int:
    """What the frame tells that leaves."""
    behind = 0
    for other in reversed(WIDTHS_BITS):
        if other == field:
            break
        behind += WIDTHS_BITS[other]
    keys = (value << behind).to_bytes(8, "big")
    at_ns = model.switch.now_us() * 1_000
    model.switch.inject(2, keys + bytes(52), at_ns)
    [(_, _, frame)] = model.switch.run_until(at_ns)
    return int(frame[8 + list(WIDTHS_BITS).index(field)])
