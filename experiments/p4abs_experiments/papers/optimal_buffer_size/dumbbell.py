"""The paper's benchmark network: equal long flows at one drop-tail bottleneck (section III).

Nothing is scaled: 100 Mb/s, 500-byte packets, 6 ms, and access links of 100 Mb/s, which space the
bursts of their sender: without them a buffer of one packet leaves the link idle for nine tenths of
the time. One or two flows have none, because then the access links, not the bottleneck, would
hold the queue. A buffer of 0 packets beside the packet in transmission cannot be set: 1 packet is
the smallest.
"""

from p4abs_experiments.network import Link, QueueDisc, Scenario, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.papers.optimal_buffer_size import published
from p4abs_experiments.papers.optimal_buffer_size.fluid_model import FluidModel

PACKETS_PER_S = published.CAPACITY_BPS / 8 / published.PACKET_BYTES
SMALLEST_BUFFER_PACKETS = 1

_FEW_FLOWS = 2
"""Up to here there are no access links, and a cycle of the windows takes a second and more, so
that runs are longer."""
_ACCESS_LIMIT = "300p"
"""Two bandwidth-delay products, so that the bottleneck loses packets first."""


def model(n_flows: int, signalled: int | None = None) -> FluidModel:
    """The fluid model of this network; see `FluidModel.of_equal_flows`."""
    return FluidModel.of_equal_flows(PACKETS_PER_S, published.RTT_S, n_flows, signalled)


def static_cell(n_flows: int, buffer_packets: int) -> Cell:
    """A fixed buffer, measured for as long as the cycles need."""
    measured_s = 30.0 if n_flows <= _FEW_FLOWS else 10.0
    limit_bytes = buffer_packets * published.PACKET_BYTES
    sizing = Sizing(initial_limit_bytes=limit_bytes, min_limit_bytes=published.PACKET_BYTES)
    return Cell(
        _scenario(n_flows, sizing, 2.0, measured_s),
        policy=f"static {buffer_packets} packet{'s' * (buffer_packets > 1)}",
        paper=_paper(n_flows, buffer_packets),
    )


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
    return Cell(_scenario(n_flows, sizing, 12.0, 10.0), policy=f"abs {utilization:.0%}")


def _scenario(n_flows: int, sizing: Sizing, settle_s: float, measured_s: float) -> Scenario:
    bottleneck = Link("bottleneck", published.CAPACITY_BPS, sizing)
    access = _access_links(n_flows) if n_flows > _FEW_FLOWS else ()
    paths: list[tuple[str, ...]] = [(link.name, bottleneck.name) for link in access]
    paths = paths or [(bottleneck.name,)]
    flows = (
        TcpFlows(
            count=n_flows // len(paths),
            path=path,
            rtt_s=(published.RTT_S, published.RTT_S),
            congestion_control="newreno",
            packet_bytes=published.PACKET_BYTES,
            start_s=(0.0, 0.1),
        )
        for path in paths
    )
    return Scenario(
        name=f"seed003 N={n_flows}",
        links=(bottleneck, *access),
        traffic=tuple(flows),
        n_flows=n_flows,
        duration_s=settle_s + measured_s,
        measure_from_s=settle_s,
    )


def _access_links(count: int) -> tuple[Link, ...]:
    buffer = QueueDisc("FifoQueueDisc", {"MaxSize": _ACCESS_LIMIT})
    return tuple(
        Link(f"access {number}", published.CAPACITY_BPS, None, buffer) for number in range(count)
    )


def _paper(n_flows: int, buffer_packets: int) -> Paper:
    if buffer_packets == SMALLEST_BUFFER_PACKETS and n_flows in published.ZERO_BUFFER_RATE_BPS:
        rate_bps = published.ZERO_BUFFER_RATE_BPS[n_flows]
        return Paper(limit_packets=0, utilization=rate_bps / published.CAPACITY_BPS)
    if buffer_packets == published.SIMULATED_BUFFER_PACKETS.get(n_flows):
        return Paper(limit_packets=buffer_packets, utilization=published.FULL_UTILIZATION)
    return Paper()
