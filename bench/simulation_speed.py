"""What the P4 program in the loop costs a simulation: its processor time per packet, against the
same scenario with ns-3's own FifoQueueDisc in the port, and with a tail drop in C++."""

import statistics
import time
from functools import partial

from measurement import by_turns
from p4abs_experiments.simulation.bottleneck import PACKET_BYTES, SERIALIZATION_S, add_port
from p4abs_experiments.simulation.ns3 import Simulation

KINDS = ("p4", "fifo", "plain")
FLOWS = 16
LIMIT_BYTES = 60 * PACKET_BYTES
DURATION_S = 60.0
ROUNDS = 5


def packet_time_s(kind: str) -> float:
    """Processor time per data packet of one run: long TCP flows that fill a link of 16 Mb/s.

    kind: of the port, as `add_port` names them.
    """
    with Simulation(seed=1) as simulation:
        port = add_port(simulation, kind, LIMIT_BYTES)
        flows = [
            simulation.add_tcp_flow(
                [port],
                rtt_s=0.03 + 0.002 * index,
                packet_bytes=PACKET_BYTES,
                start_s=SERIALIZATION_S * index,
            )
            for index in range(FLOWS)
        ]
        began_s = time.process_time()
        simulation.run_until(DURATION_S)
        took_s = time.process_time() - began_s
        return took_s / sum(flow.offered_packets() for flow in flows)


def packet_times_s() -> dict[str, float]:
    """Of every kind of port: the median of alternating runs."""
    times_s = by_turns(ROUNDS, {kind: partial(packet_time_s, kind) for kind in KINDS})
    return {kind: statistics.median(times) for kind, times in times_s.items()}


def p4_ratio(times_s: dict[str, float]) -> float:
    """Of the times by kind: the P4 engine in the loop over ns-3's FifoQueueDisc."""
    return times_s["p4"] / times_s["fifo"]
