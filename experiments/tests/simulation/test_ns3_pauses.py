"""Sources with nothing to send for a while."""

import pytest
from p4abs_experiments.simulation.bottleneck import PACKET_BYTES, RATE_BPS, add_port
from p4abs_experiments.simulation.ns3 import CONGESTION_CONTROLS, Simulation

RTT_S = 0.03
INITIAL_WINDOW_BYTES = 10 * (PACKET_BYTES - 54)


# LEDBAT has one slow start in its life.
@pytest.mark.parametrize("control", [name for name in CONGESTION_CONTROLS if name != "ledbat"])
def test_tcp_falls_silent_in_a_pause_and_fills_the_link_again(control: str) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 60 * PACKET_BYTES)
        flows = [
            simulation.add_tcp_flow(
                [port], rtt_s=RTT_S, packet_bytes=PACKET_BYTES, congestion_control=control
            )
            for _ in range(4)
        ]
        simulation.run_until(4)
        for flow in flows:
            flow.set_paused(True)
        # What was lost is sent again, after a timeout if need be.
        simulation.run_until(5.5)
        before = sum(flow.sent_packets() for flow in flows)
        simulation.run_until(7)
        assert sum(flow.sent_packets() for flow in flows) == before
        assert port.occupancy_bytes() == 0
        for flow in flows:
            flow.set_paused(False)
        simulation.run_until(9)
        first = port.snapshot()[3]
        simulation.run_until(13)
        # lp gives way to its own queue.
        assert (port.snapshot()[3] - first) * 8 / 4 > 0.6 * RATE_BPS


@pytest.mark.parametrize(
    ("pause_s", "restarts"), [(0.1, False), (2.0, True)], ids=["short", "long"]
)
def test_a_window_older_than_a_timeout_is_forgotten(pause_s: float, restarts: bool) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 1_000_000)
        flow = simulation.add_tcp_flow(
            [port], rtt_s=RTT_S, packet_bytes=PACKET_BYTES, window_bytes=50_000, jitter_s=0.0
        )
        simulation.run_until(3)
        window = flow.congestion_window_bytes()
        assert window > 2 * INITIAL_WINDOW_BYTES
        flow.set_paused(True)
        simulation.run_until(3 + pause_s)
        flow.set_paused(False)
        simulation.run_until(3 + pause_s + 0.001)
        after = flow.congestion_window_bytes()
        assert after == INITIAL_WINDOW_BYTES if restarts else after >= window
        simulation.run_until(3 + pause_s + 1)
        assert flow.lost_packets() == 0


def test_a_pause_puts_a_transfer_off_and_loses_nothing() -> None:
    def completion_s(pauses: list[tuple[float, float]]) -> float:
        with Simulation(1) as simulation:
            port = add_port(simulation, "plain", 10 * PACKET_BYTES)
            flow = simulation.add_tcp_flow(
                [port], rtt_s=RTT_S, packet_bytes=PACKET_BYTES, size_bytes=2_000_000
            )
            for begin_s, end_s in pauses:
                simulation.run_until(begin_s)
                flow.set_paused(True)
                simulation.run_until(end_s)
                flow.set_paused(False)
            simulation.run_until(20)
            took_s = flow.completion_s()
            assert took_s is not None
            assert flow.lost_packets() > 0
            return took_s

    whole_s = completion_s([])
    assert completion_s([(0.5, 1.5)]) == pytest.approx(whole_s + 1.0, abs=0.6)
    assert completion_s([(0.0, 0.5), (0.9, 1.4)]) == pytest.approx(whole_s + 1.0, abs=0.6)


def test_users_and_arrivals_start_no_connection_in_a_pause() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 100 * PACKET_BYTES)
        users = [
            simulation.add_web_user([port], rtt_s=RTT_S, packet_bytes=PACKET_BYTES, page_gap_s=0.1)
            for _ in range(10)
        ]
        arrivals = simulation.add_poisson_flows(
            [port], rtt_s=(RTT_S, RTT_S), packet_bytes=PACKET_BYTES, flows_per_s=50, size_bytes=5000
        )
        sources = [*users, arrivals]
        simulation.run_until(2)
        for source in sources:
            source.set_paused(True)
        started = [source.started() for source in sources]
        assert min(started) > 0
        simulation.run_until(4)
        assert [source.started() for source in sources] == started
        for source in sources:
            source.set_paused(False)
        simulation.run_until(8)
        assert all(
            source.started() > before + 3 for source, before in zip(sources, started, strict=True)
        )
