"""Parser value sets. A member is one number, of all fields side by side."""

from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.value_sets import width_of
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Text
from p4abs_switch.thrift.refusals import ValueSetCode, refusals
from p4abs_switch.thrift.target import Target, find


class ValueSets:
    """`bm_parse_vset_...` calls."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_parse_vset_add(self, cxt_id: I32, parse_vset_name: Text, value: Binary) -> None:
        value_set = self._value_set(parse_vset_name)
        with refusals(ValueSetCode.ERROR):
            self._target.loaded.value_sets.add(value_set, int.from_bytes(value, "big"))

    def bm_parse_vset_remove(self, cxt_id: I32, parse_vset_name: Text, value: Binary) -> None:
        value_set = self._value_set(parse_vset_name)
        with refusals(ValueSetCode.ERROR):
            self._target.loaded.value_sets.remove(value_set, int.from_bytes(value, "big"))

    def bm_parse_vset_get(self, cxt_id: I32, parse_vset_name: Text) -> list[Binary]:
        value_set = self._value_set(parse_vset_name)
        length = (width_of(value_set) + 7) // 8
        values = self._target.loaded.value_sets.values(value_set)
        return [value.to_bytes(length, "big") for value in values]

    def bm_parse_vset_clear(self, cxt_id: I32, parse_vset_name: Text) -> None:
        self._target.loaded.value_sets.clear(self._value_set(parse_vset_name))

    def _value_set(self, name: str) -> p4i.ValueSet:
        value_sets = self._target.loaded.names.p4info.value_sets
        return find("value set", name, value_sets, ValueSetCode.INVALID_PARSE_VSET_NAME)
