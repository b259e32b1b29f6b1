"""What ports' registers held at one instant."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Columns, Flags, Ints

COUNTER_MODULUS = 2**64
UNKNOWN_BYTES = -1
"""What arrays hold for bytes that are not known."""


def advance(before: Ints, after: Ints) -> Ints:
    """By how much counters that wrap have advanced between two readings."""
    if isinstance(after, np.ndarray):
        return after - before
    return (after - before) % COUNTER_MODULUS


def signed_advance(before: Ints, after: Ints) -> Ints:
    """The same of counters that may take back what was counted."""
    if isinstance(after, np.ndarray):
        return (after - before).view(np.int64)
    half = COUNTER_MODULUS // 2
    return (after - before + half) % COUNTER_MODULUS - half


def signed(bytes_: NDArray[Any]) -> Ints:
    """Bytes of an unsigned register; more than fit are as many as fit."""
    return np.minimum(bytes_, np.uint64(np.iinfo(np.int64).max)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One port's registers. Byte counters are cumulative and wrap at 2^64.

    `timestamp_us` is the data plane's time at which `departed_bytes` was exact;
    `limit_bytes` is the limit in force from this snapshot on, 0 for none.

    `unsaturated_us` is the time in which the link was not busy throughout, `unsaturated_bytes` what
    it sent in that time: a link of C bit/s has been idle for unsaturated_us / 1e6 -
    8 unsaturated_bytes / C seconds. None: the target does not measure it. The extremes of the
    backlog are those since the snapshot before; None: not known. `marked_bytes`, cumulative, were
    marked instead of dropped; None: the target cannot.
    """

    timestamp_us: int
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    limit_bytes: int
    unsaturated_us: int | None = None
    unsaturated_bytes: int | None = None
    least_backlog_bytes: int | None = None
    greatest_backlog_bytes: int | None = None
    marked_bytes: int | None = None

    @property
    def occupancy_bytes(self) -> int:
        """Bytes that stand in the queue."""
        bytes_: int = advance(self.departed_bytes, self.admitted_bytes)
        return bytes_

    @property
    def measures_idle(self) -> bool:
        """Whether the target measures unsaturated operation."""
        return self.unsaturated_us is not None and self.unsaturated_bytes is not None


NOTHING = Snapshot(0, 0, 0, 0, 0)
"""Stands where there is no snapshot."""
_FIELDS = attrgetter(*Snapshot.__dataclass_fields__)


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotColumns(Columns):
    """A `Snapshot` of each of several ports, with arrays of its fields; counters are unsigned.

    Where `measures_idle` or `marks` is not set, what is counted of it means nothing.
    """

    timestamp_us: Ints
    admitted_bytes: Ints
    dropped_bytes: Ints
    departed_bytes: Ints
    limit_bytes: Ints
    unsaturated_us: Ints
    unsaturated_bytes: Ints
    least_backlog_bytes: Ints
    greatest_backlog_bytes: Ints
    marked_bytes: Ints
    measures_idle: Flags
    marks: Flags

    @classmethod
    def of(cls, ports: Sequence[Snapshot]) -> Self:
        """One for each port."""
        columns: list[tuple[Any, ...]] = [*zip(*map(_FIELDS, ports), strict=True)]
        measured = zip(columns[5], columns[6], strict=True)
        arrays: list[NDArray[Any]] = [
            *(np.array(column, np.uint64) for column in columns[:4]),
            signed(np.array(columns[4], np.uint64)),
            *(_known(column, 0, np.uint64) for column in columns[5:7]),
            *(_known(column, UNKNOWN_BYTES, np.int64) for column in columns[7:9]),
            _known(columns[9], 0, np.uint64),
            np.array([None not in pair for pair in measured]),
            np.array([marked_bytes is not None for marked_bytes in columns[9]]),
        ]
        return cls(*arrays)

    def __getitem__(self, port: int) -> Snapshot:
        values: list[Any] = [column[port].item() for column in self._columns()]
        measures_idle, marks = values[10:]
        if not measures_idle:
            values[5:7] = None, None
        values[7:9] = (None if value == UNKNOWN_BYTES else value for value in values[7:9])
        if not marks:
            values[9] = None
        return Snapshot(*values[:10])

    @property
    def occupancy_bytes(self) -> Ints:
        """See `Snapshot`."""
        return advance(self.departed_bytes, self.admitted_bytes).view(np.int64)


class SnapshotsByPort(Mapping[int, Snapshot]):
    """Snapshots of the ports of these numbers, one by one or in arrays, whatever is asked for.

    `alone` gives the one of a port by its position among them, `together` those of all.
    """

    def __init__(
        self,
        numbers: list[int],
        alone: Callable[[int], Snapshot],
        together: Callable[[], SnapshotColumns],
    ) -> None:
        self.numbers = numbers
        self.alone = alone
        self.together = together

    @classmethod
    def of(cls, numbers: list[int], columns: SnapshotColumns) -> Self:
        """Those that these arrays hold."""
        return cls(numbers, columns.__getitem__, lambda: columns)

    def __getitem__(self, number: int) -> Snapshot:
        return self.alone(self._positions[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, number: object) -> bool:
        return number in self._positions

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {number: position for position, number in enumerate(self.numbers)}


def snapshots_at(
    numbers: Sequence[int], taken: Mapping[int, Snapshot]
) -> tuple[SnapshotColumns, Flags]:
    """A snapshot for each of these ports, and whether one was taken: else it means nothing."""
    if isinstance(taken, SnapshotsByPort) and taken.numbers == [*numbers]:
        return taken.together(), np.ones(len(numbers), np.bool_)
    present = np.array([number in taken for number in numbers])
    return SnapshotColumns.of([taken.get(number, NOTHING) for number in numbers]), present


def _known(values: Sequence[int | None], unknown: int, kind: type[np.generic]) -> NDArray[Any]:
    if None in values:
        values = [unknown if value is None else value for value in values]
    return np.array(values, kind)
