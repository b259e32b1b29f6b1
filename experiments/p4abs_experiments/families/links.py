"""Family *links*: from 2 Mb/s to 10 Gb/s, round-trip times from 50 us to 300 ms, spreads of 30.

Reno, u* = 98 %, p* = 2 %; Linux's rule of dynamic queue limits stands beside `abs`. Processor time
bounds rate times round-trip time: 50 sawteeth of a flow at 1 Gb/s and 300 ms take an hour each run.
So 300 ms are simulated up to 200 Mb/s, and the links of 1 and 10 Gb/s have the round-trip times of
a building, windows of seconds and, at 10 Gb/s, frames of 9000 bytes. Their limits begin with 100 ms
of drain time like all others, up to a thousand times what they need, and come down during the
warm-up. ns-3's least retransmission timeout stays at 200 ms.
"""

from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.families.family import Family

MBPS, GBPS = 1_000_000, 1_000_000_000


def _link(
    capacity_bps: int, rtt_s: tuple[float, float], n_flows: int, window_s: float = 60.0
) -> Dumbbell:
    frame = 9000 if capacity_bps >= 10 * GBPS else 1500
    frame = 600 if capacity_bps <= 2 * MBPS else frame
    return Dumbbell(
        capacity_bps=capacity_bps,
        rtt_s=rtt_s,
        n_flows=n_flows,
        packet_bytes=frame,
        min_window_s=window_s,
    )


LINKS = {
    "2 Mb/s, 30 ms, 4 flows": _link(2 * MBPS, (0.02, 0.04), 4, 400.0),
    "2 Mb/s, 300 ms, 16 flows": _link(2 * MBPS, (0.29, 0.31), 16, 400.0),
    "10 Mb/s, 10 to 300 ms, 16 flows": _link(10 * MBPS, (0.01, 0.3), 16, 240.0),
    "50 Mb/s, 10 to 300 ms, 16 flows": _link(50 * MBPS, (0.01, 0.3), 16, 120.0),
    "100 Mb/s, 1 ms, 16 flows": _link(100 * MBPS, (0.0005, 0.0015), 16, 60.0),
    "100 Mb/s, 100 ms, 64 flows": _link(100 * MBPS, (0.08, 0.12), 64, 90.0),
    "200 Mb/s, 300 ms, 256 flows": _link(200 * MBPS, (0.28, 0.32), 256),
    "1 Gb/s, 50 us, 16 flows": _link(GBPS, (0.00004, 0.00006), 16, 20.0),
    "1 Gb/s, 10 ms, 64 flows": _link(GBPS, (0.008, 0.012), 64, 24.0),
    "10 Gb/s, 100 us, 16 flows": _link(10 * GBPS, (0.00008, 0.00012), 16, 10.0),
    "10 Gb/s, 50 us to 1.5 ms, 64 flows": _link(10 * GBPS, (0.00005, 0.0015), 64, 5.0),
}


FAMILY = Family(
    name="families-links",
    title="Links from 2 Mb/s to 10 Gb/s",
    claim="The law has no absolute time or rate in it: on any link the mean limit is at most 1.10 "
    "times the static optimum, and the target that binds is met.",
    others=("dql",),
    scenarios=tuple(link.scenario(name, link.sizing()) for name, link in LINKS.items()),
)
