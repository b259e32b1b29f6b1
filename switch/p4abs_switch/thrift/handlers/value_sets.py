"""Parser value sets. A member is one number, of all fields side by side."""

from p4abs_switch.runtime.value_sets import width_of
from p4abs_switch.thrift.handlers.handler import OfTarget, ValueSet
from p4abs_switch.thrift.protocol.shapes import Binary
from p4abs_switch.thrift.refusals import Codes, ValueSetCode


class ValueSets(OfTarget):
    """`bm_parse_vset_...` calls."""

    codes = Codes(other=ValueSetCode.ERROR)

    def bm_parse_vset_add(self, value_set: ValueSet, value: Binary) -> None:
        self._loaded.value_sets.add(value_set, int.from_bytes(value, "big"))

    def bm_parse_vset_remove(self, value_set: ValueSet, value: Binary) -> None:
        self._loaded.value_sets.remove(value_set, int.from_bytes(value, "big"))

    def bm_parse_vset_get(self, value_set: ValueSet) -> list[Binary]:
        length = (width_of(value_set) + 7) // 8
        values = self._loaded.value_sets.values(value_set)
        return [value.to_bytes(length, "big") for value in values]

    def bm_parse_vset_clear(self, value_set: ValueSet) -> None:
        self._loaded.value_sets.clear(value_set)
