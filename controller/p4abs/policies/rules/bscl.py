"""`bscl`: buffer sizing for congested links, the larger of a utilization and a loss buffer.

Dhamdhere, Jiang and Dovrolis, INFOCOM 2005, as given in the ABS paper's section 5:

    (17) b_u = (p(N) C R - 2 S N (1 - p(N))) / (2 - p(N)),   p(N) = 1 - (1 - 1/N)^(alpha N)
    (18) b_p = K N - C R,                                    K = 0.87 S / sqrt(p*)

p(N) is the fraction of the flows that lose a packet in a congestion event. Such an event drops
alpha N packets; alpha is the loss synchronization. R is the harmonic mean of the round-trip times.
The paper has two means, R_e and R_p; this rule takes R for both. (17) keeps the link fully used,
whatever the target utilization is. (18) makes room for what N flows at loss p* send, beyond what
the path holds.

The ABS paper's tables 2 and 3 have BSCL columns. With alpha = 0.6, S = 600 bytes and p* = 2 %,
this rule gives all twenty rows to within a packet or 0.3 %. For this, round-trip times have to be
10 ms longer than for the BDP columns of these tables (40 ms to 40 + 2N ms). The paper does not say
why.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

from p4abs.policies.ranges import require_fraction, require_positive
from p4abs.policies.rules.rule import MeasuringRule

WINDOW_CONSTANT = 0.87
"""A TCP flow's window in packets times the square root of its loss rate (equation 18)."""


@dataclass(frozen=True, slots=True)
class Bscl(MeasuringRule):
    """`n_flows` is N, `mean_rtt_s` is R in seconds, `packet_bytes` is S.

    `loss_synchronization` is alpha, 0.6 in the ABS paper's section 4.2.
    """

    name: ClassVar[str] = "bscl"

    packet_bytes: float
    loss_synchronization: float = 0.6
    n_flows: float | None = field(default=None, kw_only=True)
    mean_rtt_s: float | None = field(default=None, kw_only=True)

    def _check_parameters(self) -> None:
        require_positive(self, "packet_bytes")
        require_fraction(self, "loss_synchronization")

    def buffer_for(self, n_flows: float, mean_rtt_s: float) -> float:
        """The larger of both buffers."""
        return max(
            self.utilization_buffer_bytes(n_flows, mean_rtt_s),
            self.loss_buffer_bytes(n_flows, mean_rtt_s),
        )

    def utilization_buffer_bytes(self, n_flows: float, mean_rtt_s: float) -> float:
        """(17); negative where the flows alone smooth their aggregate."""
        losing = 1 - math.pow(1 - 1 / n_flows, self.loss_synchronization * n_flows)
        regained_bytes = 2 * self.packet_bytes * n_flows * (1 - losing)
        return (losing * self._bytes_per_s * mean_rtt_s - regained_bytes) / (2 - losing)

    def loss_buffer_bytes(self, n_flows: float, mean_rtt_s: float) -> float:
        """(18); negative where the path alone holds windows that large."""
        window_bytes = WINDOW_CONSTANT * self.packet_bytes / math.sqrt(self.targets.loss)
        return window_bytes * n_flows - self._bytes_per_s * mean_rtt_s
