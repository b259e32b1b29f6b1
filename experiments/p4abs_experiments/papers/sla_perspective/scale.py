"""How the paper's testbed is scaled down to what two processor cores simulate.

The OC3 link carries 149.76 Mb/s of 1500-byte packets (Table 1: 624 packets in 50 ms); a fifth of
it is simulated. Capacity and numbers of flows are divided by `SCALE`, so that every flow's share
of the link stays what it was. Round-trip times, windows and packets are kept, buffers keep their
seconds. What this changes: fewer flows are multiplexed, so that the aggregate is rougher; one
flow's largest rate (64 KB per round trip) is a larger share of the link; and buffers have `SCALE`
times fewer packets, except for the one of 1 packet, which lasts `SCALE` times longer.
"""

from p4abs_experiments.papers.sla_perspective import published

SCALE = 5
CAPACITY_BPS = 149_760_000 // SCALE

LARGEST_FRAME_BYTES = published.PACKET_BYTES + 14


def limit_bytes(packets: float) -> int:
    """A buffer that the paper gives in packets: as many seconds, but at least one packet."""
    return max(LARGEST_FRAME_BYTES, round(packets * published.PACKET_BYTES / SCALE))


def seconds(limit_bytes: float) -> float:
    """The time in which a full buffer drains."""
    return 8 * limit_bytes / CAPACITY_BPS
