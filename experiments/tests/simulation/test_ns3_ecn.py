"""Explicit congestion notification: marks at ports, and sources that answer them."""

import math
from itertools import pairwise

import pytest
from p4abs.errors import UserError
from p4abs_experiments.simulation.ns3 import Flow, Port, Simulation
from p4abs_experiments.simulation.program import P4_PROGRAM

from experiments.tests.simulation.traffic import add_mixed_traffic

RATE_BPS = 100_000_000
RTT_S = 0.002
PACKET_BYTES = 1500
SEGMENT_BYTES = PACKET_BYTES - 14 - 20 - 20
KINDS = ["plain", "p4", "red"]


def add_marking_port(simulation: Simulation, kind: str, packets: int) -> Port:
    """Marks beyond so many packets: by its limit, or as RED with one threshold (Alizadeh et al.
    2010, section 3.1)."""
    limit_bytes = packets * PACKET_BYTES
    if kind == "red":
        attributes = {"MaxSize": f"{10 * limit_bytes}B", "QW": "1", "Gentle": "false"}
        attributes |= {"MinTh": str(limit_bytes), "MaxTh": str(limit_bytes)}
        attributes |= {"UseEcn": "true", "UseHardDrop": "false"}
        return simulation.add_queue_disc_port("marking", RATE_BPS, "RedQueueDisc", attributes)
    if kind == "plain":
        port = simulation.add_plain_port("marking", RATE_BPS, limit_bytes)
    else:
        program = P4_PROGRAM.read_bytes()
        port = simulation.add_p4_port("marking", RATE_BPS, program, limit_bytes)
    port.set_ecn_marking(True)
    return port


def add_flow(
    simulation: Simulation, port: Port, control: str, *, ecn: bool = True, **others: float
) -> Flow:
    arguments = {"rtt_s": RTT_S, "packet_bytes": PACKET_BYTES} | others
    return simulation.add_tcp_flow([port], congestion_control=control, ecn=ecn, **arguments)


def queue_packets(simulation: Simulation, port: Port, from_s: float, to_s: float) -> list[int]:
    """Samples, ten in a round-trip time."""
    lengths = []
    for step in range(round((to_s - from_s) / RTT_S * 10)):
        simulation.run_until(from_s + step * RTT_S / 10)
        lengths.append(port.occupancy_bytes() // PACKET_BYTES)
    return lengths


@pytest.mark.parametrize("kind", KINDS)
def test_dctcp_keeps_the_queue_at_the_threshold_and_loses_nothing(kind: str) -> None:
    """Alizadeh et al. 2010, section 3.3: the queue of N flows grows to K + N; with K more than a
    seventh of what the path holds (section 3.4) it never empties."""
    threshold, flows = 20, 2
    with Simulation(1) as simulation:
        port = add_marking_port(simulation, kind, threshold)
        sources = [add_flow(simulation, port, "dctcp") for _ in range(flows)]
        simulation.run_until(1)
        lost, departed = sum(source.lost_packets() for source in sources), port.snapshot()[3]
        lengths = queue_packets(simulation, port, 1, 3)
        assert sum(source.lost_packets() for source in sources) == lost
        sent_bps = 8 * (port.snapshot()[3] - departed) / 2
    assert max(lengths) == pytest.approx(threshold + flows, abs=1)
    assert min(lengths) > 0
    assert sent_bps == pytest.approx(RATE_BPS, rel=1e-3)


@pytest.mark.parametrize(("threshold", "rtt_s"), [(20, 0.002), (100, 0.008)])
def test_the_queue_of_dctcp_swings_as_in_theory(threshold: int, rtt_s: float) -> None:
    """Equation 8 of the same paper: by half the root of 2 (C RTT + K) for one flow. There the cut
    takes no time; here, as in Linux, it takes a round trip, in which marks go on and bring about a
    second one."""
    pipe = RATE_BPS * rtt_s / 8 / PACKET_BYTES
    with Simulation(1) as simulation:
        port = add_marking_port(simulation, "plain", threshold)
        add_flow(simulation, port, "dctcp", rtt_s=rtt_s, jitter_s=0.0)
        simulation.run_until(2)
        lengths = queue_packets(simulation, port, 2, 5)
    swing = 0.5 * math.sqrt(2 * (pipe + threshold))
    assert swing <= max(lengths) - min(lengths) <= 2.5 * swing


def test_a_threshold_that_is_too_low_for_dctcp_costs_throughput() -> None:
    shares = []
    for threshold in (2, 20):
        with Simulation(1) as simulation:
            port = add_marking_port(simulation, "plain", threshold)
            add_flow(simulation, port, "dctcp", rtt_s=0.01)
            simulation.run_until(2)
            departed = port.snapshot()[3]
            simulation.run_until(4)
            shares.append(8 * (port.snapshot()[3] - departed) / 2 / RATE_BPS)
    assert shares[0] < 0.985 < 0.999 < shares[1]


@pytest.mark.parametrize(("control", "factor"), [("newreno", 0.5), ("reno", 0.5), ("cubic", 0.7)])
def test_marks_reduce_the_window_once_a_round_trip_and_nothing_is_sent_again(
    control: str, factor: float
) -> None:
    """RFC 3168, section 6.1.2, and RFC 9438, section 4.6. Others fill the queue for 3 ms."""
    rtt_s = 0.02
    with Simulation(1) as simulation:
        port = add_marking_port(simulation, "plain", 16)
        flow = add_flow(simulation, port, control, rtt_s=rtt_s)
        simulation.add_cbr_flow(
            [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=2 * RATE_BPS,
            start_s=3.0, stop_s=3.003,
        )  # fmt: skip
        simulation.run_until(2.5)
        lost = flow.lost_packets()
        not_got = flow.sent_packets() - flow.goodput_bytes() / SEGMENT_BYTES
        simulation.run_until(3.0)
        marked = flow.marked_packets()
        windows = []
        for step in range(60):
            simulation.run_until(3 + step * rtt_s / 10)
            windows.append(flow.congestion_window_bytes() / SEGMENT_BYTES)
        assert flow.marked_packets() > marked + 10
        assert flow.lost_packets() == lost
        # What is under way is less than before.
        assert flow.sent_packets() - flow.goodput_bytes() / SEGMENT_BYTES < not_got + 10
    assert min(windows) == pytest.approx(factor * max(windows), rel=0.02)


@pytest.mark.parametrize("kind", ["plain", "p4"])
def test_only_what_understands_marks_gets_more_than_the_limit(kind: str) -> None:
    """And not more than twice the limit."""
    with Simulation(1) as simulation:
        port = add_marking_port(simulation, kind, 10)
        blind = add_flow(simulation, port, "newreno", ecn=False)
        assert max(queue_packets(simulation, port, 0, 1)) <= 10
        # BBR takes no notice of marks: sixteen of them fill whatever there is.
        for _ in range(16):
            add_flow(simulation, port, "bbr")
        assert 18 <= max(queue_packets(simulation, port, 1, 3)) <= 20
        assert blind.marked_packets() == 0 < blind.lost_packets()


def test_p4_and_plain_port_mark_and_drop_the_same_packets() -> None:
    """Packet by packet; that one is marked is known when it leaves the P4 program."""
    controls = ["dctcp", "cubic", "newreno", "bbr"] * 3

    def history(kind: str) -> tuple[list[tuple[int, ...]], int]:
        with Simulation(1) as simulation:
            port = add_marking_port(simulation, kind, 12)
            flows = [
                add_flow(simulation, port, control, ecn=number % 4 != 1)
                for number, control in enumerate(controls)
            ]
            rows = []
            for step in range(1000):
                simulation.run_until(step * 5e-4)
                lost = (flow.lost_packets() for flow in flows)
                rows.append((*port.snapshot()[:5], port.marked_bytes(), *lost))
            return rows, sum(flow.marked_packets() for flow in flows)

    (by_program, marked), (plain, marked_on_arrival) = history("p4"), history("plain")
    assert by_program == plain
    assert by_program[-1][2] > 0  # dropped
    assert plain[-1][5] == PACKET_BYTES * marked_on_arrival
    assert marked_on_arrival - 24 <= marked <= marked_on_arrival
    assert marked > 100


@pytest.mark.parametrize(("marks_s", "drops_s"), [(3.0, 3.012), (3.005, 3.0)])
def test_losses_while_a_mark_is_answered_and_marks_in_a_recovery_wait_for_no_timeout(
    marks_s: float, drops_s: float
) -> None:
    """ns-3.37's own socket sees no loss while a mark brings its window down, and ends a recovery
    at a mark: both leave the rest to a timer of 200 ms."""
    rtt_s = 0.02
    with Simulation(1) as simulation:
        marking = add_marking_port(simulation, "plain", 16)
        dropping = simulation.add_plain_port("dropping", RATE_BPS, 4 * PACKET_BYTES)
        for port, start_s in ((marking, marks_s), (dropping, drops_s)):
            simulation.add_cbr_flow(
                [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=2 * RATE_BPS,
                start_s=start_s, stop_s=start_s + 0.003,
            )  # fmt: skip
        flow = simulation.add_tcp_flow(
            [marking, dropping], rtt_s=rtt_s, packet_bytes=PACKET_BYTES,
            congestion_control="newreno", ecn=True,
        )  # fmt: skip
        simulation.run_until(2.99)
        window_bytes = flow.congestion_window_bytes()
        lost, marked, got = flow.lost_packets(), flow.marked_packets(), []
        for step in range(11):
            simulation.run_until(2.99 + step * 0.05)
            got.append(flow.goodput_bytes())
        assert flow.lost_packets() > lost
        assert flow.marked_packets() > marked
        # Reduced once for both: a mark and a loss of one window.
        assert flow.congestion_window_bytes() == pytest.approx(0.63 * window_bytes, rel=0.1)
    assert (
        min(after - before for before, after in pairwise(got))
        > 0.5 * 0.05 * window_bytes / rtt_s / 2
    )


def test_marks_are_off_unless_asked_for() -> None:
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("dropping", RATE_BPS, 10 * PACKET_BYTES)
        flow = add_flow(simulation, port, "newreno")
        simulation.run_until(2)
        assert flow.marked_packets() == 0 < flow.lost_packets()


def test_a_queue_disc_is_told_by_its_attributes_whether_it_marks() -> None:
    with Simulation(1) as simulation:
        port = simulation.add_queue_disc_port("disc", RATE_BPS, "FifoQueueDisc", {})
        with pytest.raises(UserError, match="UseEcn"):
            port.set_ecn_marking(True)


@pytest.mark.parametrize(
    "type_id", ["CoDelQueueDisc", "PieQueueDisc", "CobaltQueueDisc", "RemQueueDisc"]
)
def test_queue_discs_mark_flows_that_understand_it(type_id: str) -> None:
    with Simulation(1) as simulation:
        attributes = {"MaxSize": "600000B", "UseEcn": "true"}
        port = simulation.add_queue_disc_port("disc", 16_000_000, type_id, attributes)
        flow = add_flow(simulation, port, "newreno", rtt_s=0.02)
        others = add_mixed_traffic(simulation, port)
        simulation.run_until(3)
        assert flow.marked_packets() > 0
        assert sum(other.marked_packets() for other in others) == 0
