"""Every sizing policy with the figures that Tables 2 and 3 give it.

`bdp` and `stanford` use the harmonic mean round-trip time plus the bottleneck's 1 ms, which
reproduces the printed columns; `bscl`'s columns follow from round-trip times 10 ms longer.
"""

import math

from p4abs_experiments.network import PACKET_BYTES
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import Law, law, rtt_range_s

BOTTLENECK_DELAY_S = 0.001
BSCL_EXTRA_RTT_S = 0.010
STANFORD_FACTOR = 2.0
"""Section 4.2 prints b = 2 R C / sqrt(N)."""

MAX_DELAY_S = 0.05
"""What `delay-cap` allows in these tables; the paper has no such column."""


def harmonic_mean(lowest: float, highest: float) -> float:
    """Of a variable that is uniform between two positive values, in their unit."""
    return (highest - lowest) / math.log(highest / lowest)


def rules(n_flows: int) -> tuple[Law, ...]:
    """The policies that compute a limit from what is known of the traffic, with a fixed result."""
    lowest_s, highest_s = rtt_range_s(n_flows)
    mean_rtt_s = harmonic_mean(lowest_s, highest_s) + BOTTLENECK_DELAY_S
    bscl_rtt_s = (
        harmonic_mean(lowest_s + BSCL_EXTRA_RTT_S, highest_s + BSCL_EXTRA_RTT_S)
        + BOTTLENECK_DELAY_S
    )
    packets = {"n_flows": n_flows, "packet_bytes": PACKET_BYTES}

    def rule(policy: str, **parameters: float) -> Law:
        return Law(label=policy, policy=policy, parameters=parameters)

    return (
        rule("bdp", mean_rtt_s=mean_rtt_s),
        rule("stanford", mean_rtt_s=mean_rtt_s, n_flows=n_flows, factor=STANFORD_FACTOR),
        rule("bscl", mean_rtt_s=bscl_rtt_s, **packets),
        rule("fpq", **packets),
        rule("fluid", mean_rtt_s=math.sqrt(lowest_s * highest_s), **packets),
        Law(label="delay-cap", policy="delay-cap"),
    )


def rule(policy: str, n_flows: int) -> Law:
    """The one of `rules` with this name."""
    return next(each for each in rules(n_flows) if each.policy == policy)


def adaptive_laws() -> tuple[Law, ...]:
    """The policies that measure, with their defaults."""
    return tuple(law(policy) for policy in ("abs", "adt", "abs-paper", "abs-paper-abs"))
