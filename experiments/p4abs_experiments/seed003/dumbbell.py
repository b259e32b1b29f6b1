"""The seed's benchmark network: equal long flows at one drop-tail bottleneck (section III).

Nothing is scaled: 100 Mb/s, 500-byte packets, 6 ms. Two things differ. The seed's access links
also have 100 Mb/s and space a sender's bursts; here senders have no access rate, for with one or
two flows such links, not the bottleneck, would hold the queue. And a buffer of 0 packets beside
the packet in transmission cannot be set: 1 packet is the smallest.
"""

from __future__ import annotations

from p4abs_experiments.cell import Cell, Paper
from p4abs_experiments.network import Link, Scenario, Sizing, TcpFlows
from p4abs_experiments.seed003 import published
from p4abs_experiments.seed003.fluid_model import FluidModel

PACKETS_PER_S = published.CAPACITY_BPS / 8 / published.PACKET_BYTES
SMALLEST_BUFFER_PACKETS = 1

_FEW_FLOWS = 2
"""Up to here a cycle of the windows takes a second and more, so that runs are longer."""


def model(n_flows: int, signalled: int | None = None) -> FluidModel:
    """The fluid model of this network; see `FluidModel.of_equal_flows`."""
    return FluidModel.of_equal_flows(PACKETS_PER_S, published.RTT_S, n_flows, signalled)


def static_cell(n_flows: int, buffer_packets: int, seconds: float | None = None) -> Cell:
    """A fixed buffer; ``seconds`` are measured (by default as many as the cycles need)."""
    measured_s = seconds or (30.0 if n_flows <= _FEW_FLOWS else 10.0)
    limit_bytes = buffer_packets * published.PACKET_BYTES
    sizing = Sizing(initial_limit_bytes=limit_bytes, min_limit_bytes=published.PACKET_BYTES)
    return Cell(_scenario(n_flows, sizing, 2.0, measured_s), paper=_paper(n_flows, buffer_packets))


def adaptive_cell(n_flows: int, utilization: float) -> Cell:
    """ABS from one bandwidth-delay product, with a loss target that never binds."""
    sizing = Sizing(
        policy="abs",
        utilization=utilization,
        loss=0.5,
        initial_limit_bytes=published.BDP_PACKETS * published.PACKET_BYTES,
        min_limit_bytes=published.PACKET_BYTES,
        max_limit_bytes=4 * published.BDP_PACKETS * published.PACKET_BYTES,
    )
    return Cell(_scenario(n_flows, sizing, 12.0, 10.0))


def _scenario(n_flows: int, sizing: Sizing, settle_s: float, measured_s: float) -> Scenario:
    bottleneck = Link("bottleneck", published.CAPACITY_BPS, sizing)
    flows = TcpFlows(
        count=n_flows,
        path=(bottleneck.name,),
        rtt_s=(published.RTT_S, published.RTT_S),
        congestion_control="newreno",
        packet_bytes=published.PACKET_BYTES,
        start_s=(0.0, 0.1),
    )
    return Scenario(
        name=f"seed003 N={n_flows}",
        links=(bottleneck,),
        traffic=(flows,),
        n_flows=n_flows,
        duration_s=settle_s + measured_s,
        measure_from_s=settle_s,
    )


def _paper(n_flows: int, buffer_packets: int) -> Paper:
    if buffer_packets == SMALLEST_BUFFER_PACKETS and n_flows in published.ZERO_BUFFER_RATE_BPS:
        rate_bps = published.ZERO_BUFFER_RATE_BPS[n_flows]
        return Paper(limit_packets=0, utilization=rate_bps / published.CAPACITY_BPS)
    if buffer_packets == published.SIMULATED_BUFFER_PACKETS.get(n_flows):
        return Paper(limit_packets=buffer_packets, utilization=published.FULL_UTILIZATION)
    return Paper()
