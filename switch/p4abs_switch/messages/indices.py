"""Indices of arrays in messages (P4Runtime 1.5, sections 9.3.2, 9.4.2 and 9.7)."""

from finsy.proto import p4r

from p4abs_switch.status import Code, RequestError, invalid


def selected(
    what: str, size: int, entry: p4r.RegisterEntry | p4r.CounterEntry | p4r.MeterEntry
) -> range:
    """The cells that an entry means: its index, or without one all `size` cells.

    Raises RequestError INVALID_ARGUMENT for a negative index and OUT_OF_RANGE for one past the end.
    """
    if not entry.HasField("index"):
        return range(size)
    cell = entry.index.index
    if cell < 0:
        raise invalid(f"{what} has no index {cell}")
    if cell >= size:
        raise RequestError(Code.OUT_OF_RANGE, f"{what} has no index {cell}; valid: 0 to {size - 1}")
    return range(cell, cell + 1)
