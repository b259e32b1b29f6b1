"""BBR: paced by its model of the path (draft-cardwell-iccrg-bbr-congestion-control-00)."""

from itertools import pairwise

import pytest
from p4abs_experiments.simulation.ns3 import Flow, Port, Simulation

RATE_BPS = 8_000_000
PACKET_BYTES = 600
SERIALIZATION_S = 8 * PACKET_BYTES / RATE_BPS
RTT_S = 0.04
BDP_BYTES = RATE_BPS * RTT_S / 8
DEEP = round(20 * BDP_BYTES)
MARGIN = 0.99
"""BBR sends 1 % less than its estimate."""


def add_flow(simulation: Simulation, port: Port, **arguments: float) -> Flow:
    return simulation.add_tcp_flow(
        [port], rtt_s=RTT_S, packet_bytes=PACKET_BYTES, congestion_control="bbr", **arguments
    )


def departures(simulation: Simulation, flow: Flow, from_s: float, to_s: float) -> list[float]:
    """When packets left the source, to a hundredth of a packet's serialisation time."""
    times = []
    step_s = SERIALIZATION_S / 100
    simulation.run_until(from_s)
    sent = flow.sent_packets()
    for step in range(1, round((to_s - from_s) / step_s)):
        simulation.run_until(from_s + step * step_s)
        now = flow.sent_packets()
        times += [from_s + step * step_s] * (now - sent)
        sent = now
    return times


def test_packets_leave_at_the_gains_of_a_cycle_times_the_bandwidth() -> None:
    """A phase of 1.25, one of 0.75, six of 1, and no two packets at once."""
    with Simulation(1) as simulation:
        flow = add_flow(simulation, simulation.add_plain_port("path", RATE_BPS, DEEP))
        times = departures(simulation, flow, 4.0, 7.0)
    gaps = [(after - before) / SERIALIZATION_S * MARGIN for before, after in pairwise(times)]
    shares = []
    for gain in (1.25, 0.75, 1.0):
        like = [gap for gap in gaps if gap == pytest.approx(1 / gain, rel=0.025)]
        shares.append(sum(like) / sum(gaps))
    assert sum(shares) > 0.98
    # Draining may end early, once no more is in flight than the path holds.
    assert shares[0] == pytest.approx(1 / 8, rel=0.2)
    assert 0.05 < shares[1] < 1 / 8 * 1.2
    assert shares[2] == pytest.approx(6 / 8, rel=0.1)


def test_start_up_doubles_the_rate_each_round_trip() -> None:
    with Simulation(1) as simulation:
        flow = add_flow(simulation, simulation.add_plain_port("path", 200_000_000, 0))
        sent = []
        for step in range(6):
            simulation.run_until((1.01 + step) * RTT_S)
            sent.append(flow.sent_packets())
    rounds = [after - before for before, after in pairwise(sent)]
    growth = [after / before for before, after in pairwise(rounds[1:])]
    assert growth == pytest.approx([2.0] * len(growth), rel=0.2)


def test_one_flow_alone_keeps_the_queue_short_and_loses_nothing() -> None:
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("path", RATE_BPS, DEEP)
        flow = add_flow(simulation, port)
        simulation.run_until(5)
        port.start_delay_record()
        departed_bytes = port.snapshot()[3]
        simulation.run_until(25)
        assert flow.lost_packets() == 0
        assert port.mean_occupancy_bytes() < 0.1 * BDP_BYTES
        assert port.delay_quantile_s(1.0) < 0.35 * RTT_S
        # Two probes for the round-trip time, of 0.2 s and a round trip, with 4 packets in flight.
        sent_share = 8 * (port.snapshot()[3] - departed_bytes) / RATE_BPS / 20
        assert sent_share == pytest.approx(MARGIN * (1 - 2 * 0.26 / 20), abs=0.015)


def test_the_bandwidth_is_not_forgotten_while_the_round_trip_time_is_probed() -> None:
    """Ten rounds of four packets pass meanwhile, as many as the estimate lasts."""
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("path", RATE_BPS, DEEP)
        simulation.add_tcp_flow(
            [port], rtt_s=0.01, packet_bytes=PACKET_BYTES, congestion_control="bbr"
        )
        sent_bytes = []
        for step in range(300):
            simulation.run_until(9 + 0.01 * step)
            sent_bytes.append(port.snapshot()[3])
    rates = [8 * (after - before) / 0.01 / RATE_BPS for before, after in pairwise(sent_bytes)]
    probing = [step for step, rate in enumerate(rates) if rate < 0.7]
    assert 18 <= len(probing) <= 26
    assert probing[-1] - probing[0] < 30
    after = rates[probing[-1] + 4 : probing[-1] + 24]
    assert sum(after) / len(after) > 0.97


def test_many_flows_share_the_link_with_two_windows_of_the_path() -> None:
    """Hock, Bless and Zitterbart 2017: several flows overestimate the bandwidth and fill what
    their windows of two bandwidth-delay products admit, and the segments on their way. Flows that
    start behind a queue know the round-trip time only after their first probe of it."""
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("path", 2 * RATE_BPS, 2 * DEEP)
        flows = [add_flow(simulation, port, start_s=0.05 * number) for number in range(16)]
        simulation.run_until(14)
        port.start_delay_record()
        lost = sum(flow.lost_packets() for flow in flows)
        before = [flow.goodput_bytes() for flow in flows]
        simulation.run_until(24)
        assert sum(flow.lost_packets() for flow in flows) == lost
        queue_bytes = port.mean_occupancy_bytes() - 16 * 3 * PACKET_BYTES
        assert 0.5 < queue_bytes / (2 * BDP_BYTES) < 1.2
        got = [flow.goodput_bytes() - bytes_ for flow, bytes_ in zip(flows, before, strict=True)]
        assert sum(got) ** 2 / sum(each**2 for each in got) / len(got) > 0.8


def test_a_short_buffer_costs_many_flows_losses_but_no_throughput() -> None:
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("path", 2 * RATE_BPS, round(0.5 * BDP_BYTES))
        for number in range(16):
            add_flow(simulation, port, start_s=0.05 * number)
        simulation.run_until(3)
        _, admitted, dropped, departed, *_ = port.snapshot()
        simulation.run_until(13)
        _, all_admitted, all_dropped, all_departed, *_ = port.snapshot()
    lost = all_dropped - dropped
    assert 0.03 < lost / (lost + all_admitted - admitted) < 0.25
    assert 8 * (all_departed - departed) / 10 > 0.95 * 2 * RATE_BPS


def test_a_seed_fixes_the_phases_of_the_cycles() -> None:
    """Also of a second simulation in the same process."""

    def sent(seed: int) -> list[int]:
        with Simulation(seed) as simulation:
            port = simulation.add_plain_port("path", RATE_BPS, DEEP)
            flows = [add_flow(simulation, port) for _ in range(3)]
            simulation.run_until(3)
            return [flow.sent_packets() for flow in flows]

    assert sent(1) == sent(1)
    assert sent(1) != sent(2)
