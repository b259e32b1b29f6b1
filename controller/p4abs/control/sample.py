"""What control intervals of ports measured and decided."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from p4abs.columns import Floats
from p4abs.control.steps import Steps
from p4abs.interval import Interval
from p4abs.policies import Binding, Decision


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of telemetry.

    `time_s` is the controller's clock in seconds since the Unix epoch; `limit_bytes` was in
    force during the interval, `decided_limit_bytes` is for the next one, determined by `binding`
    and `gains`; `unreachable` names a target that no buffer can meet, empty: none is known.
    `occupancy_bytes` and `queue_delay_s` (its drain time) hold at the interval's end.
    `measured_capacity_bps` is None while it is not known; then `utilization` and `queue_delay_s`
    are of the declared capacity, or None without one.
    `lateness_s` is by how much the loop overslept its deadline, `exchange_s` how long the exchange
    with the switch took, of all its ports.
    """

    time_s: float
    port: int
    interval: Interval
    measured_capacity_bps: int | None
    utilization: float | None
    loss: float
    limit_bytes: int
    occupancy_bytes: int
    queue_delay_s: float | None
    decided_limit_bytes: int
    binding: Binding
    unreachable: str
    gains: Mapping[str, float]
    lateness_s: float
    exchange_s: float


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one tick, in arrays; they are made when somebody asks for them.

    `numbers` are those of all ports, of which `steps` knows positions.
    """

    time_s: float
    numbers: Sequence[int]
    steps: Steps
    lateness_s: float
    exchange_s: float
    _made: list[Sample] = field(default_factory=list, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.steps.ports)

    def __iter__(self) -> Iterator[Sample]:
        if not self._made:
            # Two threads may make them at once: the list is never seen half full.
            self._made[:] = self._make()
        return iter(self._made)

    def _make(self) -> list[Sample]:
        steps = self.steps
        rows = zip(
            steps.ports.tolist(),
            steps.intervals,
            steps.decisions,
            steps.limit_bytes.tolist(),
            steps.occupancy_bytes.tolist(),
            _known(steps.measured_capacity_bps),
            _known(steps.capacity_bps),
            strict=True,
        )
        return [self._sample(*row) for row in rows]

    def _sample(
        self,
        port: int,
        interval: Interval,
        decision: Decision,
        limit_bytes: int,
        occupancy_bytes: int,
        measured_bps: int | None,
        capacity_bps: int | None,
    ) -> Sample:
        utilization = queue_delay_s = None
        if capacity_bps is not None:
            utilization = interval.utilization(capacity_bps)
            queue_delay_s = 8 * occupancy_bytes / capacity_bps
        return Sample(
            time_s=self.time_s,
            port=self.numbers[port],
            interval=interval,
            measured_capacity_bps=measured_bps,
            utilization=utilization,
            loss=interval.loss,
            limit_bytes=limit_bytes,
            occupancy_bytes=occupancy_bytes,
            queue_delay_s=queue_delay_s,
            decided_limit_bytes=decision.limit_bytes,
            binding=decision.binding,
            unreachable=decision.unreachable,
            gains=decision.gains,
            lateness_s=self.lateness_s,
            exchange_s=self.exchange_s,
        )


def _known(capacities_bps: Floats) -> list[int | None]:
    return [None if math.isnan(each) else int(each) for each in capacities_bps.tolist()]
