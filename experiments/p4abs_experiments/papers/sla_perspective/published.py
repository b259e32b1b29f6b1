"""What the paper prints in tables and text; its plots are not readable from its text."""

from dataclasses import dataclass

PACKET_BYTES = 1500
BDP_PACKETS = 624
"""Of the OC3 bottleneck: 50 ms, the mean round-trip time, of 149.76 Mb/s (Table 1)."""
RTT_S = (0.02, 0.08)

DROP_TAIL_PACKETS = (1, 39, 156, 624, 2496)
"""Table 1, OC3, 50 ms: 1, BDP/16, BDP/4, BDP, 4 BDP."""


@dataclass(frozen=True, slots=True)
class RedThresholds:
    """Of the average queue, in packets."""

    minimum: int
    most: int


RED = {
    "small": RedThresholds(50, 150),
    "medium": RedThresholds(225, 675),
    "large": RedThresholds(400, 1200),
}
"""Table 2, OC3."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """One row of Table 3: buffers in packets."""

    bdp: int
    stanford: int
    bscl: int
    fpq: int


LONG_FLOW_SIZES = {
    30: Sizes(624, 113, 121, 180),
    60: Sizes(624, 80, 59, 360),
    150: Sizes(624, 50, 780, 900),
    300: Sizes(624, 36, 2085, 1800),
    600: Sizes(624, 25, 4695, 3600),
    1200: Sizes(624, 18, 9915, 7200),
}
"""Table 3 by number of long flows."""

WEB_SIZES = {
    60: Sizes(624, 84, 414, 2767),
    90: Sizes(624, 68, 651, 4140),
    100: Sizes(624, 65, 725, 4565),
    110: Sizes(624, 60, 872, 4958),
}
"""Table 3 by offered load of web-like traffic in percent."""

SLA_LARGEST_UTILIZATION = 0.70
"""An SLA does not bind in intervals that use the link more."""
SLA_INTERVAL_S = 10.0
SLA_NEAR = 0.10
"""Near a threshold: within this share of it."""
SLA_TIGHT = (0.005, 0.001)
SLA_LOOSE = (0.050, 0.02)
"""(delay in s, loss) of the tightest and the loosest of the sixteen SLAs (section 5.2)."""
