"""What control intervals of ports measured and decided."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from p4abs.control.switch_control import Steps
from p4abs.interval import Interval
from p4abs.policies import Binding


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
    """The samples of one tick, in arrays; one of them is made when it is asked for.

    `numbers` are those of all ports, of which `steps` knows positions.
    """

    time_s: float
    numbers: Sequence[int]
    steps: Steps
    lateness_s: float
    exchange_s: float
    _made: dict[int, Sample] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.steps.ports)

    def __iter__(self) -> Iterator[Sample]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> Sample:
        if row not in self._made:
            self._made[row] = self._make(row)
        return self._made[row]

    def _make(self, row: int) -> Sample:
        steps, interval = self.steps, self.steps.intervals[row]
        decision = steps.decisions[row]
        occupancy_bytes = steps.occupancy_bytes[row].item()
        measured_bps, capacity_bps = (
            steps.measured_capacity_bps[row],
            steps.capacity_bps[row].item(),
        )
        is_known = not math.isnan(capacity_bps)
        return Sample(
            time_s=self.time_s,
            port=self.numbers[steps.ports[row]],
            interval=interval,
            measured_capacity_bps=None if math.isnan(measured_bps) else int(measured_bps),
            utilization=interval.utilization(capacity_bps) if is_known else None,
            loss=interval.loss,
            limit_bytes=steps.limit_bytes[row].item(),
            occupancy_bytes=occupancy_bytes,
            queue_delay_s=8 * occupancy_bytes / capacity_bps if is_known else None,
            decided_limit_bytes=decision.limit_bytes,
            binding=decision.binding,
            unreachable=decision.unreachable,
            gains=decision.gains,
            lateness_s=self.lateness_s,
            exchange_s=self.exchange_s,
        )
