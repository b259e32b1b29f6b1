"""`abs-1`: the first generation of the corrected ABS law.

With S1, S2, D the bytes admitted, dropped and departed in an interval of length T on a port of
C bit/s, and everything in seconds of drain time (b stands for 8 b / C):

    excess loss    e_p(n) = 8 (S2 - p* (S1 + S2)) / (C p*)
    excess idling  e_u(n) = (u* T - 8 D / C) / (1 - u*)
    (6')  ln b_p(n) = ln b_p(n-1) + G_p e_p(n)
    (7')  ln b_u(n) = ln b_u(n-1) + G_u e_u(n)
    (9)   b(n) = max(b_u(n), b_p(n)) within its bounds and at most b(n-1) + M(n)

Each error is -T when its nuisance (dropped bytes, idle time) is absent, 0 at its target and not
limited above it. What differs from the paper, and why:

* The errors are bytes and idle time, not ratios of an interval: a sum of errors is what was lost
  or idle beyond the target over the whole time, as far as it counts (see `displacement` and
  `idling`), relative to the target. Loss is bursty, so (6), the mean of ratios, delivered 2.65 %
  for 2.00 % asked.
* (7) in place of (8), whose drift Var(u) - Cov(u, u') starves the link whatever u* is. What (8)
  was for, a link that is no bottleneck, is seen from its drops: idle time counts when a drop
  follows soon enough (see `idling`), and only up to `headroom` times the limit that dropped.
  Without drops the link counts as fully used in proportion to its load, so the buffer shrinks.
* Utilization is what departed (section 2.3), not what was offered (section 4.1).
* Logarithms: the buffer moves by a fraction of itself, so that the same trace in drain times moves
  it alike at every rate, and the time constant near the optimum is the same as far from it. The
  gains (1/s) start alike everywhere; what a port needs depends on its sources, and training finds
  it. TCP's loss goes with b^-2 at most, so the gains need no model of it.
* Anti-windup by following: the branch that does not bind never lies more than 1 - `follow`
  below the applied limit, so a change of the binding constraint takes seconds, and max() still
  sees only one branch's noise.
* Training (see `training`) replaces (15)-(16), which descend a signed error and keep no gain
  positive.
* Drops that a falling limit displaces from a full queue are not counted (see `displacement`).

What the law cannot see: whose idle time it is where drops follow each other within its patience,
`patience_s` or what a longer sawtooth has earned (see `idling`).
Bursts of unresponsive traffic below the target load therefore keep a buffer in which drops become
rare, more than the loss target alone would need; `headroom` and `patience_s` bound it, and below
half load so does a drain time of 20 ms: TCP that only this link holds back fills more than half of
it with such a buffer, so what is idle then is the sources' own.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from p4abs.interval import Interval
from p4abs.policies.abs_first.idling import Excess, Idling
from p4abs.policies.abs_first.subcontroller import Integrator, SubController
from p4abs.policies.abs_first.training import Training
from p4abs.policies.bounds import Bounds
from p4abs.policies.displacement import Displacement
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets
from p4abs.policies.port_by_port import AlonePolicy
from p4abs.policies.ranges import require_positive

LOW_LOAD = 0.5
"""Mean offered load below which idle time is the sources' own, unless the buffer is tiny."""

LOW_LOAD_DRAIN_TIME_S = 0.02
"""The most that the utilization branch asks for then."""


@dataclass(frozen=True, slots=True)
class AbsFirstState:
    """Both sub-controllers, the limit in force, and the one at which bytes were last dropped.

    `idling` tells which idle time counts. `mean_load` is the offered load as a fraction of the
    capacity, over the memory of the utilization branch; `displacement` tells which drops are the
    law's own.
    """

    utilization: Integrator
    loss: Integrator
    limit_bytes: int
    idling: Idling
    dropping_limit_bytes: int
    mean_load: float
    displacement: Displacement


@dataclass(frozen=True, slots=True)
class AbsFirst(AlonePolicy[AbsFirstState]):
    """The corrected law.

    `utilization_gain` and `loss_gain` are G_u and G_p at the start, in 1/s: the relative
    speed at which the buffer shrinks while no byte is lost and the link is never idle.
    `training` false keeps them. Swings, memories and highest gains are the training's, one for
    each branch, because their noise differs: loss is regulated by TCP within some round trips,
    utilization shows the sawtooth of windows, whose periods reach 20 s.
    """

    name: ClassVar[str] = "abs-1"

    capacity_bps: float
    targets: Targets
    utilization_gain: float = 0.05
    loss_gain: float = 0.3
    training: bool = True
    utilization_swing: float = 0.05
    loss_swing: float = 0.1
    utilization_memory_s: float = 40.0
    loss_memory_s: float = 2.5
    highest_utilization_gain: float = 0.2
    highest_loss_gain: float = 1.0
    patience_s: float = 5.0
    headroom: float = 2.0
    follow: float = 0.75

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        require_positive(
            self,
            "utilization_gain",
            "loss_gain",
            "utilization_swing",
            "loss_swing",
            "utilization_memory_s",
            "loss_memory_s",
            "highest_utilization_gain",
            "highest_loss_gain",
            "patience_s",
        )
        if not self.headroom > 1:
            raise InvalidParameter(f"{self.name}: headroom={self.headroom}: must exceed 1")
        if not 0 < self.follow < 1:
            raise InvalidParameter(
                f"{self.name}: follow={self.follow}: must lie between 0 and 1, exclusive"
            )

    def start(self, limit_bytes: int) -> AbsFirstState:
        """Both sub-controllers at the present limit; no drop seen yet."""
        limit = Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes)
        drain_time_s = self._drain_time_s(limit)
        return AbsFirstState(
            utilization=self._utilization_branch().start(drain_time_s),
            loss=self._loss_branch().start(drain_time_s),
            limit_bytes=limit,
            idling=Idling(),
            dropping_limit_bytes=limit,
            mean_load=1.0,
            displacement=Displacement(low_bytes=limit),
        )

    def step(
        self, state: AbsFirstState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[AbsFirstState, Decision]:
        """Integrate both errors over the interval and apply the larger of the two buffers."""
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        dropped = interval.dropped_bytes > 0
        dropping_limit_bytes = state.limit_bytes if dropped else state.dropping_limit_bytes
        mean_load = self._mean_load(state.mean_load, interval)
        excess, idling = self._excess_idling(interval, state.idling)

        loss_branch, utilization_branch = self._loss_branch(), self._utilization_branch()
        loss = loss_branch.moved(
            state.loss,
            error_s=self._excess_loss_s(interval, state.displacement),
            duration_s=interval.duration_s,
            within_s=self._loss_range_s(bounds),
        )
        utilization = utilization_branch.moved(
            state.utilization,
            error_s=excess.counted_s,
            duration_s=interval.duration_s,
            within_s=self._utilization_range_s(bounds, dropping_limit_bytes, mean_load),
            observed_s=excess.observed_s,
            period_s=idling.sawtooth_s,
        )
        level = max(loss.level, utilization.level)
        limit_bytes, binding = bounds.applied(
            math.exp(level) * self.capacity_bps / 8,
            Binding.UTILIZATION if utilization.level > loss.level else Binding.LOSS,
        )
        after = AbsFirstState(
            utilization=utilization_branch.followed(utilization, level),
            loss=loss_branch.followed(loss, level),
            limit_bytes=limit_bytes,
            idling=idling,
            dropping_limit_bytes=dropping_limit_bytes,
            mean_load=mean_load,
            displacement=self._displacement(state, interval, limit_bytes),
        )
        gains = {"utilization": after.utilization.gain, "loss": after.loss.gain}
        return after, Decision(limit_bytes, binding, gains)

    def _mean_load(self, mean_load: float, interval: Interval) -> float:
        weight = min(1.0, interval.duration_s / self.utilization_memory_s)
        return mean_load + weight * (interval.offered_load(self.capacity_bps) - mean_load)

    def _loss_range_s(self, bounds: Bounds) -> tuple[float, float]:
        """Lowest and highest drain time that the loss branch may ask for."""
        return self._drain_time_s(bounds.lowest_bytes), self._drain_time_s(bounds.highest_bytes)

    def _utilization_range_s(
        self, bounds: Bounds, dropping_limit_bytes: int, mean_load: float
    ) -> tuple[float, float]:
        """Lowest and highest drain time that the utilization branch may ask for."""
        lowest_s = self._drain_time_s(bounds.lowest_bytes)
        highest_s = self._drain_time_s(bounds.clamp(self.headroom * dropping_limit_bytes))
        if mean_load < LOW_LOAD:
            highest_s = max(lowest_s, min(highest_s, LOW_LOAD_DRAIN_TIME_S))
        return lowest_s, highest_s

    def _excess_loss_s(self, interval: Interval, displacement: Displacement) -> float:
        """e_p: lost work beyond the target, relative to the target."""
        dropped_bytes = displacement.counted(interval.dropped_bytes)
        allowed_bytes = self.targets.loss * interval.offered_bytes
        return self._drain_time_s(dropped_bytes - allowed_bytes) / self.targets.loss

    def _excess_idling(self, interval: Interval, idling: Idling) -> tuple[Excess, Idling]:
        """e_u: idle time beyond the target, relative to the target; shrinks what never binds."""
        departed_s = self._drain_time_s(interval.departed_bytes)
        missing_s = self.targets.utilization * interval.duration_s - departed_s
        return idling.after(
            interval.duration_s,
            idle_s=max(0.0, interval.duration_s - departed_s),
            missing_s=missing_s / (1 - self.targets.utilization),
            offered_s=self._drain_time_s(interval.offered_bytes),
            dropped=interval.dropped_bytes > 0,
            patience_s=self.patience_s,
        )

    def _displacement(
        self, state: AbsFirstState, interval: Interval, limit_bytes: int
    ) -> Displacement:
        """What the step from the limit in force to `limit_bytes` will displace."""
        return state.displacement.after(
            interval.dropped_bytes,
            state.limit_bytes,
            limit_bytes,
            drain_times=interval.duration_s / self._drain_time_s(limit_bytes),
        )

    def _drain_time_s(self, size_bytes: float) -> float:
        return 8 * size_bytes / self.capacity_bps

    def _utilization_branch(self) -> SubController:
        training = Training(
            self.utilization_swing, self.utilization_memory_s, self.highest_utilization_gain
        )
        return self._branch(self.utilization_gain, training)

    def _loss_branch(self) -> SubController:
        training = Training(self.loss_swing, self.loss_memory_s, self.highest_loss_gain)
        return self._branch(self.loss_gain, training)

    def _branch(self, gain: float, training: Training) -> SubController:
        return SubController(gain, self.follow, training if self.training else None)
