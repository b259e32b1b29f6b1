"""The engine's keys in one way to say them, so that equal keys are equal tuples."""

from collections.abc import Sequence

from p4abs_switch import bytestring
from p4abs_switch.engine_types import Match

ANY: Match = ("any",)


def canonical_key(key: Sequence[Match], widths_bits: Sequence[int]) -> tuple[Match, ...]:
    """The same key with canonical byte strings and one way to say that a field does not care."""
    pairs = zip(key, widths_bits, strict=True)
    return tuple(_canonical(match, width_bits) for match, width_bits in pairs)


def _canonical(match: Match, width_bits: int) -> Match:
    match match:
        case ("lpm", _, 0):
            return ANY
        case ("lpm", value, length):
            return ("lpm", bytestring.canonical(value), length)
        case ("ternary", value, mask):
            mask = bytestring.canonical(mask)
            return ANY if mask == b"\0" else ("ternary", bytestring.canonical(value), mask)
        case ("range", low, high):
            low, high = bytestring.canonical(low), bytestring.canonical(high)
            everything = low == b"\0" and high == bytestring.encode((1 << width_bits) - 1)
            return ANY if everything else ("range", low, high)
        case ("exact", value):
            return ("exact", bytestring.canonical(value))
        case _:
            return ANY
