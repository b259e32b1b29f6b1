"""Registers: Write and Read of RegisterEntry (P4Runtime 1.5, section 9.7)."""

from collections.abc import Iterator, Sequence

from finsy.proto import p4d, p4r

from p4abs_switch import bytestring
from p4abs_switch.entities.kind import Change, Kind, check_modified, never_inserted
from p4abs_switch.messages import numbers
from p4abs_switch.messages.indices import selected
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.program.objects import Register
from p4abs_switch.status import engine_errors, invalid

Cell = tuple[Register, int]


def write(loaded: LoadedProgram, change: Change, entry: p4r.RegisterEntry) -> None:
    """Writes one cell, or all cells of the array if no index is given.

    Raises RequestError; then nothing was changed.
    """
    register = loaded.program.register(entry.register_id)
    what = f"register {register.name}"
    check_modified(what, change)
    value = _value(register, entry.data)
    with engine_errors():
        loaded.switch.registers_write(
            [(register.name, cell, value) for cell in selected(what, register.size, entry)]
        )


def cells(loaded: LoadedProgram, wanted: p4r.RegisterEntry) -> list[Cell]:
    """The cells that a read asks for: id 0 is every register, no index is the whole array.

    Raises RequestError.
    """
    program = loaded.program
    if wanted.register_id:
        registers = [program.register(wanted.register_id)]
    elif wanted.HasField("index"):
        raise invalid("a read of all registers cannot have an index")
    else:
        registers = list(program.registers.values())
    return [
        (register, cell)
        for register in registers
        for cell in selected(f"register {register.name}", register.size, wanted)
    ]


def read(loaded: LoadedProgram, wanted: p4r.RegisterEntry) -> Iterator[p4r.Entity]:
    """The cells of one request, with their values, for rollback; errors as cells().

    A Read takes those of all its requests at once, by cells() and read_cells().
    """
    return read_cells(loaded, cells(loaded, wanted))


def read_cells(loaded: LoadedProgram, wanted: Sequence[Cell]) -> Iterator[p4r.Entity]:
    """The cells' values, all of one instant, which is now; translated as they are taken."""
    with engine_errors():
        values = loaded.switch.registers_read([(reg.name, cell) for reg, cell in wanted])
    return (
        p4r.Entity(
            register_entry=p4r.RegisterEntry(
                register_id=register.id, index=p4r.Index(index=cell), data=_data(register, value)
            )
        )
        for (register, cell), value in zip(wanted, values, strict=True)
    )


def _value(register: Register, data: p4d.P4Data) -> int:
    what = f"data of register {register.name}"
    given = data.WhichOneof("data")
    if given != "bitstring":
        raise invalid(f"{what} must be a bitstring, not {given or 'unset'}")
    if not register.signed:
        return numbers.decode(data.bitstring, register.width_bits, what)
    signed = numbers.decode_signed(data.bitstring, register.width_bits, what)
    return signed % (1 << register.width_bits)


def _data(register: Register, value: int) -> p4d.P4Data:
    return p4d.P4Data(
        bitstring=bytestring.encode_bits(value, register.width_bits, signed=register.signed)
    )


KIND = Kind[p4r.RegisterEntry](
    name="register_entry",
    object_id=lambda entry: entry.register_id,
    write=write,
    read=read,
    wildcards=(p4r.Entity(register_entry=p4r.RegisterEntry()),),
    is_inserted=never_inserted,
)
