"""Registers."""

import sys

from finsy.proto import p4d, p4i, p4r

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.names import find
from p4abs_switch.console.values import whole, words


class RegisterCommands(Group):
    """`register_read` and its kin."""

    def do_register_read(self, line: str) -> None:
        """Read a cell, or all: register_read <register> [index]"""
        name, *rest = words(line, "register", more=True)
        register = self._register(name)
        wanted = p4r.RegisterEntry(register_id=register.preamble.id)
        if len(rest) > 1:
            raise CommandError(f"{1 + len(rest)} arguments; valid: register [index]")
        if rest:
            [index] = rest
            wanted.index.index = _checked(register, index)
        found = self.session.read(register_entry=wanted)
        values = ", ".join(str(cell_number(register, each.register_entry.data)) for each in found)
        if not rest:
            sys.stderr.write("register index omitted, reading entire array\n")
        self.say(f"{name}[{wanted.index.index}]= {values}" if rest else f"{name}= {values}")

    def do_register_write(self, line: str) -> None:
        """Write a cell: register_write <register> <index> <value>"""
        name, index, value = words(line, "register index value")
        register = self._register(name)
        entry = p4r.RegisterEntry(register_id=register.preamble.id, data=cell_data(register, value))
        entry.index.index = _checked(register, index)
        self.session.modify(register_entry=entry)

    def do_register_reset(self, line: str) -> None:
        """Set all cells to 0: register_reset <register>"""
        [name] = words(line, "register")
        register = self._register(name)
        entry = p4r.RegisterEntry(register_id=register.preamble.id, data=cell_data(register, "0"))
        self.session.modify(register_entry=entry)

    def _register(self, name: str) -> p4i.Register:
        return find("register", name, self.names.p4info.registers)


def _checked(register: p4i.Register, index: str) -> int:
    return whole(index, f"the index of register {register.preamble.name}", register.size - 1)


def _width(register: p4i.Register) -> tuple[int, bool]:
    """Bits of a cell, and whether it has a sign. Raises CommandError for cells of other types."""
    bits = register.type_spec.bitstring
    width = bits.int.bitwidth or bits.bit.bitwidth
    if width <= 0:
        raise CommandError(
            f"register {register.preamble.name}: valid are cells of bit<W> or int<W>"
        )
    return width, bits.HasField("int")


def cell_data(register: p4i.Register, value: str) -> p4d.P4Data:
    """A cell's value as P4Runtime has it: signed ones are extended to whole bytes.

    Bits may be given for a signed value. Raises CommandError.
    """
    width, signed = _width(register)
    lowest, highest = (-(1 << (width - 1)) if signed else 0), (1 << width) - 1
    try:
        number = int(value, 0)
    except ValueError:
        number = lowest - 1
    if not lowest <= number <= highest:
        raise CommandError(
            f"value of register {register.preamble.name} is {value!r}; valid: {lowest} to {highest}"
        )
    bits = number & highest
    if signed and bits >> (width - 1):
        bits -= 1 << width
    return p4d.P4Data(bitstring=bits.to_bytes((width + 7) // 8, "big", signed=signed))


def cell_number(register: p4i.Register, data: p4d.P4Data) -> int:
    """The reverse of cell_data."""
    _, signed = _width(register)
    return int.from_bytes(data.bitstring, "big", signed=signed)
