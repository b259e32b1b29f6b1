"""Key fields and actions' data, between BMv2's byte strings and numbers."""

from collections.abc import Iterable, Sequence

from p4abs_switch import bytestring
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import build
from p4abs_switch.runtime.matches import (
    Numbers,
    entry_of_key,
    has_priority,
    key_text,
    kind_name,
    numbers_of,
    priority_of,
)
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

_KINDS = {
    p4i.MatchField.EXACT: (MatchKind.EXACT, MatchKind.VALID),
    p4i.MatchField.LPM: (MatchKind.LPM,),
    p4i.MatchField.TERNARY: (MatchKind.TERNARY,),
    p4i.MatchField.RANGE: (MatchKind.RANGE,),
}


def entry_in(
    table: p4i.Table, params: Sequence[MatchParam], options: AddEntryOptions
) -> p4r.TableEntry:
    """An entry without an action. Raises Refusal BAD_MATCH_KEY."""
    if len(params) != len(table.match_fields):
        raise _bad(wrong_number(len(params), "key field", key_text(table)))
    key = [*map(_numbers, table.match_fields, params)]
    try:
        return entry_of_key(table, key, options.priority or 0)
    except InputError as error:
        raise _bad(str(error)) from error


def params_of(table: p4i.Table, entry: p4r.TableEntry) -> list[MatchParam]:
    """A key as BMv2 tells it."""
    return [_param(field, numbers_of(field, entry)) for field in table.match_fields]


def options_of(table: p4i.Table, entry: p4r.TableEntry) -> AddEntryOptions:
    """A priority as BMv2 tells it; -1 where there is none."""
    return AddEntryOptions(priority_of(entry) if has_priority(table) else -1)


def action_of(declared: p4i.Action, data: Sequence[bytes]) -> p4r.Action:
    """An action with its data. Raises Refusal BAD_ACTION_DATA."""
    numbers = [int.from_bytes(value, "big") for value in data]
    for parameter, number in zip(declared.params, numbers, strict=False):
        if number >> parameter.bitwidth:
            reason = f"{parameter.name} is {number:#x}; valid: up to {parameter.bitwidth} bits"
            raise Refusal(TableCode.BAD_ACTION_DATA, reason)
    try:
        return build(declared, numbers)
    except InputError as error:
        raise Refusal(TableCode.BAD_ACTION_DATA, str(error)) from error


def data_told(data: Iterable[int]) -> list[bytes]:
    """An action's data as BMv2 tells it: the shortest byte strings."""
    return [bytestring.encode(value) for value in data]


def _numbers(field: p4i.MatchField, param: MatchParam) -> Numbers:
    if param.type not in _KINDS[field.match_type]:
        raise _bad(f"{field.name} has the match type {kind_name(field)}; the call has another one")
    match param:
        case MatchParam(exact=Exact(value)) if param.type == MatchKind.EXACT:
            return (_number(field, value),)
        case MatchParam(lpm=Prefix(value, length)) if param.type == MatchKind.LPM:
            return _number(field, value), length
        case MatchParam(ternary=Ternary(value, mask)) if param.type == MatchKind.TERNARY:
            return _number(field, value), _number(field, mask)
        case MatchParam(valid=Valid(is_valid)) if param.type == MatchKind.VALID:
            return (int(is_valid),)
        case MatchParam(range=Range(low, high)) if param.type == MatchKind.RANGE:
            return _number(field, low), _number(field, high)
    raise _bad(f"{field.name}: the call's match has no value")


def _number(field: p4i.MatchField, value: bytes) -> int:
    """Cut off to the field's width."""
    length = (field.bitwidth + 7) // 8
    if len(value) != length:
        raise _bad(f"{field.name}: a value of {len(value)} bytes; valid: {length}")
    return int.from_bytes(value, "big") & ((1 << field.bitwidth) - 1)


def _param(field: p4i.MatchField, numbers: Numbers) -> MatchParam:
    [kind, *_] = _KINDS[field.match_type]
    match kind, *numbers:
        case (MatchKind.LPM, value, length):
            return MatchParam(kind, lpm=Prefix(_filled(field, value), length))
        case (MatchKind.TERNARY, value, mask):
            return MatchParam(kind, ternary=Ternary(_filled(field, value), _filled(field, mask)))
        case (MatchKind.RANGE, low, high):
            return MatchParam(kind, range=Range(_filled(field, low), _filled(field, high)))
    return MatchParam(kind, exact=Exact(_filled(field, numbers[0])))


def _filled(field: p4i.MatchField, value: int) -> bytes:
    return value.to_bytes((field.bitwidth + 7) // 8, "big")


def _bad(reason: str) -> Refusal:
    return Refusal(TableCode.BAD_MATCH_KEY, reason)
