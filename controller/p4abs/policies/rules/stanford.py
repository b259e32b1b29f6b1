"""`stanford`: the bandwidth-delay product over the square root of the number of flows.

    b = F C R / (8 sqrt(N))          Appenzeller, Keslassy and McKeown 2004, section 3.2

Windows of flows that are not synchronized add up to a normal distribution, whose width grows with
sqrt(N) only. By their model (equation 6), the utilization with 10 000 flows is above 98.99 % for F
= 1, and above 99.99997 % for F = 2. The ABS paper compares with F = 2 (section 4.2, its tables 2
and 3), the SLA paper with F = 1 (Sommers et al. 2008, table 3).
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

from p4abs.policies.ranges import require_positive
from p4abs.policies.rules.rule import MeasuringRule


@dataclass(frozen=True, slots=True)
class Stanford(MeasuringRule):
    """`n_flows` is N, `mean_rtt_s` is R in seconds, `factor` is F."""

    name: ClassVar[str] = "stanford"

    factor: float = 1.0
    n_flows: float | None = field(default=None, kw_only=True)
    mean_rtt_s: float | None = field(default=None, kw_only=True)

    def _check_parameters(self) -> None:
        require_positive(self, "factor")

    def buffer_for(self, n_flows: float, mean_rtt_s: float) -> float:
        """F C R / (8 sqrt(N))."""
        return self.factor * self._bytes_per_s * mean_rtt_s / math.sqrt(n_flows)
