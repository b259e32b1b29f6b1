"""A link that carries short flows only (section 4): what Figures 10 and 12 have in common.

Flows of a fixed number of packets start as a Poisson process at a load of 0.8 and never leave slow
start, which begins with two packets. Packets are 1000 bytes and round-trip times U[60, 100] ms
(the paper prints neither for these figures); access links are infinitely fast and without jitter,
as the model assumes. The paper's 40, 80 and 200 Mb/s are kept.
"""

from p4abs_experiments.network import Scenario, ShortFlows
from p4abs_experiments.papers.dumbbell import INITIAL_WINDOW_SEGMENTS, LINK, Dumbbell
from p4abs_experiments.papers.packet_sizing import fixed, segment_bytes
from p4abs_experiments.papers.sizing_router_buffers.models.short_flows import (
    BurstQueue,
    slow_start_bursts,
)

LOAD = 0.8
PACKET_BYTES = 1000
INFINITE_PACKETS = 100_000
_CONTROL_BYTES = 92
"""The SYN of a connection and the acknowledgement of its answer load the link as well."""
_RTT_S = (0.06, 0.1)


def short_flow_scenario(
    capacity_bps: int, flow_packets: int, buffer_packets: float, start_s: float, window_s: float
) -> Scenario:
    """Flows of `flow_packets` at LOAD through a buffer of `buffer_packets`."""
    flows = ShortFlows(
        path=(LINK,),
        flows_per_s=LOAD * capacity_bps / 8 / (flow_packets * PACKET_BYTES + _CONTROL_BYTES),
        size_bytes=flow_packets * segment_bytes(PACKET_BYTES),
        rtt_s=_RTT_S,
        packet_bytes=PACKET_BYTES,
        initial_window_segments=INITIAL_WINDOW_SEGMENTS,
        jitter_s=0,
    )
    limit = "infinite" if buffer_packets >= INFINITE_PACKETS else f"{buffer_packets:.0f} packets"
    link = Dumbbell(
        capacity_bps=capacity_bps,
        rtt_s=_RTT_S,
        packet_bytes=PACKET_BYTES,
        n_flows=(),
        start_s=start_s,
        window_s=window_s,
    )
    name = f"{capacity_bps / 1e6:g} Mb/s, flows of {flow_packets}, buffer {limit}"
    return link.scenario(name, fixed(buffer_packets, PACKET_BYTES), 0, flows)


def model(flow_packets: int) -> BurstQueue:
    """The M/G/1 model of the same flows."""
    return BurstQueue(slow_start_bursts(flow_packets), LOAD)
