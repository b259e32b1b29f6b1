"""`static`: the limit stays at `initial-limit`. Other policies are compared with it.

Without `initial-limit`, the limit stays as the switch has it. If the switch has none, it is what
the link carries in 250 ms.
"""

from dataclasses import dataclass
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, Targets
from p4abs.policies.port_by_port import AlonePolicy


@dataclass(frozen=True, slots=True)
class StaticState:
    """The limit that was in force at the start, within the bounds."""

    limit_bytes: int


@dataclass(frozen=True, slots=True)
class Static(AlonePolicy[StaticState]):
    """b(n) = b(0), within the configured bounds.

    Whatever memory is left, the limit asks for no more and gives none back.
    """

    name: ClassVar[str] = "static"

    capacity_bps: float
    targets: Targets

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)

    def start(self, limit_bytes: int) -> StaticState:
        """The initial limit, brought within the bounds."""
        return StaticState(Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes))

    def step(
        self, state: StaticState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[StaticState, Decision]:
        """The same limit again; from outside of the bounds, a step towards them."""
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(state.limit_bytes, None)
        limit_bytes = round(bounds.clamp(state.limit_bytes))
        return StaticState(limit_bytes), Decision(limit_bytes, Binding.FIXED, {})
