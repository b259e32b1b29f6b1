"""Matches of translated key fields (P4Runtime 1.5, section 18.1).

They are exact, or the field does not care, whatever the kind of match: numbers of the controller
that a prefix, a mask or a range holds need not be so in the data plane.
"""

from finsy.proto import p4r

from p4abs_switch import bytestring
from p4abs_switch.engine_types import Match
from p4abs_switch.messages import values
from p4abs_switch.program.objects import KeyField, MatchKind
from p4abs_switch.program.translation import SdnNumbers
from p4abs_switch.status import invalid


def to_engine(part: KeyField, message: p4r.FieldMatch, what: str) -> Match:
    """The engine's match. Raises RequestError, as values.decode() and for one that is not exact."""
    given, is_exact = _given(part, message)
    if not is_exact:
        raise invalid(f"{what} is of a translated type: it is matched exactly, or omitted")
    value = bytestring.encode(values.decode(given, part, what))
    match part.kind:
        case MatchKind.EXACT:
            return ("exact", value)
        case MatchKind.LPM:
            return ("lpm", value, part.width_bits)
        case MatchKind.TERNARY | MatchKind.OPTIONAL:
            return ("ternary", value, bytestring.encode(_all_ones(part.width_bits)))
        case MatchKind.RANGE:
            return ("range", value, value)


def message(part: KeyField, reported: Match) -> p4r.FieldMatch:
    """The message of what the engine reports, which an entry of the program need not match so."""
    field = p4r.FieldMatch(field_id=part.id)
    match reported:
        case ("exact", value):
            field.exact.value = _encode(value, part)
        case ("lpm", value, length):
            field.lpm.value = _encode(value, part)
            field.lpm.prefix_len = max(0, _sdn_width(part) - part.width_bits + length)
        case ("ternary", value, _) if part.kind is MatchKind.OPTIONAL:
            field.optional.value = _encode(value, part)
        case ("ternary", value, mask):
            is_exact = mask == bytestring.encode(_all_ones(part.width_bits))
            field.ternary.value = _encode(value, part)
            field.ternary.mask = (
                bytestring.encode(_all_ones(_sdn_width(part))) if is_exact else mask
            )
        case ("range", low, high):
            field.range.low, field.range.high = _encode(low, part), _encode(high, part)
        case _:
            pass
    return field


def _given(part: KeyField, message: p4r.FieldMatch) -> tuple[bytes, bool]:
    """The value, and whether nothing else matches."""
    match part.kind:
        case MatchKind.EXACT:
            return message.exact.value, True
        case MatchKind.OPTIONAL:
            return message.optional.value, True
        case MatchKind.LPM:
            return message.lpm.value, message.lpm.prefix_len == _sdn_width(part)
        case MatchKind.TERNARY:
            mask = int.from_bytes(message.ternary.mask, "big")
            return message.ternary.value, mask == _all_ones(_sdn_width(part))
        case MatchKind.RANGE:
            low, high = message.range.low, message.range.high
            return low, bytestring.canonical(low) == bytestring.canonical(high)


def _encode(value: bytes, part: KeyField) -> bytes:
    return values.encode(int.from_bytes(value, "big"), part)


def _sdn_width(part: KeyField) -> int:
    return part.translation.width_bits if isinstance(part.translation, SdnNumbers) else 0


def _all_ones(width_bits: int) -> int:
    return (1 << width_bits) - 1
