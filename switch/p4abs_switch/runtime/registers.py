"""Registers. P4Runtime's signed cells are extended to whole bytes."""

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.protobuf import p4d, p4i, p4r
from p4abs_switch.runtime.cells import WrongCell, cell
from p4abs_switch.runtime.switch import Switch


class Registers:
    """A switch's registers, whose cells are bits or whole numbers. Raises InputError for others."""

    def __init__(self, switch: Switch) -> None:
        self._switch = switch

    def read(self, register: p4i.Register, index: int | None = None) -> list[int]:
        """One cell, or all. Raises UnknownCell."""
        wanted = p4r.RegisterEntry(register_id=register.preamble.id)
        if index is not None:
            wanted.index.CopyFrom(cell("register", register, index))
        found = self._switch.read(register_entry=wanted)
        return [number_in(register, each.register_entry.data) for each in found]

    def write(self, register: p4i.Register, index: int, value: int) -> None:
        """value: bits may be given for a number with a sign. Raises UnknownCell."""
        place = cell("register", register, index)
        self._switch.modify(register_entry=_entry(register, value, place))

    def fill(self, register: p4i.Register, value: int) -> None:
        """Writes all cells."""
        self._switch.modify(register_entry=_entry(register, value, None))


def width_of(register: p4i.Register) -> tuple[int, bool]:
    """Bits of a cell, and whether it has a sign. Raises InputError for cells of other types."""
    bits = register.type_spec.bitstring
    width = bits.int.bitwidth or bits.bit.bitwidth
    if width <= 0:
        raise InputError(
            f"register {register.preamble.name}: its cells are neither bit<W> nor int<W>"
        )
    return width, bits.HasField("int")


def number_in(register: p4i.Register, data: p4d.P4Data) -> int:
    """The value of a cell."""
    _, signed = width_of(register)
    return int.from_bytes(data.bitstring, "big", signed=signed)


def data_in(register: p4i.Register, value: int) -> p4d.P4Data:
    """A cell of a value. Raises InputError, WrongCell."""
    width, signed = width_of(register)
    lowest, highest = (-(1 << (width - 1)) if signed else 0), (1 << width) - 1
    if not lowest <= value <= highest:
        name = register.preamble.name
        raise WrongCell(f"value of register {name} is {value}; valid: {lowest} to {highest}")
    bits = value & highest
    if signed and bits >> (width - 1):
        bits -= 1 << width
    return p4d.P4Data(bitstring=bits.to_bytes((width + 7) // 8, "big", signed=signed))


def _entry(register: p4i.Register, value: int, index: p4r.Index | None) -> p4r.RegisterEntry:
    data = data_in(register, value)
    return p4r.RegisterEntry(register_id=register.preamble.id, index=index, data=data)
