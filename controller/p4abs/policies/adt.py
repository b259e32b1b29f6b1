"""`adt`: Active Drop-Tail, multiplicative steps towards a target utilization.

Stanojevic and Shorten, "Adaptive tuning of drop-tail buffers for reducing queueing delays",
IEEE Communications Letters 2006 (the pseudo-code of section II). Every sampling period:

    thr := rho * (bytes enqueued in the period / its length) + (1 - rho) * thr
    q   := q * c if 8 thr / C < u*, else q / c;   at most the available memory

thr is the average throughput, and q the limit. The paper does not define everything. Here the first
period's throughput is the first average, and q stays at or above `min-limit`. A period ends with a
control interval, so it may be a little longer than `sample-period-s`. A link that is no bottleneck
keeps all the memory (comment 1 of the paper). `abs` avoids that.

Section 5 of the ABS paper gives another law for ADT, b(n) = b(n-1) + K (u* - u(n)).
"""

from dataclasses import dataclass
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets
from p4abs.policies.port_by_port import AlonePolicy
from p4abs.policies.ranges import require_positive


@dataclass(frozen=True, slots=True)
class AdtState:
    """q and the limit in bytes, thr in bytes/s (None before the first period), the open period."""

    buffer_bytes: float
    limit_bytes: int
    throughput_bytes_per_s: float | None
    elapsed_s: float
    enqueued_bytes: int


@dataclass(frozen=True, slots=True)
class Adt(AlonePolicy[AdtState]):
    """`averaging_weight` is rho, `step_factor` is c (section III of the paper).

    With `sample_period_s` = 0.3 s and c = 1.01 the buffer doubles or halves in 70 periods, 21 s.
    The paper asks for u* = 0.99.
    """

    name: ClassVar[str] = "adt"

    capacity_bps: float
    targets: Targets
    averaging_weight: float = 0.1
    sample_period_s: float = 0.3
    step_factor: float = 1.01

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        require_positive(self, "averaging_weight", "sample_period_s", "step_factor")
        if self.averaging_weight > 1:
            raise InvalidParameter(
                f"{self.name}: averaging_weight={self.averaging_weight}: must be at most 1"
            )
        if self.step_factor <= 1:
            raise InvalidParameter(f"{self.name}: step_factor={self.step_factor}: must exceed 1")

    def start(self, limit_bytes: int) -> AdtState:
        """The present limit; no throughput known."""
        limit = Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes)
        return AdtState(
            buffer_bytes=float(limit),
            limit_bytes=limit,
            throughput_bytes_per_s=None,
            elapsed_s=0.0,
            enqueued_bytes=0,
        )

    def step(
        self, state: AdtState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[AdtState, Decision]:
        """Adds the interval to the period; at the period's end moves q by one factor."""
        elapsed_s = state.elapsed_s + interval.duration_s
        enqueued_bytes = state.enqueued_bytes + interval.admitted_bytes
        buffer_bytes, throughput = state.buffer_bytes, state.throughput_bytes_per_s
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        if self._is_complete(elapsed_s):
            throughput = self._averaged(throughput, enqueued_bytes / elapsed_s)
            buffer_bytes = bounds.clamp(buffer_bytes * self._move(throughput))
            elapsed_s, enqueued_bytes = 0.0, 0
        limit_bytes, binding = bounds.applied(buffer_bytes, Binding.UTILIZATION)
        after = AdtState(
            buffer_bytes=buffer_bytes,
            limit_bytes=limit_bytes,
            throughput_bytes_per_s=throughput,
            elapsed_s=elapsed_s,
            enqueued_bytes=enqueued_bytes,
        )
        return after, Decision(limit_bytes, binding, {})

    def _is_complete(self, elapsed_s: float) -> bool:
        # Data planes count microseconds; a sum of seconds may fall short of them by a hair.
        return round(elapsed_s, 6) >= self.sample_period_s

    def _averaged(self, average: float | None, current: float) -> float:
        if average is None:
            return current
        return self.averaging_weight * current + (1 - self.averaging_weight) * average

    def _move(self, throughput_bytes_per_s: float) -> float:
        used = 8 * throughput_bytes_per_s / self.capacity_bps
        return self.step_factor if used < self.targets.utilization else 1 / self.step_factor
