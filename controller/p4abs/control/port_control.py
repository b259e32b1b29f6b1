"""The control of one port: from snapshots to intervals to limits. No clock, no switch."""

from dataclasses import dataclass, replace
from typing import Any

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
    """Holds a port's policy state, its last snapshot and the limit that it should have.

    A port whose data plane time has not moved yields no step: its next interval is longer. A new
    series begins where the data plane has started anew (time or counters went backwards) and
    after `longest_interval_s` without a departure: an idle port says nothing about its buffer.

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
        self.last: Snapshot | None = None
        self._policy = policy
        self._state = policy.start(limit_bytes)

    @property
    def limit_to_write(self) -> int | None:
        """The limit, unless the switch is known to have it already."""
        in_force = self.last.limit_bytes if self.last is not None else None
        return None if in_force == self.limit_bytes else self.limit_bytes

    def forget(self) -> None:
        """Starts a new series of snapshots, after a time without access to the switch."""
        self.last = None

    def observe(self, snapshot: Snapshot, memory_left_bytes: int | None) -> Step | None:
        """Takes the next snapshot; the decision is also the new `limit_bytes`."""
        previous, self.last = self.last, snapshot
        if previous is None:
            return None
        if _restarted(previous, snapshot):
            self.restarts += 1
            return None
        if snapshot.timestamp_us == previous.timestamp_us:
            # The counters of the interval's start, with the limit that is in force now.
            self.last = replace(previous, limit_bytes=snapshot.limit_bytes)
            return None
        interval = _interval(previous, snapshot)
        if interval.duration_s > self._longest_interval_s:
            return None
        self._state, decision = self._policy.step(self._state, interval, memory_left_bytes)
        self.limit_bytes = decision.limit_bytes
        return Step(interval, previous.limit_bytes, decision)


def _interval(previous: Snapshot, snapshot: Snapshot) -> Interval:
    return Interval(
        duration_s=(snapshot.timestamp_us - previous.timestamp_us) / 1e6,
        admitted_bytes=_advance(previous.admitted_bytes, snapshot.admitted_bytes),
        dropped_bytes=_advance(previous.dropped_bytes, snapshot.dropped_bytes),
        departed_bytes=_advance(previous.departed_bytes, snapshot.departed_bytes),
    )


def _restarted(previous: Snapshot, snapshot: Snapshot) -> bool:
    went_backwards = COUNTER_MODULUS // 2
    return snapshot.timestamp_us < previous.timestamp_us or any(
        _advance(before, after) >= went_backwards
        for before, after in (
            (previous.admitted_bytes, snapshot.admitted_bytes),
            (previous.dropped_bytes, snapshot.dropped_bytes),
            (previous.departed_bytes, snapshot.departed_bytes),
        )
    )


def _advance(before: int, after: int) -> int:
    return (after - before) % COUNTER_MODULUS
