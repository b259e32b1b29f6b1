"""The records of a mailbox packet (p4src/headers.p4): their form, which P4Info tells, and what they
say of ports, in arrays."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.access.program import MissingObjects, Program
from p4abs.measurements import (
    EXTREMES,
    MEASUREMENTS,
    UNKNOWN_BYTES,
    Kind,
    Snapshot,
    in_arrays,
    untold,
)
from p4abs.snapshots import SnapshotsByPort

Records = NDArray[Any]
"""A record of each of several ports, with its fields by their names."""

_FORMATS = {8: "u1", 16: ">u2", 32: ">u4", 64: ">u8"}


class RecordForm:
    """Makes what is asked of ports and reads what comes back.

    Raises MissingObjects when the program has no such records.
    """

    def __init__(self, program: Program) -> None:
        widths = program.mailbox_record_bits()
        self._type = np.dtype([(name, _format(name, bits)) for name, bits in widths.items()])

    @property
    def names(self) -> Collection[str]:
        """Of the fields that the program knows."""
        return self._type.names or ()

    def blank(self, ports: Sequence[int]) -> Records:
        """Records that ask nothing of these ports."""
        records = np.zeros(len(ports), self._type)
        records["port"] = ports
        return records

    def unpack(self, packed: bytes) -> Records:
        """The records of a payload. Raises ValueError when it is not made of whole ones."""
        return np.frombuffer(packed, self._type)


def snapshots_of(
    records: Records,
    times_us: NDArray[np.uint64],
    sequences: Sequence[int],
    windows: BacklogWindows,
) -> SnapshotsByPort:
    """The snapshots of records that have been served.

    `times_us` are the data plane's, `sequences` those of the requests.
    """
    names, ports = {*(records.dtype.names or ())}, records["port"].tolist()
    columns = {
        each.name: times_us
        if each.kind is Kind.TIME
        else in_arrays(each, records[each.field])
        if each.field in names
        else untold(each, len(ports))
        for each in MEASUREMENTS
    }
    if "backlog_window" in names:
        covered = windows.received_by(ports, records["backlog_window"].tolist(), sequences)
        for each in EXTREMES:
            columns[each.name] = np.where(covered, columns[each.name], UNKNOWN_BYTES)
    return SnapshotsByPort(ports, Snapshot(**columns))


def _format(name: str, width_bits: int) -> str:
    if width_bits not in _FORMATS:
        raise MissingObjects(
            f"the program's mailbox_record.{name} has {width_bits} bits; "
            f"{', '.join(map(str, _FORMATS))} can be read"
        )
    return _FORMATS[width_bits]
