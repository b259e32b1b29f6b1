"""Short flows: bursts of slow start in an M/G/1 queue, and the effective-bandwidth bound.

Appenzeller, Keslassy, McKeown, "Sizing router buffers", section 4 and Appendix C. Bursts arrive
as a Poisson process and a burst of a flow is any of its slow-start rounds with equal chance.
Sizes and queues are in packets, `load` is rho, a fraction below 1.

The paper prints the bursts of a 16-packet flow as {2, 4, 8, 4}, which sum to 18: the remainder
is 2, as its own R = l mod (2^n - 1) intends.
"""

import math
from dataclasses import dataclass
from statistics import fmean


def slow_start_bursts(flow_packets: int, initial_window: int = 2) -> tuple[int, ...]:
    """{2, 4, ..., R}: the rounds in which `flow_packets` are sent without a loss."""
    bursts: list[int] = []
    window, left = initial_window, flow_packets
    while left > 0:
        bursts.append(min(window, left))
        left -= bursts[-1]
        window *= 2
    return tuple(bursts)


@dataclass(frozen=True, slots=True)
class BurstQueue:
    """The M/G/1 queue of bursts drawn evenly from `bursts`, at `load`."""

    bursts: tuple[int, ...]
    load: float

    def moment(self, order: int) -> float:
        """E[X^order] of the burst size."""
        return fmean(float(burst) ** order for burst in self.bursts)

    def mean_queue(self) -> float:
        """E[Q] of section 4, with packets leaving one by one."""
        jobs = self.load / (2 * (1 - self.load)) * self.moment(2) / self.moment(1)
        return jobs - self.load * self.moment(1) / 2

    def decay(self) -> float:
        """kappa of Appendix C: P(Q >= b) falls as exp(-kappa b)."""
        return 2 * (1 - self.load) / self.load * self.moment(1) / self.moment(2)

    def tail(self, buffer: float) -> float:
        """P(Q >= b) by the second-order approximation."""
        return math.exp(-self.decay() * buffer)

    def buffer_for_tail(self, probability: float) -> float:
        """The buffer b with P(Q >= b) = `probability` (Figure 12: 0.025)."""
        return -math.log(probability) / self.decay()
