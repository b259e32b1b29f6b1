"""Registers."""

import sys

from p4abs_switch.bytestring import parsed
from p4abs_switch.console.commands.arguments import Register
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import whole
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i


class RegisterCommands(Group):
    """`register_read` and its kin."""

    def do_register_read(self, register: str, index: str = "") -> None:
        """Read a cell, or all: register_read <register> [index]"""
        found = self.names.register(register)
        number = _checked(found, index) if index else None
        values = ", ".join(map(str, self.objects.registers.read(found, number)))
        if number is None:
            sys.stderr.write("register index omitted, reading entire array\n")
        self.say(f"{register}= {values}" if number is None else f"{register}[{number}]= {values}")

    def do_register_write(self, register: Register, index: str, value: str) -> None:
        """Write a cell: register_write <register> <index> <value>"""
        try:
            number = parsed(value)
        except ValueError:
            raise InputError(
                f"value of register {register.preamble.name} is {value!r}; valid: a whole number"
            ) from None
        self.objects.registers.write(register, _checked(register, index), number)

    def do_register_reset(self, register: Register) -> None:
        """Set all cells to 0: register_reset <register>"""
        self.objects.registers.fill(register, 0)


def _checked(register: p4i.Register, index: str) -> int:
    return whole(index, f"the index of register {register.preamble.name}", register.size - 1)
