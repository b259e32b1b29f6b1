"""The control of one port: from snapshots to intervals to limits. No clock, no switch."""

from dataclasses import dataclass, replace
from typing import Any

from p4abs.control.idle_time import IdleTime
from p4abs.control.series import News, SnapshotSeries
from p4abs.interval import Interval
from p4abs.policies import Decision, Policy
from p4abs.snapshot import COUNTER_MODULUS, Snapshot


@dataclass(frozen=True, slots=True)
class Step:
    """One interval with the limit that was in force and the decision that followed."""

    interval: Interval
    limit_bytes: int
    decision: Decision


class PortControl:
    """Holds a port's policy state, its snapshots and the limit that it should have.

    A port whose data plane time has not moved yields no step: its next interval is longer. A new
    series begins where the data plane has started anew. An interval longer than
    `longest_interval_s` ends a pause of the sources, which says nothing about the buffer: where
    idle time is measured, the policy gets the interval without the excess of it; else it gets
    none.

    When a decided limit takes effect is up to who writes it: the control loop does with its next
    exchange, so that the limit decided from interval n governs interval n+2; a simulation at once,
    so that it governs interval n+1.
    """

    def __init__(
        self,
        port: int,
        capacity_bps: int,
        policy: Policy[Any],
        limit_bytes: int,
        longest_interval_s: float = 1.0,
    ) -> None:
        self.port = port
        self.capacity_bps = capacity_bps
        self._longest_interval_s = longest_interval_s
        self.limit_bytes = limit_bytes
        self.restarts = 0
        self._series = SnapshotSeries()
        self._idle_time = IdleTime()
        self._policy = policy
        self._state = policy.start(limit_bytes)

    @property
    def limit_to_write(self) -> int | None:
        """The limit, unless the switch is known to have it already."""
        last = self._series.last
        return (
            None if last is not None and last.limit_bytes == self.limit_bytes else self.limit_bytes
        )

    def forget(self) -> None:
        """Starts a new series of snapshots, after a time without access to the switch."""
        self._series.forget()
        self._idle_time.forget()

    def observe(self, snapshot: Snapshot, memory_left_bytes: int | None) -> Step | None:
        """Takes the next snapshot; the decision is also the new `limit_bytes`."""
        previous = self._series.last
        news = self._series.add(snapshot)
        if news is News.RESTART:
            self.restarts += 1
            self._idle_time.forget()
        if news is not News.NEXT or previous is None or self._series.last is None:
            return None
        interval = self._interval(previous, self._series.last)
        relevant = self._without_pause(interval)
        if relevant is None:
            return None
        self._state, decision = self._policy.step(self._state, relevant, memory_left_bytes)
        self.limit_bytes = decision.limit_bytes
        return Step(interval, previous.limit_bytes, decision)

    def _interval(self, previous: Snapshot, snapshot: Snapshot) -> Interval:
        return Interval(
            duration_s=(snapshot.timestamp_us - previous.timestamp_us) / 1e6,
            admitted_bytes=_advance(previous.admitted_bytes, snapshot.admitted_bytes),
            dropped_bytes=_advance(previous.dropped_bytes, snapshot.dropped_bytes),
            departed_bytes=_advance(previous.departed_bytes, snapshot.departed_bytes),
            idle_s=self._idle_time.between(previous, snapshot, self.capacity_bps),
            least_backlog_bytes=snapshot.least_backlog_bytes,
            greatest_backlog_bytes=snapshot.greatest_backlog_bytes,
        )

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


def _advance(before: int, after: int) -> int:
    return (after - before) % COUNTER_MODULUS
