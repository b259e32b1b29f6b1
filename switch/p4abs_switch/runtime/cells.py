"""Cells of arrays: counters, also the direct ones of entries, and registers.

P4Runtime extends signed cells of registers to whole bytes.
"""

from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4d, p4i, p4r
from p4abs_switch.runtime.handles import key_only, resource_of
from p4abs_switch.runtime.switch import Switch
from p4abs_switch.runtime.tables import Tables


class WrongCell(InputError):
    """What cannot be in an array."""


class UnknownCell(WrongCell):
    """An array has no cell of this number."""


def cell(kind: str, array: p4i.Counter | p4i.Meter | p4i.Register, index: int) -> p4r.Index:
    """A place in an array. Raises UnknownCell."""
    if not 0 <= index < array.size:
        valid = f"0 to {array.size - 1}"
        raise UnknownCell(f"{kind} {array.preamble.name} has no cell {index}; valid: {valid}")
    return p4r.Index(index=index)


class Counters:
    """A switch's counters; those of entries by the entries' keys."""

    def __init__(self, switch: Switch, tables: Tables) -> None:
        self._switch = switch
        self._tables = tables

    def read(self, counter: p4i.Counter, index: int) -> p4r.CounterData:
        """Raises UnknownCell."""
        [found] = self._switch.read(counter_entry=_counter_entry(counter, index))
        return found.counter_entry.data

    def write(self, counter: p4i.Counter, index: int, data: p4r.CounterData) -> None:
        """Raises UnknownCell."""
        entry = _counter_entry(counter, index)
        entry.data.CopyFrom(data)
        self._switch.modify(counter_entry=entry)

    def reset(self, counter: p4i.Counter) -> None:
        """Sets all cells to 0."""
        every_cell = p4r.CounterEntry(counter_id=counter.preamble.id, data=p4r.CounterData())
        self._switch.modify(counter_entry=every_cell)

    def read_direct(self, key: p4r.TableEntry) -> p4r.CounterData:
        """That of an entry which is there."""
        wanted = p4r.DirectCounterEntry(table_entry=key)
        found = self._switch.read(direct_counter_entry=wanted)
        counter = resource_of(key, [each.direct_counter_entry for each in found])
        return p4r.CounterData() if counter is None else counter.data

    def write_direct(self, key: p4r.TableEntry, data: p4r.CounterData) -> None:
        entry = p4r.DirectCounterEntry(table_entry=key, data=data)
        self._switch.modify(direct_counter_entry=entry)

    def reset_direct(self, table: p4i.Table) -> None:
        """Sets those of all entries to 0."""
        for entry in self._tables.entries(table).values():
            self.write_direct(key_only(entry), p4r.CounterData())


def _counter_entry(counter: p4i.Counter, index: int) -> p4r.CounterEntry:
    number = counter.preamble.id
    return p4r.CounterEntry(counter_id=number, index=cell("counter", counter, index))


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
        self._switch.modify(register_entry=_register_entry(register, value, place))

    def fill(self, register: p4i.Register, value: int) -> None:
        """Writes all cells."""
        self._switch.modify(register_entry=_register_entry(register, value, None))


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


def _register_entry(
    register: p4i.Register, value: int, index: p4r.Index | None
) -> p4r.RegisterEntry:
    data = data_in(register, value)
    return p4r.RegisterEntry(register_id=register.preamble.id, index=index, data=data)
