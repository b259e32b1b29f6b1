"""`abs`: the second generation of the ABS law, the default policy.

With S1 and S2 the bytes admitted and dropped in an interval of length T, and I the time in which
the link had nothing to send:

    excess loss    e_p(n) = S2 / p* - (S1 + S2)          in offered bytes
    excess idling  e_u(n) = I / (1 - u*) - T             in seconds
    (6'')  ln b_p(n) = ln b_p(n-1) + e_p(n) / (q n_p)
    (7'')  ln b_u(n) = ln b_u(n-1) + e_u(n) / (h n_u)
    (9)    b(n) = max(b_u(n), b_p(n)) within its bounds and at most b(n-1) + M(n)

q and h are the typical size of a drop event, in the same units as the errors (`errors`), n_p
and n_u the events over which a branch averages (`branch`). So nothing here has a length of its own:
a port's clock is its own drop events, no shorter than some drain times of its queue or intervals of
the control.

* Errors are sums of bytes and of idle time, not ratios of intervals: loss is bursty, and the mean
  of ratios, as in (6) of the paper, delivered 2.65 % for 2.00 % asked.
* Utilization is measured by idle time, 1 - I/T, so an error in the capacity moves nothing;
  the capacity turns limits into drain times, for which a few per cent do not matter.
* Logarithms: the buffer moves by a fraction of itself at every rate.
* Idle time counts when a drop follows (`idling`) and while it depends on the limit (`dependence`);
  (8), the paper's remedy for links that are no bottleneck, starves the link whatever u* is.
* Anti-windup by following: the branch that does not bind never lies more than a quarter below the
  applied limit, so that a change of the binding target takes few events.
* Drops that a falling limit displaces from a full queue are not counted (`displacement`).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from p4abs.interval import Interval
from p4abs.policies.abs.branch import LEAST_EVIDENCE, Branch, Unit
from p4abs.policies.abs.dependence import Dependence
from p4abs.policies.abs.drop_events import DropEvents
from p4abs.policies.abs.errors import Errors
from p4abs.policies.abs.idling import Idling
from p4abs.policies.bounds import Bounds
from p4abs.policies.displacement import Displacement
from p4abs.policies.policy import Binding, Decision, Targets
from p4abs.policies.ranges import require_positive

LEAST_DRAIN_TIMES = 4.0
"""A unit lasts at least so long: sources answer a drop when the queue has drained, and the answer
takes as long to be seen."""

LEAST_INTERVALS = 2.0
"""And so many intervals: a decision is in force one interval after its cause."""

FRAMES_OF_LEAST_LIMIT = 2
"""What fits into the lowest limit: a drop event is no smaller than one frame."""

FOLLOW = math.log(0.75)
"""How far the other branch may lie below the limit."""

QUIET_DRAIN_TIMES = 8.0
"""The shortest sawtooth: two units."""


@dataclass(frozen=True, slots=True)
class AbsState:
    """Both branches with what is known of their errors, and the limit in force."""

    utilization: Branch
    loss: Branch
    idle_errors: Errors
    loss_errors: Errors
    drop_events: DropEvents
    idling: Idling
    dependence: Dependence
    displacement: Displacement
    limit_bytes: int


@dataclass(frozen=True, slots=True)
class Abs:
    """The law. `capacity_bps` turns bytes into drain times and a delay cap into a bound.

    `precision` is the relative standard deviation of the errors' mean over which a branch averages:
    a smaller one holds the limit more steadily and finds a new one later.
    """

    name: ClassVar[str] = "abs"

    capacity_bps: float
    targets: Targets
    precision: float = 0.19

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        require_positive(self, "precision")

    def start(self, limit_bytes: int) -> AbsState:
        """Both branches at the present limit; no drop seen yet."""
        limit = round(Bounds.of(self.capacity_bps, self.targets).clamp(limit_bytes))
        level = math.log(limit)
        return AbsState(
            utilization=Branch(level),
            loss=Branch(level),
            idle_errors=Errors(),
            loss_errors=Errors(),
            drop_events=DropEvents(),
            idling=Idling(),
            dependence=Dependence(),
            displacement=Displacement(low_bytes=limit),
            limit_bytes=limit,
        )

    def step(
        self, state: AbsState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[AbsState, Decision]:
        """Both branches take their errors; the larger limit is applied."""
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        lowest, highest = math.log(bounds.lowest_bytes), math.log(bounds.highest_bytes)
        dropped = interval.dropped_bytes > 0
        drop_events = state.drop_events.after(
            interval.duration_s, dropped=dropped, drain_time_s=self._drain_time_s(state.limit_bytes)
        )
        idle_s = interval.idle_time_s(self.capacity_bps)
        dependence = self._dependence(state, interval.duration_s, idle_s, drop_events.begins)

        loss, loss_errors, loss_gain = self._loss(
            state, interval, drop_events.begins, (lowest, highest)
        )
        utilization, idle_errors, idling, utilization_gain = self._utilization(
            state, interval, idle_s, drop_events.begins, dependence.is_own, (lowest, highest)
        )
        by_loss = loss.level >= utilization.level
        limit_bytes, binding = bounds.applied(
            math.exp(max(loss.level, utilization.level)),
            Binding.LOSS if by_loss else Binding.UTILIZATION,
        )
        floor = math.log(limit_bytes) + FOLLOW
        after = AbsState(
            utilization=utilization.followed(floor),
            loss=loss.followed(floor),
            idle_errors=idle_errors,
            loss_errors=loss_errors,
            drop_events=drop_events,
            idling=idling,
            dependence=dependence,
            displacement=state.displacement.after(
                interval.dropped_bytes,
                state.limit_bytes,
                limit_bytes,
                interval.duration_s / self._drain_time_s(limit_bytes),
            ),
            limit_bytes=limit_bytes,
        )
        gains = {"utilization": utilization_gain, "loss": loss_gain}
        unreachable = self._unreachable(after, limit_bytes == bounds.highest_bytes)
        return after, Decision(limit_bytes, binding, gains, unreachable)

    def _drain_time_s(self, limit_bytes: int) -> float:
        return 8 * limit_bytes / self.capacity_bps

    def _loss(
        self, state: AbsState, interval: Interval, begins: bool, within: tuple[float, float]
    ) -> tuple[Branch, Errors, float]:
        """The loss branch and its gain per second at the capacity."""
        offered_bytes = interval.offered_bytes
        target = self.targets.loss
        frame_bytes = self.targets.min_limit_bytes / FRAMES_OF_LEAST_LIMIT
        least_bytes = max(
            state.loss_errors.typical, frame_bytes / target, LEAST_INTERVALS * offered_bytes
        )
        unit = Unit.of(least_bytes, LEAST_DRAIN_TIMES * state.limit_bytes)
        errors, branch = state.loss_errors, state.loss
        if offered_bytes:
            due_bytes = interval.dropped_bytes / target
            errors = errors.after(offered_bytes, due_bytes, unit.size, begins=begins)
            counted = state.displacement.counted(interval.dropped_bytes) / target - offered_bytes
            branch = branch.after(
                offered_bytes, counted, unit, errors.spread, self.precision, within
            )
        return branch, errors, self.capacity_bps / 8 / (unit.size * branch.averaged)

    def _utilization(
        self,
        state: AbsState,
        interval: Interval,
        idle_s: float,
        begins: bool,
        is_own: bool,
        within: tuple[float, float],
    ) -> tuple[Branch, Errors, Idling, float]:
        """The utilization branch and its gain per second."""
        duration_s = interval.duration_s
        nuisance_s = idle_s / (1 - self.targets.utilization)
        least_s = max(state.idle_errors.typical, LEAST_INTERVALS * duration_s)
        unit = Unit.of(least_s, LEAST_DRAIN_TIMES * self._drain_time_s(state.limit_bytes))
        errors = state.idle_errors.after(duration_s, nuisance_s, unit.size, begins=begins)
        counted_s, idling = state.idling.after(
            nuisance_s - duration_s, unit.size, dropped=interval.dropped_bytes > 0
        )
        if is_own:
            # Nothing to gain from a larger buffer; without traffic nothing is known.
            counted_s, idling = -duration_s if interval.offered_bytes else 0.0, Idling()
        branch = state.utilization.after(
            duration_s, counted_s, unit, errors.spread, self.precision, within
        )
        return branch, errors, idling, 1 / (unit.size * branch.averaged)

    def _dependence(
        self, state: AbsState, duration_s: float, idle_s: float, begins: bool
    ) -> Dependence:
        allowed, level = 1 - self.targets.utilization, state.utilization.level
        shortest_s = QUIET_DRAIN_TIMES * self._drain_time_s(state.limit_bytes)
        now = state.dependence.after(duration_s, idle_s, allowed, shortest_s)
        return now.dropped(allowed, level) if begins else now

    def _unreachable(self, state: AbsState, at_most: bool) -> str:
        if state.dependence.is_own:
            return (
                f"utilization {self.targets.utilization:.1%}: the sources leave the link idle for "
                f"{state.dependence.idle_share:.0%} of the time, whatever the limit"
            )
        if at_most and state.loss.rising > LEAST_EVIDENCE:
            return f"loss {self.targets.loss:.2%}: more is lost with the largest limit allowed"
        return ""
