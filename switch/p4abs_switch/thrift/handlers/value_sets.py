"""Parser value sets. A member is one number, of all fields side by side."""

from collections.abc import Sequence

from p4abs_switch import bytestring
from p4abs_switch.bmv2.names import ValueSet
from p4abs_switch.engine_types import Match
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Text
from p4abs_switch.thrift.refusals import ValueSetCode, engine_refusals
from p4abs_switch.thrift.target import Target, find


class ValueSets:
    """`bm_parse_vset_...` calls."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_parse_vset_add(self, cxt_id: I32, parse_vset_name: Text, value: Binary) -> None:
        value_set = self._value_set(parse_vset_name)
        members = self._members(value_set)
        member = _member(value_set, value)
        if member not in members:
            self._write(value_set, [*members, member])

    def bm_parse_vset_remove(self, cxt_id: I32, parse_vset_name: Text, value: Binary) -> None:
        value_set = self._value_set(parse_vset_name)
        members = self._members(value_set)
        member = _member(value_set, value)
        if member not in members:
            raise Refusal(ValueSetCode.ERROR, f"{value_set.name} has no {value.hex()}")
        self._write(value_set, [each for each in members if each != member])

    def bm_parse_vset_get(self, cxt_id: I32, parse_vset_name: Text) -> list[Binary]:
        value_set = self._value_set(parse_vset_name)
        return [_value(value_set, member) for member in self._members(value_set)]

    def bm_parse_vset_clear(self, cxt_id: I32, parse_vset_name: Text) -> None:
        self._write(self._value_set(parse_vset_name), [])

    def _members(self, value_set: ValueSet) -> list[list[Match]]:
        return [list(member) for member in self._target.engine.value_set_read(value_set.name)]

    def _write(self, value_set: ValueSet, members: Sequence[Sequence[Match]]) -> None:
        with engine_refusals(ValueSetCode.ERROR):
            self._target.engine.value_set_write(value_set.name, members)

    def _value_set(self, name: str) -> ValueSet:
        value_sets = self._target.names.value_sets
        return find("value set", name, value_sets, ValueSetCode.INVALID_PARSE_VSET_NAME)


def _member(value_set: ValueSet, value: bytes) -> list[Match]:
    left, member = int.from_bytes(value, "big"), list[Match]()
    for width_bits in reversed(value_set.widths_bits):
        member.insert(0, ("exact", bytestring.encode(left & ((1 << width_bits) - 1))))
        left >>= width_bits
    if left:
        width_bits = sum(value_set.widths_bits)
        reason = f"{value.hex()} for {value_set.name}; valid: up to {width_bits} bits"
        raise Refusal(ValueSetCode.ERROR, reason)
    return member


def _value(value_set: ValueSet, member: Sequence[Match]) -> bytes:
    """What is not exact, which only P4Runtime can write, counts with its value."""
    number = 0
    for width_bits, match in zip(value_set.widths_bits, member, strict=True):
        field = 0 if match[0] == "any" else int.from_bytes(match[1], "big")
        number = number << width_bits | field
    return bytestring.filled(bytestring.encode(number), sum(value_set.widths_bits))
