"""`fluid`: the smallest buffer that keeps a link busy in a fluid model of AIMD.

Avrachenkov, Ayesta and Piunovskiy, CDC 2005, theorem 1:

    B_0 = mu^2 (1 - beta)^2 / (2 alpha (1 + beta)^2)   packets
    alpha = sum of 1 / RTT_i^2 = N / R^2,   beta = 1 - (1 - beta_0) n / N

mu is the link's packets per second, and alpha the growth of all sending rates in packets/s^2. When
n of the N flows multiply their rates by beta_0, the sum of all rates is multiplied by beta. With a
buffer above B_0 the queue never runs empty. Two cases have closed forms (equation 12): all flows
reduce their rates at once, n = N: (mu R)^2 / (18 N); and one flow at a time, n = 1: (mu R)^2 / (2 N
(4 N - 1)^2).

B_0 counts packets and grows with the square of the link's packet rate. If round-trip times differ,
R is chosen so that 1 / R^2 is the mean of 1 / RTT_i^2. For times spread evenly over [a, b], R is
sqrt(a b).
"""

from dataclasses import dataclass, field
from typing import ClassVar

from p4abs.policies.ranges import require_fraction, require_positive
from p4abs.policies.rules.rule import MeasuringRule


def full_utilization_buffer(capacity: float, growth: float, decrease: float) -> float:
    """B_0 for a capacity mu, a growth alpha of the aggregate rate and its decrease to beta of it.

    In the unit of data of the capacity, given per time, and of the growth, per squared time.
    """
    swing = capacity * (1 - decrease) / (1 + decrease)
    return swing * swing / (2 * growth)


@dataclass(frozen=True, slots=True)
class Fluid(MeasuringRule):
    """`n_flows` is N, `mean_rtt_s` is R in seconds, `packet_bytes` the size of a packet.

    `synchronization` is n / N. With 1, all flows lose a packet in every congestion event. With 0,
    the minimum, one flow at a time does. `decrease_factor` is beta_0, 0.5 for TCP Reno.
    """

    name: ClassVar[str] = "fluid"

    packet_bytes: float
    synchronization: float = 1.0
    decrease_factor: float = 0.5
    n_flows: float | None = field(default=None, kw_only=True)
    mean_rtt_s: float | None = field(default=None, kw_only=True)

    def _check_parameters(self) -> None:
        require_positive(self, "packet_bytes")
        require_fraction(self, "synchronization", "decrease_factor")

    def buffer_for(self, n_flows: float, mean_rtt_s: float) -> float:
        """B_0 packets, in bytes."""
        losing = max(1 / n_flows, self.synchronization)
        beta = 1 - (1 - self.decrease_factor) * losing
        packets_per_rtt = self._bytes_per_s * mean_rtt_s / self.packet_bytes
        return full_utilization_buffer(packets_per_rtt, n_flows, beta) * self.packet_bytes
