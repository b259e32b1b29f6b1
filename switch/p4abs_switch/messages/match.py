"""Match keys between FieldMatch messages and the engine (P4Runtime 1.5, section 9.1.1).

The engine wants one match per key field, in order; a message omits the fields that do not care.
Both ways the values are canonical byte strings, so equal keys are equal tuples.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from finsy.proto import p4r

from p4abs_switch import bytestring
from p4abs_switch.canonical_key import ANY, canonical_key
from p4abs_switch.engine_types import Match
from p4abs_switch.messages import numbers, translated_match
from p4abs_switch.program.loaded_program import Key
from p4abs_switch.program.objects import KeyField, MatchKind, Table, ValueSet
from p4abs_switch.status import invalid

Owner: TypeAlias = Table | ValueSet


def key(owner: Owner, matches: Iterable[p4r.FieldMatch]) -> Key:
    """The key that the messages describe.

    Raises RequestError INVALID_ARGUMENT for a match that the specification forbids and
    OUT_OF_RANGE for a value that does not fit; both name table and field.
    """
    given = _by_field(owner, matches)
    return tuple(_engine_match(owner, part, given.get(part.id)) for part in owner.key)


def messages(owner: Owner, engine_key: Sequence[Match]) -> list[p4r.FieldMatch]:
    """The messages of a key; fields that do not care are left out."""
    parts = zip(owner.key, canonical(owner, engine_key), strict=True)
    return [_message(part, match) for part, match in parts if match != ANY]


def canonical(owner: Owner, engine_key: Sequence[Match]) -> Key:
    """The same key with canonical byte strings and one way to say that a field does not care."""
    return canonical_key(engine_key, [part.width_bits for part in owner.key])


def _by_field(owner: Owner, matches: Iterable[p4r.FieldMatch]) -> dict[int, p4r.FieldMatch]:
    valid = {part.id: part for part in owner.key}
    given: dict[int, p4r.FieldMatch] = {}
    for match in matches:
        if match.field_id not in valid:
            names = ", ".join(
                f"{part.id} ({part.name})" if part.name else str(part.id) for part in owner.key
            )
            raise invalid(
                f"{owner.what} has no key field {match.field_id}; valid: {names or 'none'}"
            )
        if match.field_id in given:
            raise invalid(f"{_what(owner, valid[match.field_id])} is given twice")
        given[match.field_id] = match
    return given


def _engine_match(owner: Owner, part: KeyField, message: p4r.FieldMatch | None) -> Match:
    what = _what(owner, part)
    if message is None:
        if part.kind is MatchKind.EXACT:
            raise invalid(f"{what} is missing; an exact match cannot be omitted")
        return ANY
    given = message.WhichOneof("field_match_type")
    if given != part.kind.value:
        raise invalid(f"{what} is matched {part.kind.value}, not {given or 'without a type'}")
    if part.translation is not None:
        return translated_match.to_engine(part, message, what)
    match part.kind:
        case MatchKind.EXACT:
            return ("exact", _value(message.exact.value, part, what))
        case MatchKind.LPM:
            return _lpm(message.lpm, part, what)
        case MatchKind.TERNARY:
            return _ternary(message.ternary, part, what)
        case MatchKind.RANGE:
            return _range(message.range, part, what)
        case MatchKind.OPTIONAL:
            value = _value(message.optional.value, part, what)
            return ("ternary", value, bytestring.encode(_all_ones(part)))


def _lpm(message: p4r.FieldMatch.LPM, part: KeyField, what: str) -> Match:
    value = numbers.decode(message.value, part.width_bits, what)
    if not 0 < message.prefix_len <= part.width_bits:
        raise invalid(
            f"{what} has prefix length {message.prefix_len}; valid: 1 to {part.width_bits}"
            " (omit the field to match anything)"
        )
    if value & ((1 << (part.width_bits - message.prefix_len)) - 1):
        raise invalid(f"{what} is {value:#x}, with bits set below /{message.prefix_len}")
    return ("lpm", bytestring.encode(value), message.prefix_len)


def _ternary(message: p4r.FieldMatch.Ternary, part: KeyField, what: str) -> Match:
    value = numbers.decode(message.value, part.width_bits, what)
    mask = numbers.decode(message.mask, part.width_bits, f"mask of {what}")
    if mask == 0:
        raise invalid(f"mask of {what} is zero; omit the field to match anything")
    if value & ~mask:
        raise invalid(f"{what} is {value:#x}, with bits set outside mask {mask:#x}")
    return ("ternary", bytestring.encode(value), bytestring.encode(mask))


def _range(message: p4r.FieldMatch.Range, part: KeyField, what: str) -> Match:
    low = numbers.decode(message.low, part.width_bits, f"low end of {what}")
    high = numbers.decode(message.high, part.width_bits, f"high end of {what}")
    if low > high:
        raise invalid(f"{what} ranges from {low:#x} down to {high:#x}")
    if low == 0 and high == _all_ones(part):
        raise invalid(f"{what} ranges over all values; omit the field to match anything")
    return ("range", bytestring.encode(low), bytestring.encode(high))


def _message(part: KeyField, match: Match) -> p4r.FieldMatch:
    if part.translation is not None:
        return translated_match.message(part, match)
    message = p4r.FieldMatch(field_id=part.id)
    match match:
        case ("exact", value):
            message.exact.value = value
        case ("lpm", value, length):
            message.lpm.value, message.lpm.prefix_len = value, length
        case ("ternary", value, _) if part.kind is MatchKind.OPTIONAL:
            message.optional.value = value
        case ("ternary", value, mask):
            message.ternary.value, message.ternary.mask = value, mask
        case ("range", low, high):
            message.range.low, message.range.high = low, high
        case _:
            pass
    return message


def _value(value: bytes, part: KeyField, what: str) -> bytes:
    return bytestring.encode(numbers.decode(value, part.width_bits, what))


def _all_ones(part: KeyField) -> int:
    return (1 << part.width_bits) - 1


def _what(owner: Owner, part: KeyField) -> str:
    return f"key field {part.name or part.id} of {owner.what}"
