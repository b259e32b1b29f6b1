"""`abs`: the ABS law as this project has developed it, the default policy.

I is the time in which the link had nothing to send. Names in parentheses are modules of
p4abs.policies.abs, for readers of the source.

    excess loss    e_p(n) = S2 / p* - (S1 + S2)          in offered bytes
    excess idling  e_u(n) = I / (1 - u*) - T             in seconds
    (6'')  ln b_p(n) = ln b_p(n-1) + e_p(n) / (q n_p)
    (7'')  ln b_u(n) = ln b_u(n-1) + e_u(n) / (h n_u)
    (9)    b(n) = max(b_u(n), b_p(n)) within its bounds and at most b(n-1) + M(n)

A *drop event* is a congestion event of the port: packets are dropped, then senders react
(`drop_events`). q and h are its typical size, in the units of the errors (`errors`), but at least
four drain times of the queue and two control intervals. The estimate b_p averages over n_p drop
events, b_u over n_u of them (`branch`). So the law has no time constant. It moves faster where
packets are dropped more often.

* Errors are sums of bytes and of idle time, not ratios of intervals, because loss is bursty. With
  the mean of ratios, as in (6) of the paper, loss was 2.65 % for a target of 2 %.
* Utilization is 1 - I/T, so it does not depend on the capacity. The capacity only turns limits into
  drain times, where an error of a few per cent does not matter.
* Each step changes the logarithm of the limit, so it is a share of the limit at every link rate.
* An ECN mark is no loss, but senders react to it as to a drop. So it begins a drop event.
* Idle time counts only if a drop follows it (`idling`), and only if it depends on the limit
  (`dependence`). Time in which a queue has packets and sends none is neither idle nor busy
  (`standstill`). The paper has rule (8) instead, for links that are no bottleneck. It makes their
  buffers too small.
* The smaller estimate never falls below three quarters of the limit. So it soon takes over when its
  target is missed.
* When the limit falls, a full queue drops more. These drops are not counted (`displacement`).
* If the program counts flows, the limit changes with their number at once (`feed_forward`). If few
  flows start on an idle link, the limit starts at C R / (8 sqrt(N)) or more (`start`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    Ints,
    any_of,
    between,
    choose,
    exp,
    log,
    maximum,
    minimum,
    without,
)
from p4abs.measurements import Interval
from p4abs.policies.abs.branch import Branch, Unit
from p4abs.policies.abs.dependence import QUIET_SAWTEETH, Dependence
from p4abs.policies.abs.displacement import Displacement
from p4abs.policies.abs.drop_events import DropEvents
from p4abs.policies.abs.errors import Errors
from p4abs.policies.abs.evidence import MIN_EVIDENCE
from p4abs.policies.abs.feed_forward import FeedForward
from p4abs.policies.abs.idling import Idling
from p4abs.policies.abs.light_queue import has_no_windows, have_joined
from p4abs.policies.abs.reach import Reach
from p4abs.policies.abs.standstill import Standstill
from p4abs.policies.abs.start import Start
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import BINDINGS, Binding, Decision, Decisions, Targets, number_of
from p4abs.policies.ranges import require_within

MIN_DRAIN_TIMES = 4.0
"""The drain times that a unit lasts at least. Sources react to a drop when the queue has drained,
and their reaction takes as long to be seen."""

MIN_INTERVALS = 2.0
"""The intervals that a unit lasts at least: a decision is in force one interval after its cause."""

FRAMES_OF_MIN_LIMIT = 2
"""Frames that fit into the lowest limit. A drop event is no smaller than one frame."""

FOLLOW = math.log(0.75)
"""How far the lower branch may lie below the limit, as a logarithm."""

MIN_PRECISION, MAX_PRECISION = 1e-3, 1e3
"""With the first a branch averages over a million events, with the second over as few as are
allowed, whatever their noise."""

MAX_IDLE_SHARE = 0.1
"""The idle share of an interval up to which the flows' windows count as filling the link."""

NEARLY = 0.1
"""A branch counts as following the limit if it lies at most this far above `FOLLOW`, because a
limit swings by as much."""

QUIET_DRAIN_TIMES = 8.0
"""The shortest sawtooth: two units."""


def _as_before(_now: Branch, before: Branch) -> Branch:
    return before


_BY_UTILIZATION, _BY_LOSS = number_of(Binding.UTILIZATION), number_of(Binding.LOSS)


@dataclass(frozen=True, slots=True, eq=False)
class AbsState(Columns):
    """Both branches with what is known of their errors, and the limit in force."""

    utilization: Branch
    loss: Branch
    idle_errors: Errors
    loss_errors: Errors
    drop_events: DropEvents
    idling: Idling
    dependence: Dependence
    standstill: Standstill
    displacement: Displacement
    feed_forward: FeedForward
    start: Start
    limit_bytes: Ints

    def started(self) -> "AbsState":
        """After a start: what its errors have taught is forgotten, and the limit stays."""
        expected_s = self.start.expected_s
        quiet_s = minimum(QUIET_SAWTEETH * expected_s, self.start.recovery_s)
        return replace(
            self,
            utilization=self.utilization.begun_anew(),
            idle_errors=self.idle_errors.expecting(expected_s, at_most=self.start.came_back),
            dependence=self.dependence.expecting(quiet_s),
        )


@dataclass(frozen=True, slots=True)
class Abs:
    """`precision`, 0.001 to 1000, is the only parameter. It trades steadiness for speed.

    With a smaller value the limit is steadier, but takes longer to reach a new value. An estimate
    averages over so many drop events that the average has the relative standard deviation
    `precision`.
    """

    name: ClassVar[str] = "abs"

    capacity_bps: float
    targets: Targets
    precision: float = 0.19
    _law: "AbsLaw" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        bounds = Bounds.of(self.capacity_bps, self.targets)
        require_within(MIN_PRECISION, MAX_PRECISION, self, "precision")
        law = AbsLaw(
            self.capacity_bps,
            self.targets.utilization,
            self.targets.loss,
            self.precision,
            self.targets.min_limit_bytes / FRAMES_OF_MIN_LIMIT,
            bounds,
            self.targets.shares_link,
        )
        object.__setattr__(self, "_law", law)

    @classmethod
    def batched(cls, ports: Sequence[Self]) -> "AbsLaw":
        return AbsLaw.batched([port._law for port in ports])

    def start(self, limit_bytes: int) -> AbsState:
        return self._law.begun(limit_bytes)

    def step(
        self, state: AbsState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[AbsState, Decision]:
        after, applied = self._law.stepped(state, interval, memory_left_bytes)
        unreachable = self._law.reach(after, applied.is_highest).words()
        binding = BINDINGS[applied.binding]
        return after, Decision(applied.limit_bytes, binding, applied.gains, unreachable)


@dataclass(frozen=True, slots=True)
class Applied:
    """The new limit, what binds (a number of BINDINGS), the gains, and whether no higher limit is
    allowed."""

    limit_bytes: Ints
    binding: Ints
    gains: dict[str, Floats]
    is_highest: Flags


@dataclass(frozen=True, slots=True, eq=False)
class AbsLaw(Columns):
    """The law of a port alone or of several; `wanted_utilization` is u*, `allowed_loss` p*.

    A drop event is no smaller than `frame_bytes`. Of a queue that `shares_link` idle time may be
    known not to depend on the limit (`light_queue`).
    """

    capacity_bps: Floats
    wanted_utilization: Floats
    allowed_loss: Floats
    precision: Floats
    frame_bytes: Floats
    bounds: Bounds
    shares_link: Flags = False

    def start(self, limit_bytes: Ints) -> AbsState:
        return self.begun(limit_bytes).over(len(limit_bytes))

    def step(
        self, state: AbsState, intervals: Interval, memory_left_bytes: Ints | None = None
    ) -> tuple[AbsState, Decisions]:
        after, applied = self.stepped(state, intervals, memory_left_bytes)
        unreachable = self.reach(after, applied.is_highest).words_of
        return after, Decisions(applied.limit_bytes, applied.binding, applied.gains, unreachable)

    def begun(self, limit_bytes: Ints) -> AbsState:
        """Both branches at the present limit; no drop seen yet."""
        limit_bytes = self.bounds.begun(limit_bytes)
        level = log(limit_bytes)
        return AbsState(
            utilization=Branch(level),
            loss=Branch(level),
            idle_errors=Errors(),
            loss_errors=Errors(),
            drop_events=DropEvents(),
            idling=Idling(),
            dependence=Dependence(),
            standstill=Standstill(),
            displacement=Displacement(low_bytes=1.0 * limit_bytes),
            feed_forward=FeedForward(),
            start=Start(),
            limit_bytes=limit_bytes,
        )

    def stepped(
        self, state: AbsState, interval: Interval, memory_left_bytes: Ints | None
    ) -> tuple[AbsState, Applied]:
        """Decides the new limit: both branches take their errors, and the larger one is applied."""
        bounds = self.bounds.tightened(state.limit_bytes, memory_left_bytes)
        within = log(bounds.lowest_bytes), log(bounds.highest_bytes)
        drop_events = state.drop_events.after(
            interval.duration_s,
            dropped=interval.is_signalled,
            drain_time_s=self._drain_time_s(state.limit_bytes),
        )
        idle_s = interval.idle_time_s(self.capacity_bps)
        standstill = state.standstill.after(
            interval.duration_s, moves=(interval.departed_bytes > 0) | (idle_s > 0)
        )
        stands = standstill.has_lasted(self._drain_time_s(state.limit_bytes))
        seen_s = choose(stands, 0.0, interval.duration_s)
        dependence = self._dependence(state, interval, seen_s, idle_s, drop_events.begins)

        loss, loss_errors, loss_gain = self._loss(state, interval, drop_events.begins, within)
        utilization, idle_errors, idling, utilization_gain = self._utilization(
            state, interval, seen_s, idle_s, drop_events.begins, dependence, within, loss.level
        )
        feed_forward = self._feed_forward(state, interval, idle_s, loss)
        busy_s, idles = self._sawtooth(state, seen_s, idle_s, drop_events.begins)
        start = self._start(state, interval, feed_forward.round_trip_s, busy_s, idles)
        loss, utilization = self._fed(state, loss, utilization, feed_forward, within)
        waits = feed_forward.waits
        limit_bytes, binding = bounds.limited(
            exp(maximum(loss.level, utilization.level)),
            choose(loss.level >= utilization.level, _BY_LOSS, _BY_UTILIZATION),
        )
        floor = log(limit_bytes) + FOLLOW
        after = AbsState(
            utilization=utilization.followed(floor),
            loss=loss.followed(floor),
            idle_errors=idle_errors.changed(waits, Errors.interrupted),
            loss_errors=loss_errors.changed(waits, Errors.interrupted),
            drop_events=drop_events,
            idling=idling,
            dependence=dependence,
            standstill=standstill,
            displacement=self._displacement(state, interval, limit_bytes),
            feed_forward=feed_forward,
            start=start,
            limit_bytes=limit_bytes,
        )
        after = after.changed(start.ends, AbsState.started)
        gains = {"utilization": utilization_gain, "loss": loss_gain}
        is_highest = limit_bytes >= self.bounds.highest_bytes
        return after, Applied(limit_bytes, binding, gains, is_highest)

    def _drain_time_s(self, limit_bytes: Ints) -> Floats:
        return 8 * limit_bytes / self.capacity_bps

    def _feed_forward(
        self, state: AbsState, interval: Interval, idle_s: Floats, loss: Branch
    ) -> FeedForward:
        active, long = interval.mean_flows
        round_trip_s = interval.round_trip_s
        is_busy = idle_s <= MAX_IDLE_SHARE * interval.duration_s
        return state.feed_forward.after(
            interval.duration_s,
            active,
            long,
            math.nan if round_trip_s is None else round_trip_s,
            interval.queue_bytes / state.limit_bytes,
            log(state.limit_bytes),
            self.capacity_bps / 8,
            binds=is_busy & (state.loss.level >= state.utilization.level),
            loses=loss.rising > MIN_EVIDENCE,
        )

    def _displacement(self, state: AbsState, interval: Interval, limit_bytes: Ints) -> Displacement:
        return state.displacement.after(
            interval.dropped_bytes,
            state.limit_bytes,
            limit_bytes,
            interval.duration_s / self._drain_time_s(limit_bytes),
        )

    def _sawtooth(
        self, state: AbsState, seen_s: Floats, idle_s: Floats, begins: Flags
    ) -> tuple[Floats, Flags]:
        """The length of the sawtooth that has just ended, and whether the link idled in it.

        The length is 0 if none has ended, if the link idled, or if the sawtooth is too short to
        show the effect of the drop before it.
        """
        before = state.dependence
        length_s = before.length_s + seen_s
        ends = begins & before.follows_a_drop
        idles = ends & (before.idle_s + idle_s > (1 - self.wanted_utilization) * length_s)
        shows = ends & (length_s >= MIN_DRAIN_TIMES * self._drain_time_s(state.limit_bytes))
        return choose(without(shows, idles), length_s, 0.0), idles

    def _start(
        self,
        state: AbsState,
        interval: Interval,
        round_trip_s: Floats,
        busy_s: Floats,
        idles: Flags,
    ) -> Start:
        active, long = interval.mean_flows
        return state.start.after(
            interval.duration_s,
            active,
            long,
            round_trip_s,
            self.capacity_bps / 8,
            self.frame_bytes,
            busy_s,
            idles,
        )

    def _fed(
        self,
        state: AbsState,
        loss: Branch,
        utilization: Branch,
        feed_forward: FeedForward,
        within: tuple[Floats, Floats],
    ) -> tuple[Branch, Branch]:
        """The branches after feed-forward. When the limit falls, a utilization branch that has
        followed it goes to the limit that keeps the link busy."""
        waits, moves = feed_forward.waits, feed_forward.moves
        loss = loss.changed(waits, _as_before, state.loss)
        utilization = utilization.changed(waits, _as_before, state.utilization)
        if not any_of(moves):
            return loss, utilization
        level = between(feed_forward.level, *within)
        needed = feed_forward.least_level(self.capacity_bps / 8)
        held = between(maximum(level + FOLLOW, needed), *within)
        held = minimum(held, log(state.limit_bytes))
        followed = utilization.level <= feed_forward.base_level + FOLLOW + NEARLY
        falls = moves & followed & (level < feed_forward.base_level)
        return (
            loss.changed(moves, Branch.moved, level),
            utilization.changed(falls, Branch.moved, held),
        )

    def _loss(
        self,
        state: AbsState,
        interval: Interval,
        begins: Flags,
        within: tuple[Floats, Floats],
    ) -> tuple[Branch, Errors, Floats]:
        """The loss branch and its gain per second at the capacity."""
        offered_bytes, dropped_bytes = interval.offered_bytes, interval.dropped_bytes
        # What the link can send, not what was offered: full intervals lose most and must not weigh
        # less.
        interval_bytes = interval.duration_s * self.capacity_bps / 8
        min_bytes = maximum(
            maximum(state.loss_errors.typical, self.frame_bytes / self.allowed_loss),
            MIN_INTERVALS * interval_bytes,
        )
        unit = Unit.of(min_bytes, MIN_DRAIN_TIMES * state.limit_bytes)
        due_bytes = dropped_bytes / self.allowed_loss
        errors = state.loss_errors.after(offered_bytes, due_bytes, unit.size, begins=begins)
        counted = state.displacement.counted(dropped_bytes) / self.allowed_loss - offered_bytes
        branch = state.loss.changed(
            offered_bytes > 0,
            Branch.after,
            offered_bytes,
            counted,
            unit,
            errors.spread,
            self.precision,
            within,
            begins=begins,
        )
        return branch, errors, self.capacity_bps / 8 / (unit.size * branch.averaged)

    def _utilization(
        self,
        state: AbsState,
        interval: Interval,
        seen_s: Floats,
        idle_s: Floats,
        begins: Flags,
        dependence: Dependence,
        within: tuple[Floats, Floats],
        loss_level: Floats,
    ) -> tuple[Branch, Errors, Idling, Floats]:
        """The utilization branch and its gain per second. `seen_s` is the interval without the time
        in which the queue stood still."""
        nuisance_s = idle_s / (1 - self.wanted_utilization)
        min_s = maximum(state.idle_errors.typical, MIN_INTERVALS * interval.duration_s)
        unit = Unit.of(min_s, MIN_DRAIN_TIMES * self._drain_time_s(state.limit_bytes))
        errors = state.idle_errors.after(seen_s, nuisance_s, unit.size, begins=begins)
        counted_s, idling = state.idling.after(
            nuisance_s - seen_s, unit.size, dropped=interval.is_signalled
        )
        # Idle time before the first drop, or longer than sawteeth, belongs to no drop event.
        errors = errors.changed(dependence.is_quiet, Errors.interrupted)
        idling = Idling(choose(errors.is_event, idling.waiting_s, 0.0))
        recovers = dependence.recovers(1 - self.wanted_utilization)
        counted_s = choose(recovers, maximum(counted_s, 0.0), counted_s)
        is_own = dependence.is_own | (self.shares_link & has_no_windows(state.start))
        if any_of(is_own):
            # A larger buffer would gain nothing; without traffic, nothing is known.
            own_s = choose(interval.offered_bytes > 0, -seen_s, 0.0)
            counted_s = choose(is_own, own_s, counted_s)
            idling = Idling(choose(is_own, 0.0, idling.waiting_s))
        lowest, highest = within
        lowest = maximum(lowest, dependence.lowest_level(state.utilization.level, seen_s))
        lowest = maximum(lowest, state.start.lowest_level)
        branch = state.utilization.after(
            seen_s,
            counted_s,
            unit,
            errors.spread,
            self.precision,
            (lowest, highest),
            begins=begins,
        )
        is_light = self.shares_link & dependence.is_quiet & (interval.offered_bytes > 0)
        level = maximum(minimum(branch.level, loss_level), lowest)
        branch = branch.changed(is_light, Branch.at, level)
        return branch, errors, idling, 1 / (unit.size * branch.averaged)

    def _dependence(
        self,
        state: AbsState,
        interval: Interval,
        seen_s: Floats,
        idle_s: Floats,
        begins: Flags,
    ) -> Dependence:
        allowed, level = 1 - self.wanted_utilization, state.utilization.level
        shortest_s = QUIET_DRAIN_TIMES * self._drain_time_s(state.limit_bytes)
        now = state.dependence.after(seen_s, idle_s, allowed, shortest_s)
        now = now.changed(begins, Dependence.dropped, allowed, level, shortest_s, self.shares_link)
        joined = have_joined(interval, state.start, state.feed_forward.count)
        return now.changed(self.shares_link & joined, Dependence.of_others)

    def reach(self, state: AbsState, is_highest: Flags) -> Reach:
        """Which target is out of reach; `is_highest`: no larger limit is allowed."""
        dependence = state.dependence
        return Reach(
            wanted_utilization=self.wanted_utilization,
            idles_anyway=dependence.is_own,
            idle_share=dependence.idle_share,
            allowed_loss=self.allowed_loss,
            loses_anyway=is_highest & (state.loss.rising > MIN_EVIDENCE),
        )
