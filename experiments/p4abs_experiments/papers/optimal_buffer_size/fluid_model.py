"""The fluid model of long TCP flows at a drop-tail buffer, and its Pareto set.

Avrachenkov, Ayesta, Piunovskiy, "Optimal choice of the buffer size in the Internet routers",
section II. The total rate grows linearly, falls to a share of itself whenever the buffer is full,
and the buffer takes what exceeds the capacity. Data is in packets, rates in packets/s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from p4abs.policies.rules.fluid import full_utilization_buffer


@dataclass(frozen=True, slots=True)
class FluidModel:
    """Capacity mu in packets/s, growth alpha of the total rate in packets/s^2, and beta, the
    share of the total rate that is left after a congestion signal."""

    capacity: float
    growth: float
    decrease: float

    @classmethod
    def of_equal_flows(
        cls, capacity: float, rtt_s: float, n_flows: int, signalled: int | None = None
    ) -> Self:
        """n flows of one round-trip time, of which each signal reaches `signalled` (by default
        all: synchronised; 1: desynchronised), which halve their rate."""
        share = 1.0 if signalled is None else signalled / n_flows
        return cls(capacity, n_flows / rtt_s**2, 1 - share / 2)

    @property
    def full_utilization_buffer(self) -> float:
        """B_0 of Theorem 1: the smallest buffer that never leaves the link idle."""
        return full_utilization_buffer(self.capacity, self.growth, self.decrease)

    def mean_rate(self, buffer: float) -> float:
        """Equations (6) and (8): the average sending rate, which is the throughput."""
        if buffer >= self.full_utilization_buffer:
            return self.capacity
        return (1 + self.decrease) / 2 * (self.growth * self._filling_s(buffer) + self.capacity)

    def mean_queue(self, buffer: float) -> float:
        """Equations (7) and (9): the average content of the buffer."""
        if buffer >= self.full_utilization_buffer:
            return buffer - 2 / 3 * self.full_utilization_buffer
        filling, below = self._filling_s(buffer), self._below_capacity_s(buffer)
        emptying = below - math.sqrt(below**2 - filling**2)
        cubes = filling**3 + below * filling**2 + 2 * emptying * (filling**2 - below**2)
        return self.growth / (6 * (below + filling)) * cubes

    def utilization(self, buffer: float) -> float:
        return self.mean_rate(buffer) / self.capacity

    def pareto_set(self, points: int = 100) -> tuple[Sequence[float], Sequence[float]]:
        """(mean queues, mean rates) as the buffer grows from 0 to B_0: the curve of Figure 4."""
        buffers = np.linspace(0, self.full_utilization_buffer, points)
        return [self.mean_queue(b) for b in buffers], [self.mean_rate(b) for b in buffers]

    def _filling_s(self, buffer: float) -> float:
        """theta: the time in which the rate exceeds the capacity, per cycle."""
        return math.sqrt(2 * buffer / self.growth)

    def _below_capacity_s(self, buffer: float) -> float:
        """tau: the time from a signal until the rate is the capacity again."""
        missing = self.capacity * (1 - self.decrease)
        return missing / self.growth - self.decrease * self._filling_s(buffer)
