"""The four sizing schemes of Table 3, by the policies that implement them.

Sommers, Barford, Greenberg, Willinger, "A SLA perspective on the router buffer sizing problem",
Table 3. The table follows from `p4abs.policies` with: one bandwidth-delay product of the mean
round-trip time; the square root rule, rounded down; six packets per flow; and BSCL for a loss of
1 % and a path of 525 packets, 42.1 ms, near the harmonic mean of U[20, 80] ms, 43.3 ms. BSCL's
utilization part decides at 30 and 60 flows; there the paper measured the loss synchronization,
and the printed buffers are those of 0.55 and 0.41.
"""

import math
from collections.abc import Mapping

from p4abs.policies.rules.bscl import WINDOW_CONSTANT

from p4abs_experiments.papers.sla_perspective import published
from p4abs_experiments.papers.sla_perspective.published import Sizes

MEAN_RTT_S = sum(published.RTT_S) / 2
BSCL_PATH_PACKETS = 525
BSCL_RTT_S = MEAN_RTT_S * BSCL_PATH_PACKETS / published.BDP_PACKETS
BSCL_LOSS = 0.01
"""p*: the BSCL column grows by 8.7 = 0.87 / sqrt(0.01) packets per flow."""
FPQ_PACKETS_PER_FLOW = 6
SCHEMES = ("bdp", "stanford", "bscl", "fpq")


def parameters(scheme: str, n_flows: float) -> Mapping[str, float]:
    """The parameters of the policy of this name for `n_flows`. Raises KeyError."""
    return {
        "bdp": {"mean_rtt_s": MEAN_RTT_S},
        "stanford": {"n_flows": n_flows, "mean_rtt_s": MEAN_RTT_S},
        "bscl": {
            "n_flows": n_flows,
            "mean_rtt_s": BSCL_RTT_S,
            "packet_bytes": published.PACKET_BYTES,
        },
        "fpq": {
            "n_flows": n_flows,
            "packet_bytes": published.PACKET_BYTES,
            "packets_per_flow": FPQ_PACKETS_PER_FLOW,
        },
    }[scheme]


def flows_behind(scheme: str, printed: Sizes) -> float:
    """The number of flows from which the scheme gives the printed buffer.

    For web-like traffic the paper counts flows past slow start for the square root rule and BSCL
    and all flows for FPQ, and does not print the counts.
    """
    if scheme == "stanford":
        return (published.BDP_PACKETS / printed.stanford) ** 2
    if scheme == "bscl":
        return (printed.bscl + BSCL_PATH_PACKETS) * math.sqrt(BSCL_LOSS) / WINDOW_CONSTANT
    return printed.fpq / FPQ_PACKETS_PER_FLOW
