"""What all scenarios share, and how the gaps in their descriptions are filled.

Where the paper states no packet length, packets have the 600 bytes that its Tables 2 and 3 imply;
where it states no round-trip times, they are those of its section 4.2, uniform in [30, 30 + 2N] ms
for N flows; from section 4.3 on N = 60, the flows of its dumbbell at 10 Mb/s. (With these, tail
drop at 10 packets comes close to Table 1's loss and utilization for Reno, and the limit under web
traffic lies in figure 5's range.) It states no initial limit: every run begins at 100 ms of drain
time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p4abs_experiments.network import PACKET_BYTES, Link, Range, Sizing

BOTTLENECK = "bottleneck"

INITIAL_DRAIN_S = 0.1
HIGHEST_DRAIN_S = 10.0
LOWEST_PACKETS = 2

PUBLISHED_LAWS = ("abs-paper", "abs-paper-abs")
"""Equation (8) to the letter, and with the absolute value of u(n) - u(n-1)."""

LAWS = ("abs", *PUBLISHED_LAWS)


@dataclass(frozen=True, slots=True)
class Goal:
    """The targets u* and p*, as fractions."""

    utilization: float
    loss: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A sizing policy with its own parameters; `label` names it in tables."""

    label: str
    policy: str
    parameters: Mapping[str, float] = field(default_factory=dict)
    interval_s: float = 0.02


def law(policy: str) -> Law:
    return Law(label=policy, policy=policy)


def rtt_range_s(n_flows: int) -> Range:
    """Section 4.2: [30, 30 + 2N] ms."""
    return 0.030, 0.030 + 0.002 * n_flows


LATER_RTT_S = rtt_range_s(60)
"""Of sections 4.3 to 4.7."""


def drain_bytes(drain_s: float, capacity_bps: int) -> int:
    return round(drain_s * capacity_bps / 8)


def adaptive(
    law: Law,
    goal: Goal,
    capacity_bps: int,
    packet_bytes: int = PACKET_BYTES,
    memory: tuple[tuple[float, int], ...] = (),
) -> Sizing:
    return Sizing(
        initial_limit_bytes=drain_bytes(INITIAL_DRAIN_S, capacity_bps),
        policy=law.policy,
        parameters=law.parameters,
        utilization=goal.utilization,
        loss=goal.loss,
        min_limit_bytes=LOWEST_PACKETS * packet_bytes,
        max_limit_bytes=drain_bytes(HIGHEST_DRAIN_S, capacity_bps),
        interval_s=law.interval_s,
        memory=memory,
    )


def bottleneck(capacity_bps: int, sizing: Sizing) -> Link:
    return Link(BOTTLENECK, capacity_bps, sizing)
