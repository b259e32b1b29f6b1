"""`dql`: Linux's dynamic queue limits, lib/dynamic_queue_limits.c, adapted to a drop-tail queue.

Linux limits the bytes that wait in a network card. Senders wait, and nothing is dropped:

    the card ran empty while senders waited:   limit += the bytes it could have sent meanwhile
    it was busy for a hold time:               limit -= slack, the smallest unused part in that time

Here the switch drops packets beyond the limit instead. After a drop, TCP reacts a round trip later,
while a driver reacts at once. So idle time counts if it follows a drop within one hold time. The
bytes that the link could have sent are its capacity times the idle time. The slack is the minimum
backlog. If the backlog is not measured, the limit does not shrink. The rule has no targets: it
allows no idle time, and takes all memory that this needs.
"""

from dataclasses import dataclass
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, Targets
from p4abs.policies.port_by_port import AlonePolicy
from p4abs.policies.ranges import require_positive


@dataclass(frozen=True, slots=True)
class DqlState:
    """The limit in bytes; since when the slack is looked for, and the least so far (None: none
    known yet); the time since the last drop (None: there was none)."""

    limit_bytes: int
    searched_s: float
    slack_bytes: int | None
    since_drop_s: float | None


@dataclass(frozen=True, slots=True)
class Dql(AlonePolicy[DqlState]):
    """`slack_hold_s` is Linux's `slack_hold_time`, 1 s."""

    name: ClassVar[str] = "dql"

    capacity_bps: float
    targets: Targets
    slack_hold_s: float = 1.0

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        require_positive(self, "slack_hold_s")

    def start(self, limit_bytes: int) -> DqlState:
        """The present limit; nothing known of slack and drops."""
        limit = Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes)
        return DqlState(limit, 0.0, None, None)

    def step(
        self, state: DqlState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[DqlState, Decision]:
        """Adds what was missing after a starved interval, or takes the slack after a hold time."""
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        idle_bytes = self._idle_bytes(interval)
        since_drop_s = _since_drop_s(state, interval)
        searched_s, slack_bytes = state.searched_s, state.slack_bytes
        wanted_bytes = float(state.limit_bytes)
        if idle_bytes > 0:
            if since_drop_s is not None and round(since_drop_s, 6) <= self.slack_hold_s:
                wanted_bytes += idle_bytes
            searched_s, slack_bytes = 0.0, None
        else:
            searched_s += interval.duration_s
            slack_bytes = _minimum(slack_bytes, interval.least_backlog_bytes)
            # Data planes count microseconds; a sum of seconds may fall short of them by a hair.
            if round(searched_s, 6) >= self.slack_hold_s:
                wanted_bytes -= slack_bytes or 0
                searched_s, slack_bytes = 0.0, None
        limit_bytes, binding = bounds.applied(wanted_bytes, Binding.UTILIZATION)
        after = DqlState(limit_bytes, searched_s, slack_bytes, since_drop_s)
        return after, Decision(limit_bytes, binding, {})

    def _idle_bytes(self, interval: Interval) -> float:
        """What the link could have sent besides; a byte's worth of rounding is none."""
        idle_bytes = self.capacity_bps * interval.idle_time_s(self.capacity_bps) / 8
        return idle_bytes if idle_bytes >= 1 else 0.0


def _since_drop_s(state: DqlState, interval: Interval) -> float | None:
    if interval.dropped_bytes:
        return 0.0
    return None if state.since_drop_s is None else state.since_drop_s + interval.duration_s


def _minimum(slack_bytes: int | None, backlog_bytes: int | None) -> int:
    """The smaller of what was found so far and the latest; an unknown backlog counts as none."""
    latest = backlog_bytes or 0
    return latest if slack_bytes is None else min(slack_bytes, latest)
