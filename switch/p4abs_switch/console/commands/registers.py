"""Registers."""

import sys

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import whole, words
from p4abs_switch.errors import wrong_number
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.registers import Registers
from p4abs_switch.runtime.tables import Tables


class RegisterCommands(Group):
    """`register_read` and its kin."""

    def __init__(self, session: Session, tables: Tables) -> None:
        super().__init__(session, tables)
        self._registers = Registers(session)

    def do_register_read(self, line: str) -> None:
        """Read a cell, or all: register_read <register> [index]"""
        name, *rest = words(line, "register", more=True)
        register = self.names.register(name)
        if len(rest) > 1:
            raise InputError(wrong_number(1 + len(rest), "argument", "register [index]"))
        index = _checked(register, rest[0]) if rest else None
        values = ", ".join(map(str, self._registers.read(register, index)))
        if index is None:
            sys.stderr.write("register index omitted, reading entire array\n")
        self.say(f"{name}= {values}" if index is None else f"{name}[{index}]= {values}")

    def do_register_write(self, line: str) -> None:
        """Write a cell: register_write <register> <index> <value>"""
        name, index, value = words(line, "register index value")
        register = self.names.register(name)
        try:
            number = int(value, 0)
        except ValueError:
            raise InputError(
                f"value of register {register.preamble.name} is {value!r}; valid: a whole number"
            ) from None
        self._registers.write(register, _checked(register, index), number)

    def do_register_reset(self, line: str) -> None:
        """Set all cells to 0: register_reset <register>"""
        [name] = words(line, "register")
        self._registers.fill(self.names.register(name), 0)


def _checked(register: p4i.Register, index: str) -> int:
    return whole(index, f"the index of register {register.preamble.name}", register.size - 1)
