"""Traffic for the bottleneck that the tests of the simulator share."""

from p4abs_experiments.simulation.bottleneck import PACKET_BYTES
from p4abs_experiments.simulation.ns3 import Flow, Port, Simulation


def add_mixed_traffic(simulation: Simulation, port: Port) -> list[Flow]:
    """TCP of several kinds and bursty UDP: about 1.2 times what the port can carry."""
    flows = [
        simulation.add_tcp_flow(
            [port],
            rtt_s=0.02 + 0.007 * index,
            packet_bytes=PACKET_BYTES + 300 * (index % 3),
            congestion_control=control,
            start_s=0.05 * index,
        )
        for index, control in enumerate(["reno", "cubic", "newreno", "bic", "reno", "htcp"])
    ]
    udp = simulation.add_cbr_flow(
        [port], delay_s=0.01, packet_bytes=200, rate_bps=8e6, on_s=0.05, off_s=0.05
    )
    return [*flows, udp]


def add_overload(simulation: Simulation, port: Port, times: float = 2.0) -> Flow:
    """UDP at a multiple of the port's rate."""
    rate_bps = times * port.rate_bps
    return simulation.add_cbr_flow(
        [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=rate_bps
    )
