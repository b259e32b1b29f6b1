"""Keys of entries, in numbers: a value; value and prefix length; value and mask; low and high end.

P4Runtime leaves out don't-care fields. In P4Runtime the highest priority wins, in BMv2 the lowest
one. So a priority p becomes 2^31 - 1 - p, as in BMv2's own P4Runtime server.
"""

from collections.abc import Sequence
from typing import TypeAlias

from p4abs_switch.bytestring import encode
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r

HIGHEST_PRIORITY = 2**31 - 1
Numbers: TypeAlias = tuple[int, ...]
"""What a field of a key is matched with: one number where it is exact, else two."""

_Kind = p4i.MatchField.MatchType


class _Kinds:
    """Kept here because looking up a message's constants is slow."""

    EXACT, LPM, TERNARY = _Kind.EXACT, _Kind.LPM, _Kind.TERNARY
    RANGE, OPTIONAL = _Kind.RANGE, _Kind.OPTIONAL


_WITH_PRIORITY = frozenset({_Kinds.TERNARY, _Kinds.RANGE, _Kinds.OPTIONAL})


def has_priority(table: p4i.Table) -> bool:
    """Whether entries of the table have a priority."""
    return not _WITH_PRIORITY.isdisjoint([field.match_type for field in table.match_fields])


def entry_of_key(table: p4i.Table, key: Sequence[Numbers], priority: int) -> p4r.TableEntry:
    """An entry without an action; priority: BMv2's, if the table has them. Raises InputError."""
    if len(key) != len(table.match_fields):
        wrong = wrong_number(len(key), "key field", key_text(table))
        raise InputError(f"table {table.preamble.name}: {wrong}")
    matches = map(match_of, table.match_fields, key)
    given = [match for match in matches if match is not None]
    entry = p4r.TableEntry(table_id=table.preamble.id, match=given)
    if has_priority(table):
        if not 0 <= priority < HIGHEST_PRIORITY:
            raise InputError(f"priority {priority}; valid: 0 to {HIGHEST_PRIORITY - 1}")
        entry.priority = HIGHEST_PRIORITY - priority
    return entry


def priority_of(entry: p4r.TableEntry) -> int:
    """An entry's priority as BMv2 counts it."""
    return HIGHEST_PRIORITY - entry.priority


def match_of(field: p4i.MatchField, numbers: Numbers) -> p4r.FieldMatch | None:
    """A field as P4Runtime matches it, without the bits that a mask or a prefix leaves out; None:
    it does not care. Raises InputError."""
    width, number = field.bitwidth, field.id
    ones = (1 << width) - 1
    match (field.match_type, *numbers):
        case (_Kinds.EXACT, value):
            exact = p4r.FieldMatch.Exact(value=encode(value))
            return p4r.FieldMatch(field_id=number, exact=exact)
        case (_Kinds.LPM, _, length) if not 0 <= length <= width:
            raise InputError(f"prefix length {length} of {field.name}; valid: 0 to {width}")
        case (_Kinds.LPM, value, length):
            prefix = encode(value & ~(ones >> length))
            lpm = p4r.FieldMatch.LPM(value=prefix, prefix_len=length)
            return p4r.FieldMatch(field_id=number, lpm=lpm) if length else None
        case (_Kinds.TERNARY, value, mask):
            ternary = p4r.FieldMatch.Ternary(value=encode(value & mask), mask=encode(mask))
            return p4r.FieldMatch(field_id=number, ternary=ternary) if mask else None
        case (_Kinds.OPTIONAL, value, mask) if mask in (0, ones):
            optional = p4r.FieldMatch.Optional(value=encode(value))
            return p4r.FieldMatch(field_id=number, optional=optional) if mask else None
        case (_Kinds.OPTIONAL, _, mask):
            raise InputError(f"{field.name} is optional: mask {mask:#x}; valid: 0 or all ones")
        case (_Kinds.RANGE, low, high):
            between = p4r.FieldMatch.Range(low=encode(low), high=encode(high))
            everything = (low, high) == (0, ones)
            return None if everything else p4r.FieldMatch(field_id=number, range=between)
    raise InputError(
        f"{field.name}: {len(numbers)} numbers do not make a match of the kind {kind_name(field)}"
    )


def numbers_of(field: p4i.MatchField, entry: p4r.TableEntry) -> Numbers:
    """What a field of an entry's key is matched with; nothing where it is of an unknown kind."""
    found = next((match for match in entry.match if match.field_id == field.id), None)
    return numbers_in(field, found)


def numbers_in(field: p4i.MatchField, found: p4r.FieldMatch | None) -> Numbers:
    """What a match says; None: that the field does not care."""
    ones = (1 << field.bitwidth) - 1
    match = found or p4r.FieldMatch()
    match field.match_type:
        case _Kinds.EXACT:
            return (_number(match.exact.value),)
        case _Kinds.LPM:
            return _number(match.lpm.value), match.lpm.prefix_len
        case _Kinds.TERNARY:
            return _number(match.ternary.value), _number(match.ternary.mask)
        case _Kinds.OPTIONAL:
            return _number(match.optional.value), ones if found else 0
        case _Kinds.RANGE:
            return _number(match.range.low), _number(match.range.high) if found else ones
        case _:
            return ()


def key_text(table: p4i.Table) -> str:
    """The key's fields, as `show_tables` names them."""
    return ",\t".join(
        f"{field.name}({kind_name(field)}, {field.bitwidth})" for field in table.match_fields
    )


def kind_name(field: p4i.MatchField) -> str:
    """exact, lpm, ternary or range; of others the name or the number in the P4Info.

    Optional fields are ternary ones to BMv2.
    """
    if field.match_type == p4i.MatchField.OPTIONAL:
        return "ternary"
    if field.WhichOneof("match") == "other_match_type":
        return field.other_match_type
    if field.match_type not in _Kind.values():
        return f"unknown kind {field.match_type}"
    return _Kind.Name(field.match_type).lower()


def _number(value: bytes) -> int:
    return int.from_bytes(value, "big")
