"""The records of a mailbox packet (p4src/headers.p4): their form, which P4Info tells, and what they
say of ports, one by one or all at once."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.access.program import MissingObjects, Program
from p4abs.snapshot import UNKNOWN_BYTES, Snapshot, SnapshotColumns, SnapshotsByPort, signed

Records = NDArray[Any]
"""A record of each of several ports, with its fields by their names."""

_EXTREMES = {"backlog_window", "least_backlog_bytes", "greatest_backlog_bytes"}
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


class MailboxSnapshots:
    """Snapshots of records that have been served.

    `times_us` are the data plane's, `sequences` those of the requests.
    """

    def __init__(
        self,
        records: Records,
        times_us: Sequence[int],
        sequences: Sequence[int],
        windows: BacklogWindows,
    ) -> None:
        self._records = records
        self._names: Collection[str] = records.dtype.names or ()
        self._times_us = times_us
        self._ports = records["port"].tolist()
        self._covered = [False] * len(records)
        if {*self._names} >= _EXTREMES:
            measured = records["backlog_window"].tolist()
            self._covered = windows.received_by(self._ports, measured, sequences)

    def by_port(self) -> SnapshotsByPort:
        """By the ports' numbers."""
        return SnapshotsByPort(self._ports, self._alone, self._together)

    def _alone(self, position: int) -> Snapshot:
        record = dict(zip(self._names, self._records[position].item(), strict=True))
        covered = self._covered[position]
        return Snapshot(
            self._times_us[position],
            record["admitted_bytes"],
            record["dropped_bytes"],
            record["departed_bytes"],
            record["queue_limit_bytes"],
            record.get("unsaturated_us"),
            record.get("unsaturated_bytes"),
            record["least_backlog_bytes"] if covered else None,
            record["greatest_backlog_bytes"] if covered else None,
            record.get("marked_bytes"),
        )

    def _together(self) -> SnapshotColumns:
        count = len(self._records)
        measures_idle = {"unsaturated_us", "unsaturated_bytes"} <= {*self._names}
        return SnapshotColumns(
            np.array(self._times_us, np.uint64),
            self._counter("admitted_bytes"),
            self._counter("dropped_bytes"),
            self._counter("departed_bytes"),
            signed(self._records["queue_limit_bytes"]),
            self._counter("unsaturated_us"),
            self._counter("unsaturated_bytes"),
            self._extreme("least_backlog_bytes"),
            self._extreme("greatest_backlog_bytes"),
            self._counter("marked_bytes"),
            np.full(count, measures_idle),
            np.full(count, "marked_bytes" in self._names),
        )

    def _counter(self, name: str) -> NDArray[Any]:
        """Zeros where the program does not tell."""
        if name not in self._names:
            return np.zeros(len(self._records), np.uint64)
        return self._records[name].astype(np.uint64)

    def _extreme(self, name: str) -> NDArray[Any]:
        if name not in self._names:
            return np.full(len(self._records), UNKNOWN_BYTES)
        return np.where(self._covered, self._records[name].astype(np.int64), UNKNOWN_BYTES)


def _format(name: str, width_bits: int) -> str:
    if width_bits not in _FORMATS:
        raise MissingObjects(
            f"the program's mailbox_record.{name} has {width_bits} bits; "
            f"{', '.join(map(str, _FORMATS))} can be read"
        )
    return _FORMATS[width_bits]
