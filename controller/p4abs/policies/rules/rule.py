"""What the sizing rules share: a buffer computed from figures, declared or measured."""

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets
from p4abs.policies.port_by_port import AlonePolicy
from p4abs.policies.ranges import require_at_least_one

_SMOOTHING_S = 1.0
"""Time constant of the measured number of flows; few are silent for longer between two packets."""


@dataclass(frozen=True, slots=True)
class RuleState:
    """The limit in force, and the number of long flows as it has been measured; None: not yet."""

    limit_bytes: int
    n_flows: float | None = None


@dataclass(frozen=True, slots=True)
class SizingRule(AlonePolicy[RuleState]):
    """b(n) = `buffer_bytes` within the bounds and the memory that is left.

    Flows are long TCP flows that the link holds back, round-trip times are those of an empty
    queue.
    """

    name: ClassVar[str]

    capacity_bps: float
    targets: Targets

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        self._check_parameters()
        if not math.isfinite(self.buffer_bytes):
            raise InvalidParameter(f"{self.name}: these parameters give no finite buffer")

    @property
    @abstractmethod
    def buffer_bytes(self) -> float:
        """What the rule asks for; negative where it asks for no buffer at all."""

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raises InvalidParameter and InvalidTarget."""

    @property
    def _bytes_per_s(self) -> float:
        return self.capacity_bps / 8

    def start(self, limit_bytes: int) -> RuleState:
        """The present limit, within the bounds; the first step moves it to the rule's."""
        return RuleState(Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes))

    def step(
        self, state: RuleState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[RuleState, Decision]:
        """The rule's buffer."""
        return self._applied(state, self.buffer_bytes, memory_left_bytes)

    def _applied(
        self,
        state: RuleState,
        wanted_bytes: float,
        memory_left_bytes: int | None,
        unreachable: str = "",
    ) -> tuple[RuleState, Decision]:
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        limit_bytes, binding = bounds.applied(wanted_bytes, Binding.FIXED)
        decision = Decision(limit_bytes, binding, {}, unreachable)
        return RuleState(limit_bytes, state.n_flows), decision


@dataclass(frozen=True, slots=True)
class FlowRule(SizingRule):
    """A rule that needs N, the number of long flows: `n_flows`, or what the data plane measures.

    The limit stays as it is until one of the two is there.
    """

    n_flows: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.n_flows is not None:
            require_at_least_one(self, "n_flows")
        SizingRule.__post_init__(self)

    @abstractmethod
    def buffer_for(self, n_flows: float) -> float:
        """What the rule asks for with so many flows, one at least."""

    @property
    def buffer_bytes(self) -> float:
        """With as many flows as are declared, or with one."""
        return self.buffer_for(1.0 if self.n_flows is None else self.n_flows)

    def step(
        self, state: RuleState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[RuleState, Decision]:
        """The rule's buffer for the flows that there are."""
        n_flows = _smoothed(state.n_flows, interval) if self.n_flows is None else self.n_flows
        state = RuleState(state.limit_bytes, n_flows)
        if n_flows is None:
            unknown = f"{self.name}: this target measures no flows, so n-flows has to be declared"
            return self._applied(state, state.limit_bytes, memory_left_bytes, unknown)
        return self._applied(state, self.buffer_for(max(1.0, n_flows)), memory_left_bytes)


def _smoothed(before: float | None, interval: Interval) -> float | None:
    now = interval.long_flows
    if now is None or before is None:
        return before if now is None else now
    weight = -math.expm1(-interval.duration_s / _SMOOTHING_S)
    return before + weight * (now - before)
