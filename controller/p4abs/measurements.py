"""What is measured of a port, described once.

A `Snapshot` is what a port's registers held at one instant, an `Interval` what lies between two of
them. Their fields are plain numbers for a port alone and arrays for several (columns.py). What a
target does not tell is None for a port alone; in arrays it is NaN, or a number with all bits set.

MEASUREMENTS says where each is read, how it is differenced and how it is told: mailbox and
registers, samples, metrics and the page follow from it. A new one is a row there, a field in
`Snapshot` and, where an interval has it, one in `Interval`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Columns, Flags, Floats, Ints, choose, maximum

COUNTER_MODULUS = 2**64
LONGEST_ROUND_TRIP_S = 1.05
"""No longer one is timed (p4src/flows)."""
UNKNOWN_BYTES = -1
"""What arrays of whole numbers hold where nothing is told: all bits set, signed or not."""

_ALL_BITS = COUNTER_MODULUS - 1
_MAX_TOLD = np.uint64(_ALL_BITS - 1)
_MAX_SIGNED = np.uint64(2**63 - 1)


class Kind(Enum):
    """How a measurement is differenced."""

    TIME = "of the data plane's clock: an interval has the difference in seconds"
    COUNTER = "counts up and wraps at 2^64: an interval has the advance, or idle_time.py uses it"
    GAUGE = "holds from this instant on"
    EXTREME = "of the time since the snapshot before: the interval's own"


class Metric(NamedTuple):
    """Its name without the ending for the kind, and what people read of it."""

    name: str
    help: str


@dataclass(frozen=True)
class Measurement:
    """A field of `Snapshot`, whose name ends in its unit.

    `registers` are those of P4Info, of 64 bits at most: of a counter the sum is meant, of a time
    the latest. The first has the name of the field in a mailbox record
    (p4src/adaptive/mailbox_packet.p4). `is_needed`: programs without it are refused. `metric`:
    samples and metrics have it. `share` is what the page calls a counter's share of the offered
    bytes, `mean` what it calls the mean number of what has been counted by its time.
    """

    name: str
    kind: Kind
    registers: tuple[str, ...]
    is_needed: bool = False
    metric: Metric | None = None
    share: str = ""
    mean: str = ""

    @property
    def unit(self) -> str:
        return self.name.rpartition("_")[2]

    @property
    def field(self) -> str:
        """The name in a mailbox record; a time is that of the packet."""
        return self.registers[0]


MEASUREMENTS = (
    Measurement("timestamp_us", Kind.TIME, ("departed_at_us", "busy_since_us"), is_needed=True),
    Measurement(
        "admitted_bytes",
        Kind.COUNTER,
        ("admitted_bytes",),
        is_needed=True,
        metric=Metric("p4abs_admitted_bytes", "Bytes admitted to the queue."),
    ),
    Measurement(
        "dropped_bytes",
        Kind.COUNTER,
        ("dropped_bytes",),
        is_needed=True,
        metric=Metric("p4abs_dropped_bytes", "Bytes that were dropped at the queue limit."),
    ),
    Measurement(
        "departed_bytes",
        Kind.COUNTER,
        ("departed_bytes",),
        is_needed=True,
        metric=Metric("p4abs_departed_bytes", "Bytes that the link has begun to send."),
    ),
    Measurement(
        "limit_bytes",
        Kind.GAUGE,
        ("queue_limit_bytes",),
        is_needed=True,
    ),
    Measurement("unsaturated_us", Kind.COUNTER, ("unsaturated_us", "unsaturated_wait_us")),
    Measurement("unsaturated_bytes", Kind.COUNTER, ("unsaturated_bytes",)),
    Measurement(
        "least_backlog_bytes",
        Kind.EXTREME,
        ("least_backlog_bytes",),
        metric=Metric("p4abs_backlog_least_bytes", "Minimum backlog of the queue in the interval."),
    ),
    Measurement(
        "greatest_backlog_bytes",
        Kind.EXTREME,
        ("greatest_backlog_bytes",),
        metric=Metric(
            "p4abs_backlog_greatest_bytes", "Maximum backlog of the queue in the interval."
        ),
    ),
    Measurement(
        "marked_bytes",
        Kind.COUNTER,
        ("marked_bytes",),
        metric=Metric(
            "p4abs_marked_bytes",
            "Bytes that were marked instead of dropped (ECN), part of the admitted ones.",
        ),
        share="marked_share",
    ),
    Measurement(
        "active_flow_us",
        Kind.COUNTER,
        ("active_flow_us",),
        metric=Metric(
            "p4abs_active_flow_seconds",
            "Active time, summed over all flows. Divided by the sampled time, it is the mean "
            "number of flows.",
        ),
        mean="active_flows",
    ),
    Measurement(
        "long_flow_us",
        Kind.COUNTER,
        ("long_flow_us",),
        metric=Metric(
            "p4abs_long_flow_seconds",
            "The same sum for long flows, which have been active for half a second or more.",
        ),
        mean="long_flows",
    ),
    Measurement(
        "untracked_bytes",
        Kind.COUNTER,
        ("untracked_bytes",),
        metric=Metric(
            "p4abs_untracked_bytes",
            "Bytes of flows that are not counted, because another flow has their cell.",
        ),
    ),
    Measurement(
        "timed_bytes",
        Kind.COUNTER,
        ("timed_bytes",),
        metric=Metric(
            "p4abs_timed_bytes",
            "Bytes of packets whose flow's round-trip time is known.",
        ),
    ),
    Measurement(
        "timed_byte_us",
        Kind.COUNTER,
        ("timed_byte_us",),
        metric=Metric(
            "p4abs_round_trip_byte_seconds",
            "Round-trip time, summed over timed bytes. Divided by the timed bytes, it is the mean.",
        ),
    ),
)

COUNTERS = tuple(each for each in MEASUREMENTS if each.kind is Kind.COUNTER and each.metric)
"""Those that an interval has."""
EXTREMES = tuple(each for each in MEASUREMENTS if each.kind is Kind.EXTREME)


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


def is_told(values: Any) -> Flags:
    """Whether the target tells them."""
    if not isinstance(values, np.ndarray):
        return values is not None
    return values == values if values.dtype.kind == "f" else values.view(np.int64) != UNKNOWN_BYTES


def told_advance(before: Any, after: Any) -> Any:
    """The advance of counters that not all targets have.

    Of one that has been taken back nothing is known.
    """
    if isinstance(after, np.ndarray):
        advanced = np.maximum(signed_advance(before, after), UNKNOWN_BYTES)
        return np.where(is_told(before) & is_told(after), advanced, UNKNOWN_BYTES)
    if before is None or after is None:
        return None
    advanced = signed_advance(before, after)
    return advanced if advanced >= 0 else None


class _Measured(Columns):
    """Base of structs with fields that a target may not tell."""

    __slots__ = ()
    _optional: ClassVar[frozenset[str]]

    def alone(self, port: int) -> Self:
        return type(self)(*(_own(column[port].item(), may) for column, may in self._told_columns()))

    def each(self) -> Iterator[Self]:
        """Those of the ports, one by one."""
        return map(type(self), *(_listed(*each) for each in self._told_columns()))

    def _told_columns(self) -> Iterator[tuple[NDArray[Any], bool]]:
        """With whether some ports may not tell them."""
        for name in self.__dataclass_fields__:
            yield getattr(self, name), name in self._optional


def _own(value: Any, may_be_unknown: bool) -> Any:
    is_unknown = may_be_unknown and (value != value or value in (UNKNOWN_BYTES, _ALL_BITS))
    return None if is_unknown else value


def _listed(column: NDArray[Any], may_be_unknown: bool) -> list[Any]:
    values: list[Any] = column.tolist()
    if may_be_unknown:
        for port in np.flatnonzero(~is_told(column)).tolist():
            values[port] = None
    return values


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot(_Measured):
    """Ports' registers. Byte counters are cumulative and wrap at 2^64.

    `timestamp_us` is the data plane's time at which `departed_bytes` was exact;
    `limit_bytes` is the limit in force from this snapshot on, 0 for none.

    `unsaturated_us` is the time in which the link was not busy throughout, `unsaturated_bytes` what
    it sent in that time: a link of C bit/s has been idle for unsaturated_us / 1e6 -
    8 unsaturated_bytes / C seconds. None: the target does not measure it. The extremes of the
    backlog are those since the snapshot before; None: not known. `marked_bytes`, cumulative, were
    marked instead of dropped; None: the target cannot. `active_flow_us` is the time for which flows
    were active, of all flows together, `long_flow_us` that of the long ones among them, and
    `untracked_bytes` belong to flows that are in neither; `timed_bytes` are of flows whose
    round-trip time is known, `timed_byte_us` these times that time (p4src/flows); None: not
    measured.
    """

    _optional = frozenset(each.name for each in MEASUREMENTS if not each.is_needed)

    timestamp_us: Ints
    admitted_bytes: Ints
    dropped_bytes: Ints
    departed_bytes: Ints
    limit_bytes: Ints
    unsaturated_us: Ints = None
    unsaturated_bytes: Ints = None
    least_backlog_bytes: Ints = None
    greatest_backlog_bytes: Ints = None
    marked_bytes: Ints = None
    active_flow_us: Ints = None
    long_flow_us: Ints = None
    untracked_bytes: Ints = None
    timed_bytes: Ints = None
    timed_byte_us: Ints = None

    @classmethod
    def batched(cls, ports: Sequence[Self]) -> Self:
        return cls(
            **{
                each.name: in_arrays(each, [getattr(port, each.name) for port in ports])
                for each in MEASUREMENTS
            }
        )

    @property
    def occupancy_bytes(self) -> Ints:
        """Bytes that stand in the queue."""
        return signed_advance(self.departed_bytes, self.admitted_bytes)

    @property
    def measures_idle(self) -> Flags:
        """Whether the target measures unsaturated operation."""
        return is_told(self.unsaturated_us) & is_told(self.unsaturated_bytes)


def in_arrays(measurement: Measurement, values: Sequence[int | None] | NDArray[Any]) -> Ints:
    """A field of `Snapshot` over ports: unsigned where it wraps, else signed.

    What does not fit is as much as does; so a counter that is told never has all bits set.
    """
    if isinstance(values, np.ndarray):
        told: NDArray[Any] = values.astype(np.uint64, copy=False)
        unknown = None
    else:
        unknown = [port for port, value in enumerate(values) if value is None]
        told = np.array([value or 0 for value in values] if unknown else values, np.uint64)
    if measurement.kind in (Kind.GAUGE, Kind.EXTREME):
        told = np.minimum(told, _MAX_SIGNED).astype(np.int64)
    elif not measurement.is_needed:
        told = np.minimum(told, _MAX_TOLD)
    if unknown:
        told.view(np.int64)[unknown] = UNKNOWN_BYTES
    return told


def unmeasured(measurement: Measurement, count: int) -> Ints:
    """The same of so many ports that do not tell it."""
    kind = np.int64 if measurement.kind in (Kind.GAUGE, Kind.EXTREME) else np.uint64
    return np.full(count, UNKNOWN_BYTES).astype(kind)


NOTHING = Snapshot(0, 0, 0, 0, 0)
"""Stands where there is no snapshot."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval(_Measured):
    """The bytes that ports admitted, dropped and sent during one control interval.

    `duration_s` comes from the data plane's own timestamps and is positive; byte counts are
    differences of counters and never negative. `idle_s`, from 0 to `duration_s`, is for how long
    the link had nothing to send; None: not measured. `least_backlog_bytes` and
    `greatest_backlog_bytes` are the extremes of what stood in the queue; None: not known.
    `marked_bytes` of the admitted ones were marked instead of dropped (ECN); None: the target
    cannot. Flows' times, untracked and timed bytes are those of `Snapshot`.
    Raises ValueError for anything else, of a port alone.
    """

    _optional = frozenset({"idle_s"}) | Snapshot._optional

    duration_s: Floats
    admitted_bytes: Ints
    dropped_bytes: Ints
    departed_bytes: Ints
    idle_s: Floats = None
    least_backlog_bytes: Ints = None
    greatest_backlog_bytes: Ints = None
    marked_bytes: Ints = None
    active_flow_us: Ints = None
    long_flow_us: Ints = None
    untracked_bytes: Ints = None
    timed_bytes: Ints = None
    timed_byte_us: Ints = None

    def __post_init__(self) -> None:
        if isinstance(self.duration_s, np.ndarray):
            return
        if not self.duration_s > 0:
            raise ValueError(f"interval of {self.duration_s} s: the duration must be positive")
        counts = (self.admitted_bytes, self.dropped_bytes, self.departed_bytes)
        if min(*counts, self.marked_bytes or 0) < 0:
            raise ValueError(f"{self}: byte counts must not be negative")
        if self.idle_s is not None and not 0 <= self.idle_s <= self.duration_s:
            raise ValueError(f"{self}: idle_s must be between 0 and duration_s")
        minimum, most = self.least_backlog_bytes, self.greatest_backlog_bytes
        if minimum is not None and most is not None and not 0 <= minimum <= most:
            raise ValueError(f"{self}: the least backlog must be between 0 and the greatest one")

    @classmethod
    def between(cls, before: Snapshot, after: Snapshot, idle_s: Floats) -> Self:
        """From one snapshot to the next, of each port."""
        counted = {
            each.name: (signed_advance if each.is_needed else told_advance)(
                getattr(before, each.name), getattr(after, each.name)
            )
            for each in COUNTERS
        }
        extremes = {each.name: getattr(after, each.name) for each in EXTREMES}
        duration_s = signed_advance(before.timestamp_us, after.timestamp_us) / 1e6
        return cls(duration_s=duration_s, idle_s=idle_s, **counted, **extremes)

    @classmethod
    def batched(cls, ports: Sequence[Self]) -> Self:
        names = cls.__dataclass_fields__
        return cls(*(_column(name, [getattr(port, name) for port in ports]) for name in names))

    @property
    def offered_bytes(self) -> Ints:
        """Bytes that arrived for the port, S1 + S2 in the ABS paper's section 4.1."""
        return self.admitted_bytes + self.dropped_bytes

    @property
    def is_signalled(self) -> Flags:
        """Whether senders were told to slow down, by a drop or by a mark (RFC 3168, section 5)."""
        marked_bytes = 0 if self.marked_bytes is None else self.marked_bytes
        return (self.dropped_bytes > 0) | (marked_bytes > 0)

    @property
    def long_flows(self) -> float | None:
        """The mean number of a port's long flows; None: not measured.

        It is taken that untracked packets are of as many flows as others, up to half of all.
        """
        if self.long_flow_us is None or self.untracked_bytes is None:
            return None
        tracked = 1 - self.untracked_bytes / max(1, self.offered_bytes)
        return float(self._mean_number(self.long_flow_us) / max(0.5, tracked))

    @property
    def round_trip_s(self) -> Floats:
        """The mean round-trip time by what flows send, without this port's queue; None for a port
        alone and NaN in arrays: none that can have been timed."""
        timed, timed_us = self.timed_bytes, self.timed_byte_us
        if timed is None or timed_us is None:
            return None
        mean_s = timed_us / maximum(timed, 1) / 1e6
        is_timed = (timed > 0) & (mean_s > 0) & (mean_s <= LONGEST_ROUND_TRIP_S)
        return choose(is_timed, mean_s, math.nan if isinstance(timed, np.ndarray) else None)

    @property
    def queue_bytes(self) -> Floats:
        """What stood in the queue, about: the middle of the extremes; nan: not known."""
        least, greatest = self.least_backlog_bytes, self.greatest_backlog_bytes
        if least is None or greatest is None:
            return math.nan
        known = is_told(least) & is_told(greatest)
        return choose(known, (least + greatest) / 2, math.nan)

    @property
    def mean_flows(self) -> tuple[Floats, Floats]:
        """The mean numbers of active and of long flows, as they were counted; nan: not measured."""
        return self._mean_number(self.active_flow_us), self._mean_number(self.long_flow_us)

    def _mean_number(self, flow_us: Ints) -> Floats:
        if flow_us is None:
            return math.nan
        return choose(is_told(flow_us), flow_us / 1e6 / self.duration_s, math.nan)

    @property
    def loss(self) -> Floats:
        """Fraction of the offered bytes that was dropped, p(n); 0 when nothing arrived."""
        return self.dropped_bytes / maximum(self.offered_bytes, 1)

    def utilization(self, capacity_bps: Floats) -> Floats:
        """Fraction of the time in which the link was not idle.

        Where that was not measured, the fraction of the capacity that was sent on the wire
        (section 2.3 of the ABS paper): an error of the capacity is then one of the utilization.
        """
        sent = 8 * self.departed_bytes / (capacity_bps * self.duration_s)
        if self.idle_s is None:
            return sent
        return choose(is_told(self.idle_s), 1 - self.idle_s / self.duration_s, sent)

    def idle_time_s(self, capacity_bps: Floats) -> Floats:
        """For how long the link was idle; what the departed bytes leave, where not measured."""
        left_s = maximum(self.duration_s - 8 * self.departed_bytes / capacity_bps, 0.0)
        return choose(is_told(self.idle_s), self.idle_s, left_s)

    def offered_load(self, capacity_bps: Floats) -> Floats:
        """Fraction of the capacity that arrived, the u(n) of the ABS paper's section 4.1."""
        return 8 * self.offered_bytes / (capacity_bps * self.duration_s)


def _column(name: str, values: Sequence[Any]) -> NDArray[Any]:
    """A field of `Interval` over ports."""
    if name.endswith("_s"):
        return np.array(values, np.float64)  # numpy takes None for NaN
    return np.array([UNKNOWN_BYTES if value is None else value for value in values], np.int64)
