"""`fpq`: flow-proportional queueing, a few packets for every flow.

    b = K N S          Morris 2000; K = 6 in the SLA paper (Sommers et al. 2008, table 3)

A TCP flow with a loss rate p has a window of 0.87 / sqrt(p) packets (ABS paper, equation 18). A
window of six packets means p = 2.1 %. FPQ makes room for all six in the buffer. Equation (18), the
loss part of `bscl`, subtracts the packets that are on the path.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from p4abs.policies.ranges import require_positive
from p4abs.policies.rules.rule import MeasuringRule


@dataclass(frozen=True, slots=True)
class Fpq(MeasuringRule):
    """`n_flows` is N, `packet_bytes` is S, `packets_per_flow` is K."""

    name: ClassVar[str] = "fpq"

    packet_bytes: float
    packets_per_flow: float = 6.0
    n_flows: float | None = field(default=None, kw_only=True)

    def _check_parameters(self) -> None:
        require_positive(self, "packet_bytes", "packets_per_flow")

    def buffer_for(self, n_flows: float, mean_rtt_s: float) -> float:
        """K N S."""
        return self.packets_per_flow * n_flows * self.packet_bytes
