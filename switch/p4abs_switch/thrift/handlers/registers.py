"""Registers."""

import asyncio

from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.cells import UnknownCell, width_of
from p4abs_switch.thrift.handlers.handler import OfTarget, Register
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64
from p4abs_switch.thrift.refusals import Codes, RegisterCode

_GREATEST_VALUE = 2**63 - 1


class Registers(OfTarget):
    """`bm_register_...` calls. Of more than fits 63 bits that much is told, as in BMv2.

    A register may have a million cells: other clients need not wait for calls about all of them.
    """

    codes = Codes(other=RegisterCode.ERROR, inputs={UnknownCell: RegisterCode.INVALID_INDEX})

    def bm_register_read(self, register: Register, index: I32) -> I64:
        return _told(self._loaded.registers.read(register, index))[0]

    async def bm_register_read_all(self, register: Register) -> list[I64]:
        registers = self._loaded.registers
        return await asyncio.to_thread(lambda: _told(registers.read(register)))

    def bm_register_write(self, register: Register, index: I32, value: I64) -> None:
        self._loaded.registers.write(register, index, _cut(register, value))

    async def bm_register_write_range(
        self, register: Register, start_index: I32, end_index: I32, value: I64
    ) -> None:
        """Writes the cells from `start_index` up to, but not including, `end_index`."""
        registers, size, bits = self._loaded.registers, register.size, _cut(register, value)
        if not 0 <= start_index <= end_index <= size:
            reason = f"no cells {start_index} to {end_index}; valid: 0 to {size}"
            raise Refusal(RegisterCode.INVALID_INDEX, f"{register.preamble.name} has {reason}")
        if (start_index, end_index) == (0, size):
            registers.fill(register, bits)
            return

        def write() -> None:
            for index in range(start_index, end_index):
                registers.write(register, index, bits)

        await asyncio.to_thread(write)

    def bm_register_reset(self, register: Register) -> None:
        self._loaded.registers.fill(register, 0)


def _told(values: list[int]) -> list[int]:
    return [min(value, _GREATEST_VALUE) for value in values]


def _cut(register: p4i.Register, value: int) -> int:
    return value & ((1 << width_of(register)[0]) - 1)
