"""Values as tests write them, to numbers."""

from p4abs_switch.bytestring import parsed
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.matches import Numbers
from p4abs_switch.stf.errors import StfError

_BITS_PER_DIGIT = {"0x": 4, "0o": 3, "0b": 1}


def number(text: str) -> int:
    """A number without wildcards. Raises StfError."""
    try:
        return int(text) if text.isascii() and text.isdigit() else parsed(text)
    except ValueError:
        raise StfError(f"{text} is not a number") from None


def match(field: p4i.MatchField, text: str) -> Numbers:
    """What a key field is matched with. Raises StfError."""
    match field.match_type:
        case p4i.MatchField.EXACT:
            return (number(text),)
        case p4i.MatchField.LPM:
            return _lpm(text, field.bitwidth)
        case p4i.MatchField.RANGE:
            low, _, high = text.partition("->")
            return number(low), number(high or low)
    return _masked(text, field.bitwidth)


def _lpm(text: str, width_bits: int) -> Numbers:
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
    return value, length


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
