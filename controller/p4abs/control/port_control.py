"""The control of one port: from snapshots to intervals to limits. No clock, no switch."""

from dataclasses import dataclass, replace
from typing import Any

from p4abs.control.capacity import FULL_FRAME_BYTES, CapacityMeter, rate_of_shared_link
from p4abs.control.idle_time import IdleTime
from p4abs.control.notices import Notices
from p4abs.control.series import News, SnapshotSeries
from p4abs.control.sizer import Sizer, Sizing
from p4abs.measurements import Interval, Snapshot
from p4abs.policies import Decision, Policy


@dataclass(frozen=True, slots=True)
class Step:
    """One interval with the limit that was in force and the decision that followed."""

    interval: Interval
    limit_bytes: int
    decision: Decision


class PortControl:
    """Holds a port's sizing policy, its snapshots and the limit that it should have.

    If the time of the data plane has not moved, there is no step, and the next interval is longer.
    If the data plane has started anew, a new series begins. An interval longer than
    `longest_interval_s` contains a pause of the sources, which says nothing about the buffer. If
    idle time is measured, the policy gets the interval without the excess; otherwise it does not
    get the interval.

    A port without a declared capacity has no policy, until `sizing` makes one for the measured
    capacity. Without `measures_idle`, utilization is departed bytes over the declared capacity.

    A queue that `shares_link` with other queues sends its frames at the declared capacity. Its own
    capacity is what the other queues leave to it, as measured.

    A decided limit takes effect when it is written. The control loop writes it with its next
    exchange, so that the limit decided from interval n governs interval n+2. A simulation writes it
    at once, so that it governs interval n+1.
    """

    def __init__(
        self,
        port: int,
        capacity_bps: int | None,
        policy: Policy[Any] | None,
        limit_bytes: int,
        longest_interval_s: float = 1.0,
        sizing: Sizing | None = None,
        measures_idle: bool = True,
        mtu_bytes: int = FULL_FRAME_BYTES,
        shares_link: bool = False,
    ) -> None:
        self.port = port
        self.declared_capacity_bps = capacity_bps
        self.restarts = 0
        self._longest_interval_s = longest_interval_s
        self._measures_idle = measures_idle
        self._shares_link = shares_link
        self._sizer = Sizer(policy, limit_bytes, sizing)
        self._series = SnapshotSeries()
        self._idle_time = IdleTime()
        self._meter = CapacityMeter(mtu_bytes, rate_of_shared_link(capacity_bps, shares_link))
        self._notices = Notices()

    @property
    def limit_bytes(self) -> int:
        """The limit that the port should have; 0: none."""
        return self._sizer.limit_bytes

    @property
    def last(self) -> Snapshot | None:
        return self._series.last

    @property
    def limit_in_force(self) -> int | None:
        """The limit at the last snapshot; None: there is none."""
        return None if self.last is None else self.last.limit_bytes

    @property
    def occupancy_bytes(self) -> int:
        """What stood in the queue at the last snapshot."""
        return 0 if self.last is None else self.last.occupancy_bytes

    @property
    def limit_to_write(self) -> int | None:
        """The limit, unless the switch is known to have it already."""
        return None if self.limit_in_force == self.limit_bytes else self.limit_bytes

    @property
    def measured_capacity_bps(self) -> int | None:
        """The link's capacity as measured; None while it is not known."""
        return self._meter.capacity_bps

    @property
    def capacity_bps(self) -> int | None:
        """The measured capacity, or else the declared one; for a queue, at most the declared
        one."""
        return self._own_bps or self.declared_capacity_bps

    @property
    def _own_bps(self) -> int | None:
        """The capacity that the policy is made for: as measured; for a queue, at most the
        link's."""
        measured_bps, declared_bps = self.measured_capacity_bps, self.declared_capacity_bps
        if self._shares_link and measured_bps is not None and declared_bps is not None:
            return min(measured_bps, declared_bps)
        return measured_bps

    def begin_at(self, limit_bytes: int) -> None:
        """Begins anew at this limit, with the policy that it has."""
        self._sizer.begin_at(limit_bytes)

    def adopt(
        self, policy: Policy[Any] | None, limit_bytes: int, sizing: Sizing | None = None
    ) -> None:
        """Another policy begins at this limit; the series and the measured capacity go on."""
        self._sizer = Sizer(policy, limit_bytes, sizing)

    def forget(self) -> None:
        """Starts a new series of snapshots, after a time without access to the switch."""
        self._series.forget()
        self._begin()

    def take_notices(self) -> list[str]:
        """What people should know and have not been told yet, in one line each."""
        return self._notices.take()

    def decide(
        self, snapshot: Snapshot, memory_left_bytes: int | None, *, waits: bool = False
    ) -> Step | None:
        """Takes the next snapshot; the decision is also the new `limit_bytes`.

        `memory_left_bytes`: see `Policy`. If the policy `waits`, it is not stepped.
        """
        previous = self._series.last
        news = self._series.add(snapshot)
        if news is News.RESTART:
            self.restarts += 1
            self._begin()
        if self._measures_idle and not snapshot.measures_idle:
            self._notices.idle_time_is_not_measured()
        if news is not News.NEXT or previous is None or self._series.last is None:
            return None
        last = self._series.last
        interval = Interval.between(previous, last, self._idle_s(previous, last))
        if self._own_bps is not None:
            self._sizer.learn_capacity(self._own_bps)
        relevant = self._without_pause(interval)
        if relevant is None:
            return None
        decision = self._sizer.wait() if waits else self._sizer.step(relevant, memory_left_bytes)
        return Step(interval, previous.limit_bytes, decision)

    def _begin(self) -> None:
        self._idle_time.forget()
        self._meter.forget()

    def _idle_s(self, previous: Snapshot, snapshot: Snapshot) -> float | None:
        if not self._measures_idle:
            return None
        self._meter.add(previous, snapshot)
        measured_bps = self._meter.capacity_bps
        if measured_bps is not None and self._meter.is_settled and not self._shares_link:
            self._notices.capacity_is_measured(self.declared_capacity_bps, measured_bps)
        link_bps = self.declared_capacity_bps if self._shares_link else self.capacity_bps
        if link_bps is None:
            return None
        return self._idle_time.between(previous, snapshot, link_bps)

    def _without_pause(self, interval: Interval) -> Interval | None:
        excess_s = interval.duration_s - self._longest_interval_s
        if excess_s <= 0:
            return interval
        if interval.idle_s is None:
            return None
        pause_s = min(excess_s, interval.idle_s)
        return replace(
            interval, duration_s=interval.duration_s - pause_s, idle_s=interval.idle_s - pause_s
        )
