"""Registers."""

from p4abs_switch.bmv2.names import Array
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64, Text
from p4abs_switch.thrift.refusals import RegisterCode
from p4abs_switch.thrift.target import Target, cell, find

_GREATEST_VALUE = 2**63 - 1


class Registers:
    """`bm_register_...` calls. Of more than fits 63 bits that much is told, as in BMv2."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_register_read(self, cxt_id: I32, register_array_name: Text, idx: I32) -> I64:
        place = cell(self._array(register_array_name), idx, RegisterCode.INVALID_INDEX)
        return self._read([place])[0]

    def bm_register_read_all(self, cxt_id: I32, register_array_name: Text) -> list[I64]:
        array = self._array(register_array_name)
        places = [(array.name, index) for index in range(array.size)]
        return self._read(places)

    def bm_register_write(
        self, cxt_id: I32, register_array_name: Text, index: I32, value: I64
    ) -> None:
        array = self._array(register_array_name)
        self._write(array, *cell(array, index, RegisterCode.INVALID_INDEX)[1:], index + 1, value)

    def bm_register_write_range(
        self,
        cxt_id: I32,
        register_array_name: Text,
        start_index: I32,
        end_index: I32,
        value: I64,
    ) -> None:
        self._write(self._array(register_array_name), start_index, end_index, value)

    def bm_register_reset(self, cxt_id: I32, register_array_name: Text) -> None:
        array = self._array(register_array_name)
        self._write(array, 0, array.size, 0)

    def _read(self, places: list[tuple[str, int]]) -> list[int]:
        values = self._target.engine.registers_read(places)
        return [min(value, _GREATEST_VALUE) for value in values]

    def _write(self, array: Array, start: int, end: int, value: int) -> None:
        """Writes the cells from `start` up to, but not including, `end`."""
        if not 0 <= start <= end <= array.size:
            reason = f"{array.name} has no cells {start} to {end}; valid: 0 to {array.size}"
            raise Refusal(RegisterCode.INVALID_INDEX, reason)
        bits = value & ((1 << array.width_bits) - 1)
        cells = [(array.name, index, bits) for index in range(start, end)]
        self._target.engine.registers_write(cells)

    def _array(self, name: str) -> Array:
        registers = self._target.names.registers
        return find("register", name, registers, RegisterCode.INVALID_REGISTER_NAME)
