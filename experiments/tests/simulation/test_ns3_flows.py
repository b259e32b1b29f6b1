"""What the simulator's sources send and get through."""

import math

import pytest
from p4abs.errors import UserError
from p4abs_experiments.simulation.bottleneck import (
    PACKET_BYTES,
    RATE_BPS,
    SERIALIZATION_S,
    add_port,
)
from p4abs_experiments.simulation.ns3 import CONGESTION_CONTROLS, MINIMUM_PACKET_BYTES, Simulation

HEADERS_BYTES = 14 + 20 + 20
SEGMENT_BYTES = PACKET_BYTES - HEADERS_BYTES
ROOMY = 1_000_000


def test_one_reno_flow_moves_its_window_as_on_nodes_of_ns3() -> None:
    """The windows that stock ns-3.37 nodes go through (PointToPointNetDevice of 2.4 Mb/s,
    InternetStack, BulkSend; TcpLinuxReno, 602-byte packets, 30 ms, a queue of 5 packets), in
    segments, between two losses: proportional rate reduction, then additive increase. Their
    other links, of 100 and 2.4 Mb/s, add 0.24 ms of serialisation to the round-trip time."""
    reduction = [21, 20, 19.38, 18.83, 18.29, 17.75, 17.21, 16.67, 16.13, 15.58, 15.04, 14.5, 13.96,
                 13.42, 12.88, 11]  # fmt: skip
    increase = [float(segments) for segments in range(14, 23)]
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("bottleneck", 2_400_000, 5 * 602)
        flow = simulation.add_tcp_flow([port], rtt_s=0.03024, packet_bytes=602, jitter_s=0.0)
        windows = [0.0]
        for step in range(5000):
            simulation.run_until(20 + step * 2e-4)
            window = round(flow.congestion_window_bytes() / 548, 2)
            if window != windows[-1]:
                windows.append(window)
    begin = windows.index(22.0) + 1
    cycle = windows[begin : begin + len(reduction + increase)]
    assert cycle == pytest.approx(reduction + increase, abs=0.005)


@pytest.mark.parametrize("control", CONGESTION_CONTROLS)
def test_every_congestion_control_fills_a_link_with_a_good_buffer(control: str) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 80 * PACKET_BYTES)
        flows = [
            simulation.add_tcp_flow(
                [port], rtt_s=0.03, packet_bytes=PACKET_BYTES, congestion_control=control
            )
            for _ in range(4)
        ]
        simulation.run_until(5)
        goodput_bps = sum(flow.goodput_bytes() for flow in flows) * 8 / 5
        share = SEGMENT_BYTES / PACKET_BYTES
        # lp gives way to its own queue.
        assert 0.6 * RATE_BPS * share < goodput_bps <= RATE_BPS * share


@pytest.mark.parametrize("window_segments", [4, 10.5, 25])
def test_a_window_limited_flow_sends_a_window_per_round_trip(window_segments: float) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", ROOMY)
        window_bytes = int(window_segments * SEGMENT_BYTES)
        flow = simulation.add_tcp_flow(
            [port], rtt_s=0.1, packet_bytes=PACKET_BYTES, window_bytes=window_bytes, jitter_s=0.0
        )
        simulation.run_until(2)
        before = flow.goodput_bytes()
        simulation.run_until(12)
        rate = (flow.goodput_bytes() - before) / 10
        # No part of a segment is sent while others are under way (silly window syndrome).
        sent_bytes = int(window_segments) * SEGMENT_BYTES
        assert rate == pytest.approx(sent_bytes / (0.1 + SERIALIZATION_S), rel=0.02)


@pytest.mark.parametrize("window_bytes", [6000, 9000, 20_000])
def test_small_windows_survive_losses(window_bytes: int) -> None:
    """ns-3.37's send buffer alone does not: it names empty segments."""
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 3000)
        flows = [
            simulation.add_tcp_flow(
                [port], rtt_s=0.03, packet_bytes=PACKET_BYTES, window_bytes=window_bytes
            )
            for _ in range(16)
        ]
        simulation.run_until(5)
        assert all(flow.goodput_bytes() > 10 * SEGMENT_BYTES for flow in flows)
        assert sum(flow.lost_packets() for flow in flows) > 100


def test_a_finite_flow_completes_after_slow_start() -> None:
    """Handshake, then windows of 2, 4 and 8 segments: 3.5 round-trip times to the last byte."""
    rtt_s = 0.1
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("fast", 10**10, ROOMY)
        flow = simulation.add_tcp_flow(
            [port], rtt_s=rtt_s, packet_bytes=PACKET_BYTES, size_bytes=14 * SEGMENT_BYTES,
            initial_window_segments=2, start_s=1.0,
        )  # fmt: skip
        simulation.run_until(1.34)
        assert flow.completion_s() is None
        simulation.run_until(3)
        assert flow.completion_s() == pytest.approx(3.5 * rtt_s, rel=1e-3)
        assert flow.goodput_bytes() == 14 * SEGMENT_BYTES
        assert flow.congestion_window_bytes() == 0


def test_a_stopped_flow_falls_silent_at_once() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 40 * PACKET_BYTES)
        flow = simulation.add_tcp_flow([port], rtt_s=0.05, packet_bytes=PACKET_BYTES, stop_s=2.0)
        simulation.run_until(2)
        sent = flow.sent_packets()
        assert sent > 1000
        simulation.run_until(10)
        assert flow.sent_packets() == sent
        assert port.occupancy_bytes() == 0


def test_a_path_of_several_ports_is_offered_to_each() -> None:
    with Simulation(1) as simulation:
        ports = [simulation.add_plain_port(f"hop {hop}", RATE_BPS, ROOMY) for hop in range(3)]
        flow = simulation.add_cbr_flow(
            ports, delay_s=0.01, packet_bytes=PACKET_BYTES, rate_bps=1e6, stop_s=1.0
        )
        simulation.run_until(2)
        assert flow.offered_packets() == 3 * flow.sent_packets() > 0
        assert {port.snapshot()[3] for port in ports} == {flow.sent_packets() * PACKET_BYTES}
        payload = PACKET_BYTES - 14 - 20 - 8
        assert flow.goodput_bytes() == flow.sent_packets() * payload


def test_acknowledgements_take_the_reverse_path() -> None:
    with Simulation(1) as simulation:
        there = add_port(simulation, "plain", 40 * PACKET_BYTES)
        back = simulation.add_plain_port("back", 1_000_000, ROOMY)
        flow = simulation.add_tcp_flow(
            [there], rtt_s=0.03, packet_bytes=PACKET_BYTES, reverse_ports=[back]
        )
        simulation.run_until(10)
        # One acknowledgement of 54 bytes for every segment: the way back is the bottleneck.
        goodput_bps = flow.goodput_bytes() * 8 / 10
        assert goodput_bps == pytest.approx(1e6 / HEADERS_BYTES * SEGMENT_BYTES, rel=0.05)


def test_delayed_acknowledgements_halve_their_number() -> None:
    acknowledged = []
    for segments in (1, 2):
        with Simulation(1, delayed_ack_segments=segments) as simulation:
            there = add_port(simulation, "plain", ROOMY)
            back = simulation.add_plain_port("back", 10**9, ROOMY)
            simulation.add_tcp_flow(
                [there], rtt_s=0.03, packet_bytes=PACKET_BYTES, reverse_ports=[back],
                size_bytes=1_000_000,
            )  # fmt: skip
            simulation.run_until(5)
            acknowledged.append(back.snapshot()[3] / HEADERS_BYTES)
    assert acknowledged[0] == pytest.approx(1_000_000 / SEGMENT_BYTES, abs=5)
    assert acknowledged[1] == pytest.approx(acknowledged[0] / 2, rel=0.02)


def test_on_off_flows_send_their_share_of_the_time() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", ROOMY)
        flow = simulation.add_cbr_flow(
            [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=4e6, on_s=0.03, off_s=0.09
        )
        simulation.run_until(200)
        rate_bps = flow.sent_packets() * PACKET_BYTES * 8 / 200
        # A phase begins with a packet, which adds half a packet to each on average.
        assert rate_bps == pytest.approx(4e6 / 4, rel=0.05)


def test_poisson_flows_offer_the_stated_load() -> None:
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("fast", 10**9, ROOMY)
        flows = simulation.add_poisson_flows(
            [port], rtt_s=(0.02, 0.06), packet_bytes=PACKET_BYTES, flows_per_s=100,
            size_bytes=10 * SEGMENT_BYTES, stop_s=20.0,
        )  # fmt: skip
        simulation.run_until(21)
        assert abs(flows.started() - 2000) < 4 * math.sqrt(2000)
        assert flows.completed() == flows.started()
        assert flows.goodput_bytes() == flows.completed() * 10 * SEGMENT_BYTES
        # The handshake and half a round trip.
        assert flows.mean_completion_s() == pytest.approx(1.5 * 0.04, rel=0.03)
        assert flows.completion_quantile_s(1.0) == pytest.approx(1.5 * 0.06, rel=0.02)
        flows.restart_record()
        assert (flows.started(), flows.completed()) == (0, 0)
        assert math.isnan(flows.mean_completion_s())


def test_poisson_flows_share_a_congested_port() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "p4", 20 * PACKET_BYTES)
        flows = simulation.add_poisson_flows(
            [port], rtt_s=(0.02, 0.06), packet_bytes=PACKET_BYTES, flows_per_s=60,
            size_bytes=30_000, pareto_shape=1.5,
        )  # fmt: skip
        simulation.run_until(10)
        _, admitted, dropped, *_ = port.snapshot()
        assert flows.offered_bytes() == admitted + dropped
        assert flows.lost_bytes() == dropped > 0
        assert 0 < flows.completed() <= flows.started()


def test_web_users_fetch_one_object_after_the_other() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", ROOMY)
        users = [
            simulation.add_web_user(
                [port], rtt_s=0.03, packet_bytes=PACKET_BYTES, pages=(3, 3), objects=(2, 2),
                page_gap_s=0.5, object_gap_s=0.01, pareto_shape=2.5,
            )
            for _ in range(200)
        ]  # fmt: skip
        simulation.run_until(0.02)
        assert [user.started() for user in users] == [1] * len(users)
        simulation.run_until(60)
        assert [user.completed() for user in users] == [6] * len(users)
        mean_bytes = sum(user.goodput_bytes() for user in users) / (6 * len(users))
        assert mean_bytes == pytest.approx(10_000, rel=0.1)


def test_bad_arguments_name_what_is_valid() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", ROOMY)
        with pytest.raises(UserError, match=r"no congestion control tahoe; there are .*cubic"):
            simulation.add_tcp_flow([port], rtt_s=0.1, packet_bytes=600, congestion_control="tahoe")
        with pytest.raises(UserError, match=f"packet_bytes must be from {MINIMUM_PACKET_BYTES} "):
            simulation.add_tcp_flow([port], rtt_s=0.1, packet_bytes=60)
        with pytest.raises(UserError, match="rtt_s must be"):
            simulation.add_tcp_flow([port], rtt_s=-1.0, packet_bytes=600)
        with pytest.raises(UserError, match="stop_s must not be before"):
            simulation.add_tcp_flow([port], rtt_s=0.1, packet_bytes=600, start_s=2, stop_s=1)
        with pytest.raises(UserError, match="pareto_shape"):
            simulation.add_poisson_flows(
                [port], rtt_s=(0.1, 0.2), packet_bytes=600, flows_per_s=1, size_bytes=1e4,
                pareto_shape=0.5,
            )  # fmt: skip


def test_there_is_one_simulation_at_a_time() -> None:
    simulation = Simulation(1)
    port = add_port(simulation, "plain", ROOMY)
    with pytest.raises(UserError, match="close it first"):
        Simulation(2)
    simulation.run_until(1)
    with pytest.raises(UserError, match="has passed"):
        simulation.run_until(0.5)
    simulation.close()
    with pytest.raises(UserError, match="has been closed"):
        port.snapshot()
    with pytest.raises(UserError, match="has been closed"):
        simulation.run_until(2)
    with Simulation(2) as other, pytest.raises(UserError, match="of another simulation"):
        other.add_cbr_flow([port], delay_s=0.0, packet_bytes=600, rate_bps=1e6)
