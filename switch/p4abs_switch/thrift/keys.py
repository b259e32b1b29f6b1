"""Key fields, between BMv2's parameters and the engine's matches.

BMv2's lowest priority wins, the engine's highest: p is 2^31 - 1 - p there, as in P4Runtime.
"""

from collections.abc import Sequence

from p4abs_switch import bytestring
from p4abs_switch._engine import canonical_key
from p4abs_switch.bmv2.names import KeyField, Table
from p4abs_switch.engine_types import Key, Match
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.refusals import TableCode
from p4abs_switch.thrift.structures import (
    AddEntryOptions,
    Exact,
    MatchKind,
    MatchParam,
    Prefix,
    Range,
    Ternary,
    Valid,
)

_HIGHEST_PRIORITY = 2**31 - 1
_KINDS = {
    "exact": MatchKind.EXACT,
    "lpm": MatchKind.LPM,
    "ternary": MatchKind.TERNARY,
    "optional": MatchKind.TERNARY,
    "valid": MatchKind.VALID,
    "range": MatchKind.RANGE,
}


def key_of(table: Table, params: Sequence[MatchParam]) -> Key:
    """The engine's key. Raises Refusal BAD_MATCH_KEY."""
    if len(params) != len(table.key):
        raise _bad(f"{len(params)} key fields; valid: {len(table.key)}")
    return canonical(table, [*map(_match, table.key, params)])


def priority_of(table: Table, options: AddEntryOptions) -> int:
    """The engine's priority. Raises Refusal BAD_MATCH_KEY."""
    if not table.has_priority:
        return 0
    given = options.priority or 0
    if not 0 <= given < _HIGHEST_PRIORITY:
        raise _bad(f"priority {given}; valid: 0 to {_HIGHEST_PRIORITY - 1}")
    return _HIGHEST_PRIORITY - given


def params_of(table: Table, key: Sequence[Match]) -> list[MatchParam]:
    """A key as BMv2 tells it."""
    return [_param(field, match) for field, match in zip(table.key, key, strict=True)]


def options_of(table: Table, priority: int) -> AddEntryOptions:
    """A priority as BMv2 tells it; -1 where there is none."""
    return AddEntryOptions(_HIGHEST_PRIORITY - priority if table.has_priority else -1)


def canonical(table: Table, key: Sequence[Match]) -> Key:
    """A key of the engine in the one way to say it that `key_of` has."""
    return canonical_key(key, [field.width_bits for field in table.key])


def _match(field: KeyField, param: MatchParam) -> Match:
    if param.type != _KINDS.get(field.kind):
        raise _bad(f"{field.name} is matched {field.kind}")
    match param:
        case MatchParam(exact=Exact(value)) if param.type == MatchKind.EXACT:
            return ("exact", _value(field, value))
        case MatchParam(lpm=Prefix(value, length)) if param.type == MatchKind.LPM:
            if not 0 <= length <= field.width_bits:
                raise _bad(f"prefix length {length} of {field.name}; valid: 0 to width")
            ones = (1 << field.width_bits) - (1 << (field.width_bits - length))
            return ("lpm", _value(field, value, ones), length)
        case MatchParam(ternary=Ternary(value, mask)) if param.type == MatchKind.TERNARY:
            ones = int.from_bytes(_value(field, mask), "big")
            return ("ternary", _value(field, value, ones), bytestring.encode(ones))
        case MatchParam(valid=Valid(is_valid)) if param.type == MatchKind.VALID:
            return ("exact", bytestring.encode(int(is_valid)))
        case MatchParam(range=Range(low, high)) if param.type == MatchKind.RANGE:
            return ("range", _value(field, low), _value(field, high))
    raise _bad(f"{field.name} has no value of its kind")


def _value(field: KeyField, value: bytes, mask: int = -1) -> bytes:
    """Cut off to the field's width."""
    length = (field.width_bits + 7) // 8
    if len(value) != length:
        raise _bad(f"{field.name} has {len(value)} bytes; valid: {length}")
    width = (1 << field.width_bits) - 1
    return bytestring.encode(int.from_bytes(value, "big") & width & mask)


def _param(field: KeyField, match: Match) -> MatchParam:
    kind = _KINDS.get(field.kind, MatchKind.EXACT)
    zero, ones = b"", bytestring.encode((1 << field.width_bits) - 1)
    match kind, match:
        case MatchKind.LPM, ("lpm", value, length):
            return MatchParam(kind, lpm=Prefix(_filled(field, value), length))
        case MatchKind.LPM, _:
            return MatchParam(kind, lpm=Prefix(_filled(field, zero), 0))
        case MatchKind.TERNARY, ("ternary", value, mask):
            return MatchParam(kind, ternary=Ternary(_filled(field, value), _filled(field, mask)))
        case MatchKind.TERNARY, ("exact", value):
            return MatchParam(kind, ternary=Ternary(_filled(field, value), _filled(field, ones)))
        case MatchKind.TERNARY, _:
            return MatchParam(kind, ternary=Ternary(_filled(field, zero), _filled(field, zero)))
        case MatchKind.RANGE, ("range", low, high):
            return MatchParam(kind, range=Range(_filled(field, low), _filled(field, high)))
        case MatchKind.RANGE, _:
            return MatchParam(kind, range=Range(_filled(field, zero), _filled(field, ones)))
        case MatchKind.VALID, ("exact", value):
            return MatchParam(kind, valid=Valid(any(value)))
        case _, ("exact", value):
            return MatchParam(kind, exact=Exact(_filled(field, value)))
    return MatchParam(kind, exact=Exact(_filled(field, zero)))


def _filled(field: KeyField, value: bytes) -> bytes:
    return bytestring.filled(value, field.width_bits)


def _bad(reason: str) -> Refusal:
    return Refusal(TableCode.BAD_MATCH_KEY, reason)
