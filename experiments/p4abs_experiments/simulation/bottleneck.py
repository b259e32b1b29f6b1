"""One bottleneck and traffic for it: what the tests and the benchmark of the simulator share."""

from p4abs_experiments.simulation.ns3 import Flow, Port, Simulation
from p4abs_experiments.simulation.program import P4_PROGRAM

RATE_BPS = 16_000_000
PACKET_BYTES = 600
SERIALIZATION_S = 8 * PACKET_BYTES / RATE_BPS


def add_port(simulation: Simulation, kind: str, limit_bytes: int) -> Port:
    """A port of RATE_BPS with tail drop: "p4", "plain" or "fifo" (ns-3's)."""
    if kind == "p4":
        return simulation.add_p4_port("bottleneck", RATE_BPS, P4_PROGRAM.read_bytes(), limit_bytes)
    if kind == "plain":
        return simulation.add_plain_port("bottleneck", RATE_BPS, limit_bytes)
    attributes = {"MaxSize": f"{limit_bytes}B"}
    return simulation.add_queue_disc_port("bottleneck", RATE_BPS, "FifoQueueDisc", attributes)


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
