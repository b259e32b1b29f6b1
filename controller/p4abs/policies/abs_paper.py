"""`abs-paper` and `abs-paper-abs`: the ABS law exactly as published, for comparison.

Zhang and Loguinov, "ABS: Adaptive buffer sizing for heterogeneous networks", sections 3.2-4.1:

    (6)  b_p(n) = b_p(n-1) + I_p T (p(n) - p*)
    (8)  b_u(n) = b_u(n-1) - I_u T (u(n) - u(n-1)) (u(n) - u*)
    (9)  b(n) = max(b_u(n), b_p(n)), at most b(n-1) + M(n)
    (15) I_u(n+1) = I_u(n) - g T (u(n+1) - u(n)) (u(n+1) - u*)
    (16) I_p(n+1) = I_p(n) - g T (p* - p(n+1))
    p(n) = S2 / (S1 + S2),  u(n) = (S1 + S2) / (C T)        section 4.1: the offered load

The paper does not give units. Here p, u, p* and u* are fractions, b_p and b_u count packets of
`packet_bytes`, and T counts seconds. So gains are packets per second. As in section 4.1, the
gains of interval n are trained before they are used for b(n). u(0) is taken to be u(1). The paper
only keeps b at or above 0; here b_u and b_p stay within the configured limits. The gains have no
bounds, because (15) and (16) name none.

`abs-paper-abs` takes |u(n) - u(n-1)| instead of u(n) - u(n-1) in (8) and (15). Then (8) is the
paper's (7), b_u(n) = b_u(n-1) - I_u T (u(n) - u*), with smaller steps where u(n) changes little. As
printed, (8) adds a drift.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets
from p4abs.policies.port_by_port import AlonePolicy


@dataclass(frozen=True, slots=True)
class PaperState:
    """b_u(n), b_p(n) and b(n) in packets, I_u(n) and I_p(n) in packets/s, and u(n)."""

    utilization_packets: float
    loss_packets: float
    limit_bytes: int
    utilization_gain: float
    loss_gain: float
    utilization: float | None


@dataclass(frozen=True, slots=True)
class AbsPaper(AlonePolicy[PaperState]):
    """`utilization_gain` and `loss_gain` are I_u(0) and I_p(0) in packets/s, 3000 in the paper's
    figure 2. `step_size` is g, 1 in the paper; 0 turns training off. `packet_bytes` is the packet
    size that the paper's tables 2 and 3 imply.
    """

    name: ClassVar[str] = "abs-paper"

    capacity_bps: float
    targets: Targets
    utilization_gain: float = 3000.0
    loss_gain: float = 3000.0
    step_size: float = 1.0
    packet_bytes: float = 600.0

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        for parameter in ("utilization_gain", "loss_gain", "step_size"):
            value = getattr(self, parameter)
            if not (value >= 0 and math.isfinite(value)):
                raise InvalidParameter(f"{self.name}: {parameter}={value}: must be at least 0")
        if not (self.packet_bytes > 0 and math.isfinite(self.packet_bytes)):
            raise InvalidParameter(
                f"{self.name}: packet_bytes={self.packet_bytes}: must be positive"
            )

    def start(self, limit_bytes: int) -> PaperState:
        """Both integrators at the present limit, untrained gains."""
        limit = Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes)
        packets = limit / self.packet_bytes
        return PaperState(
            utilization_packets=packets,
            loss_packets=packets,
            limit_bytes=limit,
            utilization_gain=self.utilization_gain,
            loss_gain=self.loss_gain,
            utilization=None,
        )

    def step(
        self, state: PaperState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[PaperState, Decision]:
        """One round of section 4.1: measure, train the gains, decide the limit."""
        bounds = Bounds.of(self.capacity_bps, self.targets)
        # Integrators that ran ahead of steps would go on when there is no more reason to.
        near = bounds.tightened(state.limit_bytes, None)
        duration_s = interval.duration_s
        loss_excess = interval.loss - self.targets.loss
        utilization = interval.offered_load(self.capacity_bps)
        utilization_excess = self._utilization_change(state, utilization) * (
            utilization - self.targets.utilization
        )

        utilization_gain = state.utilization_gain - self.step_size * duration_s * utilization_excess
        loss_gain = state.loss_gain + self.step_size * duration_s * loss_excess

        utilization_packets = self._within(
            near, state.utilization_packets - utilization_gain * duration_s * utilization_excess
        )
        loss_packets = self._within(near, state.loss_packets + loss_gain * duration_s * loss_excess)
        limit_bytes, binding = bounds.tightened(state.limit_bytes, memory_left_bytes).applied(
            self.packet_bytes * max(utilization_packets, loss_packets),
            Binding.UTILIZATION if utilization_packets > loss_packets else Binding.LOSS,
        )
        after = PaperState(
            utilization_packets=utilization_packets,
            loss_packets=loss_packets,
            limit_bytes=limit_bytes,
            utilization_gain=utilization_gain,
            loss_gain=loss_gain,
            utilization=utilization,
        )
        gains = {"utilization": utilization_gain, "loss": loss_gain}
        return after, Decision(limit_bytes, binding, gains)

    def _utilization_change(self, state: PaperState, utilization: float) -> float:
        """u(n) - u(n-1), 0 in the first interval."""
        return 0.0 if state.utilization is None else utilization - state.utilization

    def _within(self, bounds: Bounds, packets: float) -> float:
        within_bytes: float = bounds.clamp(packets * self.packet_bytes)
        return within_bytes / self.packet_bytes


@dataclass(frozen=True, slots=True)
class AbsPaperAbs(AbsPaper):
    """A variant of `abs-paper` with |u(n) - u(n-1)| in its equations (8) and (15)."""

    name: ClassVar[str] = "abs-paper-abs"

    def _utilization_change(self, state: PaperState, utilization: float) -> float:
        return abs(AbsPaper._utilization_change(self, state, utilization))
