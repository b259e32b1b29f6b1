"""What the sizing rules share: a buffer computed from figures, declared or measured."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from p4abs.measurements import LONGEST_ROUND_TRIP_S, Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, InvalidParameter, Targets
from p4abs.policies.port_by_port import AlonePolicy
from p4abs.policies.ranges import require_at_least_one, require_positive

_SMOOTHING_S = 1.0
"""Time constant of what is measured; few flows are silent for longer between two packets."""


class Figures(NamedTuple):
    """N, long flows that the link holds back, and R, the mean of their round-trip times with an
    empty queue in seconds; None: neither declared nor measured yet."""

    n_flows: float | None = None
    mean_rtt_s: float | None = None


NOTHING = Figures()


@dataclass(frozen=True, slots=True)
class RuleState:
    """The limit in force, and what has been measured."""

    limit_bytes: int
    measured: Figures = NOTHING


@dataclass(frozen=True, slots=True)
class SizingRule(AlonePolicy[RuleState]):
    """b(n) = `buffer_bytes` within the bounds and the memory that is left."""

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

    @property
    def is_fixed(self) -> bool:
        """Whether it asks for the same whatever is measured."""
        return True

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
        return RuleState(limit_bytes, state.measured), decision


@dataclass(frozen=True, slots=True)
class MeasuringRule(SizingRule):
    """A rule that needs N or R or both, and has parameters `n_flows` and `mean_rtt_s` for those.

    A parameter that is None is what the data plane measures. The limit stays as it is until all are
    there.
    """

    def __post_init__(self) -> None:
        if self._declared.get("n_flows") is not None:
            require_at_least_one(self, "n_flows")
        if self._declared.get("mean_rtt_s") is not None:
            require_positive(self, "mean_rtt_s")
        SizingRule.__post_init__(self)

    @abstractmethod
    def buffer_for(self, n_flows: float, mean_rtt_s: float) -> float:
        """What the rule asks for with so many flows, one at least, and this R."""

    @property
    def buffer_bytes(self) -> float:
        """With what is declared, else with one flow and the longest round-trip time."""
        n_flows, mean_rtt_s = (self._declared.get(name) for name in Figures._fields)
        return self.buffer_for(
            1.0 if n_flows is None else n_flows,
            LONGEST_ROUND_TRIP_S if mean_rtt_s is None else mean_rtt_s,
        )

    @property
    def is_fixed(self) -> bool:
        return None not in self._declared.values()

    @property
    def _declared(self) -> Mapping[str, float | None]:
        """The parameters among these that the rule has."""
        return {name: getattr(self, name) for name in Figures._fields if hasattr(self, name)}

    def step(
        self, state: RuleState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[RuleState, Decision]:
        """The rule's buffer for the flows that there are."""
        measured = Figures(
            *(
                _smoothed(before, measure(interval), interval.duration_s)
                for before, measure in zip(state.measured, _MEASURES, strict=True)
            )
        )
        state = RuleState(state.limit_bytes, measured)
        figures = measured._asdict() | {
            name: value for name, value in self._declared.items() if value is not None
        }
        unknown = [name for name in self._declared if figures[name] is None]
        if unknown:
            options = " and ".join(name.replace("_", "-") for name in unknown)
            why = f"{self.name}: not measured yet; if the switch cannot: {options} can be declared"
            return self._applied(state, state.limit_bytes, memory_left_bytes, why)
        n_flows, mean_rtt_s = figures["n_flows"] or 1.0, figures["mean_rtt_s"] or 0.0
        return self._applied(
            state, self.buffer_for(max(1.0, n_flows), mean_rtt_s), memory_left_bytes
        )


_MEASURES: tuple[Callable[[Interval], float | None], ...] = (
    lambda interval: interval.long_flows,
    lambda interval: interval.round_trip_s,
)
"""Of an interval, in the order of Figures."""


def _smoothed(before: float | None, now: float | None, duration_s: float) -> float | None:
    if now is None or before is None:
        return before if now is None else now
    weight = -math.expm1(-duration_s / _SMOOTHING_S)
    return before + weight * (now - before)
