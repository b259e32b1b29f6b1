"""Values as tests write them, to those of the engine."""

from p4abs_switch.bytestring import encode
from p4abs_switch.engine_types import Match
from p4abs_switch.stf.errors import StfError

_BITS_PER_DIGIT = {"0x": 4, "0o": 3, "0b": 1}


def number(text: str) -> int:
    """A number without wildcards. Raises StfError."""
    try:
        return int(text, 10 if text.isdigit() else 0)
    except ValueError:
        raise StfError(f"{text} is not a number") from None


def match(kind: str, text: str, width_bits: int) -> Match:
    """A key field's match of BMv2's kind. Raises StfError."""
    if kind == "exact":
        return ("exact", encode(number(text)))
    if kind == "lpm":
        return _lpm(text, width_bits)
    if kind == "range":
        low, _, high = text.partition("->")
        return ("range", encode(number(low)), encode(number(high or low)))
    value, mask = _masked(text, width_bits)
    return ("ternary", encode(value & mask), encode(mask))


def _lpm(text: str, width_bits: int) -> Match:
    digits, sign, written = text.partition("/")
    if sign:
        value, length = number(digits), number(written)
    elif digits[:2].lower() in _BITS_PER_DIGIT:
        value, mask = _masked(digits, width_bits)
        length = mask.bit_count()
    else:
        value, length = number(digits), width_bits
    if length > width_bits:
        raise StfError(f"{text}: prefix length {length}; valid: 0 to {width_bits}")
    mask = (1 << width_bits) - (1 << (width_bits - length))
    return ("lpm", encode(value & mask), length)


def _masked(text: str, width_bits: int) -> tuple[int, int]:
    """Value and mask: `*` is a digit that may be anything, and so are digits not written."""
    digits, sign, mask = text.partition("&&&")
    if sign:
        return number(digits), number(mask)
    prefix = digits[:2].lower()
    if prefix not in _BITS_PER_DIGIT:
        return number(digits), (1 << width_bits) - 1
    ones = {"0x": "f", "0o": "7", "0b": "1"}[prefix]
    wildcard = "".join("0" if digit == "*" else ones for digit in digits[2:])
    return number(digits.replace("*", "0")), number(prefix + wildcard)
