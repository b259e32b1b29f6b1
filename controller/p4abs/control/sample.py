"""What control intervals of ports measured and decided."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from p4abs.columns import Floats, Ints, Positions
from p4abs.control.memory.lending import MemoryUse
from p4abs.measurements import Interval
from p4abs.policies import Binding, Decisions
from p4abs.policies.policy import BINDINGS


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of telemetry.

    `time_s` is the controller's clock in seconds since the Unix epoch. `limit_bytes` was in force
    during the interval, `decided_limit_bytes` was decided at its end; `binding` determined it, with
    the policy's `gains`. `unreachable` names a target that no buffer can meet; empty: none is
    known. `occupancy_bytes` and `queue_delay_s` (its drain time) are those at the interval's end.
    `measured_capacity_bps` is None while it is not known. Then `utilization` and `queue_delay_s`
    come from the declared capacity, and are None without one. `lateness_s` is by how much the loop
    overslept its deadline, `exchange_s` is how long the exchange of all ports with the switch took.
    `held_bytes` is what the port holds of a shared memory; None: no memory is shared. If memory is
    why the limit is no higher, `held_by_memory` says who holds the rest.
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
    held_bytes: int | None = None
    held_by_memory: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """The intervals that have ended for some ports, by their positions, and what was decided.

    Positions ascend. `limit_bytes` were in force during the interval, `occupancy_bytes` are those
    at its end. Unknown capacities are NaN. `memory`: who holds the shared memory; None: none is
    shared.
    """

    ports: Positions
    intervals: Interval
    limit_bytes: Ints
    decisions: Decisions
    occupancy_bytes: Ints
    measured_capacity_bps: Floats
    capacity_bps: Floats
    memory: MemoryUse | None = None

    def take(self, rows: Positions) -> "Steps":
        return Steps(
            self.ports[rows],
            self.intervals.take(rows),
            self.limit_bytes[rows],
            self.decisions.take(rows),
            self.occupancy_bytes[rows],
            self.measured_capacity_bps[rows],
            self.capacity_bps[rows],
            self.memory,
        )


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one tick, in arrays; a `Sample` is made when somebody asks for it.

    `numbers` are the numbers of all ports; `steps` has positions in them. Unknown values are NaN.
    """

    time_s: float
    numbers: Sequence[int]
    steps: Steps
    utilization: Floats
    queue_delay_s: Floats
    lateness_s: float
    exchange_s: float

    @classmethod
    def of(
        cls,
        time_s: float,
        numbers: Sequence[int],
        steps: Steps,
        lateness_s: float,
        exchange_s: float,
    ) -> Self:
        utilization = steps.intervals.utilization(steps.capacity_bps)
        utilization = np.where(np.isnan(steps.capacity_bps), np.nan, utilization)
        queue_delay_s = 8 * steps.occupancy_bytes / steps.capacity_bps
        return cls(time_s, numbers, steps, utilization, queue_delay_s, lateness_s, exchange_s)

    def __len__(self) -> int:
        return len(self.steps.ports)

    def __iter__(self) -> Iterator[Sample]:
        return map(self.row, range(len(self)))

    def take(self, rows: Positions) -> Self:
        utilization, queue_delay_s = self.utilization[rows], self.queue_delay_s[rows]
        steps = self.steps.take(rows)
        return replace(self, steps=steps, utilization=utilization, queue_delay_s=queue_delay_s)

    @property
    def loss(self) -> Floats:
        return self.steps.intervals.loss

    def row(self, row: int) -> Sample:
        steps, decisions = self.steps, self.steps.decisions
        interval = steps.intervals.alone(row)
        position, memory = int(steps.ports[row]), steps.memory
        is_held = BINDINGS[decisions.binding[row]] is Binding.MEMORY
        return Sample(
            time_s=self.time_s,
            port=self.numbers[position],
            interval=interval,
            measured_capacity_bps=_whole(steps.measured_capacity_bps[row].item()),
            utilization=_known(self.utilization[row].item()),
            loss=interval.loss,
            limit_bytes=steps.limit_bytes[row].item(),
            occupancy_bytes=steps.occupancy_bytes[row].item(),
            queue_delay_s=_known(self.queue_delay_s[row].item()),
            decided_limit_bytes=decisions.limit_bytes[row].item(),
            binding=BINDINGS[decisions.binding[row]],
            unreachable=decisions.unreachable(row),
            gains=_gains(decisions.gains, row),
            lateness_s=self.lateness_s,
            exchange_s=self.exchange_s,
            held_bytes=None if memory is None else memory.held_bytes[position].item(),
            held_by_memory="" if memory is None or not is_held else memory.words(position),
        )


def _gains(gains: Mapping[str, Floats], row: int) -> dict[str, float]:
    of_port = {name: values[row].item() for name, values in gains.items()}
    return {name: gain for name, gain in of_port.items() if not math.isnan(gain)}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)
