"""One bottleneck, which the tests and the benchmark of the simulator share."""

from p4abs_experiments.simulation.ns3 import Port, Simulation
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
