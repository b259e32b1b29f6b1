"""`abs`: the corrected ABS law, the default policy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from p4abs.interval import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets


@dataclass(frozen=True, slots=True)
class AbsState:
    """Both integrators in seconds of drain time, the limit, and the time since the last drop."""

    utilization_s: float
    loss_s: float
    limit_bytes: int
    since_drop_s: float


@dataclass(frozen=True, slots=True)
class Abs:
    """Two integrators of drain time, b = max(b_u, b_p).

    Gains are seconds of drain time per second and unit of error, so one default fits all rates.
    """

    name: ClassVar[str] = "abs"

    capacity_bps: float
    targets: Targets
    utilization_gain: float = 0.05
    loss_gain: float = 1.5
    binding_window_s: float = 5.0
    follow: float = 0.75

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        for parameter in ("utilization_gain", "loss_gain", "binding_window_s"):
            value = getattr(self, parameter)
            if not (value > 0 and math.isfinite(value)):
                raise InvalidParameter(f"{self.name}: {parameter}={value}: must be positive")
        if not 0 <= self.follow <= 1:
            raise InvalidParameter(f"{self.name}: follow={self.follow}: must lie in [0, 1]")

    def start(self, limit_bytes: int) -> AbsState:
        """Both integrators at the present limit; no drop seen yet."""
        limit = round(Bounds.of(self.capacity_bps, self.targets).clamp(limit_bytes))
        drain_s = 8 * limit / self.capacity_bps
        return AbsState(drain_s, drain_s, limit, math.inf)

    def step(
        self, state: AbsState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[AbsState, Decision]:
        """Integrate both errors over the interval and apply the larger limit."""
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        seconds_per_byte = 8 / self.capacity_bps
        loss_error_s = seconds_per_byte * (
            interval.dropped_bytes - self.targets.loss * interval.offered_bytes
        )
        utilization_error_s = (
            self.targets.utilization * interval.duration_s
            - seconds_per_byte * interval.departed_bytes
        )
        since_drop_s = 0.0 if interval.dropped_bytes else state.since_drop_s + interval.duration_s
        if since_drop_s > self.binding_window_s:
            utilization_error_s = min(utilization_error_s, 0.0)

        floor_s = self.follow * seconds_per_byte * state.limit_bytes
        utilization_s = self._within(
            bounds, max(floor_s, state.utilization_s + self.utilization_gain * utilization_error_s)
        )
        loss_s = self._within(bounds, max(floor_s, state.loss_s + self.loss_gain * loss_error_s))
        limit_bytes, binding = bounds.applied(
            max(utilization_s, loss_s) / seconds_per_byte,
            Binding.UTILIZATION if utilization_s > loss_s else Binding.LOSS,
        )
        return (
            AbsState(utilization_s, loss_s, limit_bytes, since_drop_s),
            Decision(
                limit_bytes,
                binding,
                {"utilization": self.utilization_gain, "loss": self.loss_gain},
            ),
        )

    def _within(self, bounds: Bounds, drain_s: float) -> float:
        return bounds.clamp(drain_s * self.capacity_bps / 8) * 8 / self.capacity_bps
