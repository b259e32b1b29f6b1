"""What ports did between two snapshots of their counters."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Columns, Flags, Floats, Ints, choose, greatest, is_known
from p4abs.snapshot import UNKNOWN_BYTES


@dataclass(frozen=True, slots=True)
class Interval:
    """Bytes that one port admitted, dropped and sent during one control interval.

    `duration_s` comes from the data plane's own timestamps and is positive; byte counts are
    differences of counters and never negative. `idle_s`, from 0 to `duration_s`, is for how long
    the link had nothing to send; None: not measured. `least_backlog_bytes` and
    `greatest_backlog_bytes` are the extremes of what stood in the queue; None: not known.
    `marked_bytes` of the admitted ones were marked instead of dropped (ECN); None: the target
    cannot. Raises ValueError for anything else.
    """

    duration_s: float
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    idle_s: float | None = None
    least_backlog_bytes: int | None = None
    greatest_backlog_bytes: int | None = None
    marked_bytes: int | None = None

    def __post_init__(self) -> None:
        if not self.duration_s > 0:
            raise ValueError(f"interval of {self.duration_s} s: the duration must be positive")
        counts = (self.admitted_bytes, self.dropped_bytes, self.departed_bytes)
        if min(*counts, self.marked_bytes or 0) < 0:
            raise ValueError(f"{self}: byte counts must not be negative")
        if self.idle_s is not None and not 0 <= self.idle_s <= self.duration_s:
            raise ValueError(f"{self}: idle_s must lie between 0 and duration_s")
        least, greatest = self.least_backlog_bytes, self.greatest_backlog_bytes
        if least is not None and greatest is not None and not 0 <= least <= greatest:
            raise ValueError(f"{self}: the least backlog must lie between 0 and the greatest one")

    @property
    def offered_bytes(self) -> int:
        """Bytes that arrived for the port, S1 + S2 in the ABS paper's section 4.1."""
        return self.admitted_bytes + self.dropped_bytes

    @property
    def is_signalled(self) -> bool:
        """Whether senders were told to slow down, by a drop or by a mark (RFC 3168, section 5)."""
        return self.dropped_bytes > 0 or (self.marked_bytes or 0) > 0

    @property
    def loss(self) -> float:
        """Fraction of the offered bytes that was dropped, p(n); 0 when nothing arrived."""
        return self.dropped_bytes / self.offered_bytes if self.offered_bytes else 0.0

    def utilization(self, capacity_bps: float) -> float:
        """Fraction of the time in which the link was not idle.

        Where that was not measured, the fraction of the capacity that was sent on the wire
        (section 2.3 of the ABS paper): an error of the capacity is then one of the utilization.
        """
        if self.idle_s is not None:
            return 1 - self.idle_s / self.duration_s
        return 8 * self.departed_bytes / (capacity_bps * self.duration_s)

    def idle_time_s(self, capacity_bps: float) -> float:
        """For how long the link was idle; what the departed bytes leave, where not measured."""
        if self.idle_s is not None:
            return self.idle_s
        return max(0.0, self.duration_s - 8 * self.departed_bytes / capacity_bps)

    def offered_load(self, capacity_bps: float) -> float:
        """Fraction of the capacity that arrived, the u(n) of the ABS paper's section 4.1."""
        return 8 * self.offered_bytes / (capacity_bps * self.duration_s)


@dataclass(frozen=True, slots=True, eq=False)
class Intervals(Columns):
    """An `Interval` for each of several ports, with arrays of its fields.

    What is not known is NaN or UNKNOWN_BYTES.
    """

    duration_s: Floats
    admitted_bytes: Ints
    dropped_bytes: Ints
    departed_bytes: Ints
    idle_s: Floats
    least_backlog_bytes: Ints
    greatest_backlog_bytes: Ints
    marked_bytes: Ints

    @classmethod
    def of(cls, ports: Sequence[Interval]) -> Self:
        """One for each port."""
        return cls(*(_column(ports, field.name) for field in fields(cls)))

    def __len__(self) -> int:
        return len(self.duration_s)

    def __iter__(self) -> Iterator[Interval]:
        return map(Interval, *map(_known, self._columns()))

    @property
    def offered_bytes(self) -> Ints:
        """See `Interval`."""
        return self.admitted_bytes + self.dropped_bytes

    @property
    def is_signalled(self) -> Flags:
        """See `Interval`."""
        return (self.dropped_bytes > 0) | (self.marked_bytes > 0)

    def idle_time_s(self, capacity_bps: Floats) -> Floats:
        """See `Interval`."""
        left_s = greatest(self.duration_s - 8 * self.departed_bytes / capacity_bps, 0.0)
        return choose(is_known(self.idle_s), self.idle_s, left_s)


def _column(ports: Sequence[Interval], name: str) -> NDArray[Any]:
    values = [getattr(port, name) for port in ports]
    if name.endswith("_s"):
        return np.array([math.nan if value is None else value for value in values], np.float64)
    return np.array([UNKNOWN_BYTES if value is None else value for value in values], np.int64)


def _known(column: NDArray[Any]) -> list[Any]:
    """Its numbers; None for those that are not known."""
    unknown = np.isnan(column) if column.dtype.kind == "f" else column == UNKNOWN_BYTES
    values: list[Any] = column.tolist()
    for port in np.flatnonzero(unknown).tolist():
        values[port] = None
    return values
