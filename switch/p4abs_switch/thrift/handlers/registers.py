"""Registers."""

from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.cells import UnknownCell
from p4abs_switch.runtime.registers import width_of
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64, Text
from p4abs_switch.thrift.refusals import Inputs, RegisterCode, refusals
from p4abs_switch.thrift.target import Target, find

_GREATEST_VALUE = 2**63 - 1
_INPUTS: Inputs = {UnknownCell: RegisterCode.INVALID_INDEX}


class Registers:
    """`bm_register_...` calls. Of more than fits 63 bits that much is told, as in BMv2."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_register_read(self, cxt_id: I32, register_array_name: Text, idx: I32) -> I64:
        return self._read(self._array(register_array_name), idx)[0]

    def bm_register_read_all(self, cxt_id: I32, register_array_name: Text) -> list[I64]:
        return self._read(self._array(register_array_name), None)

    def bm_register_write(
        self, cxt_id: I32, register_array_name: Text, index: I32, value: I64
    ) -> None:
        register = self._array(register_array_name)
        with refusals(RegisterCode.ERROR, inputs=_INPUTS):
            self._target.loaded.registers.write(register, index, _cut(register, value))

    def bm_register_write_range(
        self,
        cxt_id: I32,
        register_array_name: Text,
        start_index: I32,
        end_index: I32,
        value: I64,
    ) -> None:
        """Writes the cells from `start_index` up to, but not including, `end_index`."""
        register = self._array(register_array_name)
        size = register.size
        if not 0 <= start_index <= end_index <= size:
            reason = f"no cells {start_index} to {end_index}; valid: 0 to {size}"
            raise Refusal(RegisterCode.INVALID_INDEX, f"{register_array_name} has {reason}")
        registers, bits = self._target.loaded.registers, _cut(register, value)
        if (start_index, end_index) == (0, size):
            registers.fill(register, bits)
        else:
            for index in range(start_index, end_index):
                registers.write(register, index, bits)

    def bm_register_reset(self, cxt_id: I32, register_array_name: Text) -> None:
        self._target.loaded.registers.fill(self._array(register_array_name), 0)

    def _read(self, register: p4i.Register, index: int | None) -> list[int]:
        with refusals(RegisterCode.ERROR, inputs=_INPUTS):
            values = self._target.loaded.registers.read(register, index)
        return [min(value, _GREATEST_VALUE) for value in values]

    def _array(self, name: str) -> p4i.Register:
        registers = self._target.loaded.names.p4info.registers
        return find("register", name, registers, RegisterCode.INVALID_REGISTER_NAME)


def _cut(register: p4i.Register, value: int) -> int:
    return value & ((1 << width_of(register)[0]) - 1)
