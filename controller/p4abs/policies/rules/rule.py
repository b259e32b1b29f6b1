"""What the sizing rules share: a buffer computed from configured figures, without measurement."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets
from p4abs.policies.port_by_port import AlonePolicy


@dataclass(frozen=True, slots=True)
class RuleState:
    """The limit in force."""

    limit_bytes: int


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
        """The rule's buffer, whatever the interval brought."""
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        limit_bytes, binding = bounds.applied(self.buffer_bytes, Binding.FIXED)
        return RuleState(limit_bytes), Decision(limit_bytes, binding, {})
