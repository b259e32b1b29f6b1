"""What `PortControl` does for a port alone, for all ports of a switch at once."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from p4abs.columns import ByPort, Flags, Floats, Ints, Positions, any_of
from p4abs.control.batched.series import SwitchSeries
from p4abs.control.batched.sizer import SwitchSizer
from p4abs.control.capacity import CapacityMeters, rate_of_shared_link
from p4abs.control.idle_time import IdleTime
from p4abs.control.memory.queues import Queues
from p4abs.control.notices import Notices
from p4abs.control.sample import Steps
from p4abs.control.sizer import is_near
from p4abs.control.switch_control import ControlledPort, SwitchControl
from p4abs.measurements import Interval, Snapshot
from p4abs.queues import port_text
from p4abs.snapshots import snapshots_at


class BatchedControl(SwitchControl, ByPort):
    """See `SwitchControl`."""

    _by_port = (
        "_declared_bps",
        "_longest_interval_s",
        "_measures_idle",
        "_shares_link",
        "_sizer",
        "_series",
        "_idle_time",
        "_meters",
        "_notices",
        "_unmeasured_said",
        "_capacity_said",
    )

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        super().__init__(ports)
        self._declared_bps = np.array([port.capacity_bps or np.nan for port in ports], np.float64)
        self._longest_interval_s = np.array([port.longest_interval_s for port in ports])
        self._measures_idle = np.array([port.measures_idle for port in ports])
        self._shares_link = np.array([port.shares_link for port in ports])
        self._sizer = SwitchSizer(ports)
        self._series = SwitchSeries(len(ports))
        self._idle_time = IdleTime(len(ports))
        self._meters = CapacityMeters(
            [port.mtu_bytes for port in ports],
            [rate_of_shared_link(port.capacity_bps, port.shares_link) for port in ports],
        )
        self._notices = [Notices() for _ in ports]
        self._unmeasured_said = np.zeros(len(ports), np.bool_)
        self._capacity_said = np.zeros(len(ports), np.bool_)

    @property
    def measured_capacity_bps(self) -> Floats:
        """The links' capacities as measured; NaN: not known."""
        return self._meters.capacity_bps

    @property
    def capacity_bps(self) -> Floats:
        """The measured capacities, or else the declared ones; for queues, at most the declared
        ones. NaN: not known."""
        own_bps = self._own_bps
        return np.where(np.isnan(own_bps), self._declared_bps, own_bps)

    @property
    def _own_bps(self) -> Floats:
        """The capacities that policies are made for: as measured; for queues, at most the
        link's."""
        measured_bps = self._meters.capacity_bps
        is_above = self._shares_link & (measured_bps > self._declared_bps)
        return np.where(is_above, self._declared_bps, measured_bps)

    def port(self, number: int) -> "BatchedPort":
        return BatchedPort(self, self._positions[number])

    def limit_in_force(self, number: int) -> int | None:
        position = self._positions[number]
        if not self._series.has_begun[position]:
            return None
        return int(self._series.last.limit_bytes[position])

    def _own_limits(self) -> list[int]:
        limits: list[int] = self._sizer.limit_bytes.tolist()
        return limits

    def _own_limit_bytes(self) -> Ints:
        return self._sizer.limit_bytes

    def capacities(self) -> dict[int, int | None]:
        return {
            port: None if math.isnan(capacity_bps) else int(capacity_bps)
            for port, capacity_bps in zip(self.numbers, self.capacity_bps.tolist(), strict=True)
        }

    def _adopt(self, ports: Sequence[ControlledPort]) -> None:
        self._sizer.adopt([self._positions[port.port] for port in ports], ports)

    def _replace(self, staying: Positions, come: Sequence[ControlledPort]) -> None:
        self.keep(staying)
        if come:
            self.join(BatchedControl(come))

    def _begin_at(self, limits: Mapping[int, int]) -> None:
        positions = np.array([self._positions[number] for number in limits], np.intp)
        self._sizer.begin_at(positions, np.array([*limits.values()], np.int64))

    def _decided_to_write(self) -> dict[int, int]:
        limit_bytes = self._limit_bytes()
        differ = ~self._series.has_begun | (self._series.last.limit_bytes != limit_bytes)
        return {
            self.numbers[port]: limit
            for port, limit in zip(
                np.flatnonzero(differ), limit_bytes[differ].tolist(), strict=True
            )
        }

    def forget(self) -> None:
        self._series.forget()
        self._begin(np.ones(len(self.numbers), np.bool_))

    def _decide(
        self, taken: Mapping[int, Snapshot], room_bytes: Ints | None, waits: Flags | None
    ) -> tuple[Steps | None, Callable[[], Queues]]:
        snapshots, present = snapshots_at(self.numbers, taken)
        before, had = self._series.last, self._series.has_begun

        def queues() -> Queues:
            series = self._series
            return Queues.between(before, had, series.last, series.has_begun, present)

        ended, restarted = self._series.add(snapshots, present)
        if len(restarted):
            self._restarted += [self.numbers[port] for port in restarted.tolist()]
            self._begin(np.isin(np.arange(len(present)), restarted))
        self._say_what_is_not_measured(present & ~snapshots.measures_idle)
        if not any_of(ended):
            return None, queues
        last = self._series.last
        intervals = Interval.between(before, last, self._idle_s(before, last, ended))
        return self._steps(before, intervals, ended, room_bytes, waits), queues

    def _begin(self, flags: Flags) -> None:
        self._idle_time.forget(flags)
        self._meters.forget(flags)

    def _idle_s(self, before: Snapshot, after: Snapshot, ended: Flags) -> Floats:
        measured = ended & self._measures_idle & before.measures_idle & after.measures_idle
        self._meters.add(before, after, measured)
        is_told = self._measures_idle & ~self._shares_link
        self._say_what_was_measured(ended & is_told & self._meters.is_settled)
        link_bps = np.where(self._shares_link, self._declared_bps, self.capacity_bps)
        known = measured & ~np.isnan(link_bps)
        return self._idle_time.between_columns(before, after, link_bps, known)

    def _steps(
        self,
        before: Snapshot,
        intervals: Interval,
        ended: Flags,
        room_bytes: Ints | None,
        waits: Flags | None,
    ) -> Steps:
        relevant = intervals
        excess_s = intervals.duration_s - self._longest_interval_s
        if any_of(ended & (excess_s > 0)):
            ended = ended & ((excess_s <= 0) | ~np.isnan(intervals.idle_s))
            relevant = _without_pauses(intervals, excess_s)
        ports = np.flatnonzero(ended)
        measured_bps = self._meters.capacity_bps[ports]
        own_bps = self._own_bps[ports]
        decisions = self._sizer.step(ports, relevant.take(ports), own_bps, room_bytes, waits)
        return Steps(
            ports,
            intervals.take(ports),
            before.limit_bytes[ports],
            decisions,
            self._series.last.occupancy_bytes[ports],
            measured_bps,
            self.capacity_bps[ports],
        )

    def _say_what_is_not_measured(self, unmeasured: Flags) -> None:
        news = unmeasured & self._measures_idle & ~self._unmeasured_said
        for port in np.flatnonzero(news).tolist():
            self._notices[port].idle_time_is_not_measured()
            self._unmeasured_said[port] = True
            self._take_notices(port)

    def _say_what_was_measured(self, settled: Flags) -> None:
        is_news = settled & ~is_near(self._meters.capacity_bps, self._declared_bps)
        for port in np.flatnonzero(is_news & ~self._capacity_said).tolist():
            declared_bps = self._declared_bps[port]
            self._notices[port].capacity_is_measured(
                None if np.isnan(declared_bps) else int(declared_bps),
                int(self._meters.capacity_bps[port]),
            )
            self._capacity_said[port] = True
            self._take_notices(port)

    def _take_notices(self, port: int) -> None:
        self._lines += [
            f"{port_text(self.numbers[port])}: {line}" for line in self._notices[port].take()
        ]


@dataclass(frozen=True, slots=True)
class BatchedPort:
    """One of the ports, by its position, see `PortOfSwitch`."""

    control: BatchedControl
    position: int

    @property
    def limit_bytes(self) -> int:
        return self.control.limits()[self.control.numbers[self.position]]

    @property
    def measured_capacity_bps(self) -> int | None:
        measured_bps = self.control.measured_capacity_bps[self.position]
        return None if np.isnan(measured_bps) else int(measured_bps)


def _without_pauses(intervals: Interval, excess_s: Floats) -> Interval:
    pause_s = np.where(excess_s > 0, np.fmin(excess_s, intervals.idle_s), 0.0)
    return replace(
        intervals,
        duration_s=intervals.duration_s - pause_s,
        idle_s=intervals.idle_s - pause_s,
    )
