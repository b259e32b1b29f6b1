"""Cells of arrays: counters, meters and registers."""

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.protobuf import p4i, p4r


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
