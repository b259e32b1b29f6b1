"""What the simulator's ports measure of their own idleness, and of their backlog."""

import itertools

import pytest
from p4abs_experiments.simulation.bottleneck import (
    PACKET_BYTES,
    RATE_BPS,
    SERIALIZATION_S,
    add_port,
)
from p4abs_experiments.simulation.ns3 import Port, Simulation

from experiments.tests.simulation.traffic import add_mixed_traffic, add_overload

KINDS = ["p4", "plain", "fifo"]
LONGEST_PACKET_S = 8 * 1200 / RATE_BPS
MICROSECOND_S = 1e-6
ROUNDING_S = 1e-4  # the program's times are whole microseconds, a thousand times over


def idle_s(port: Port) -> float:
    """Since the beginning, as a controller knows it."""
    *_, unsaturated_us, unsaturated_bytes = port.snapshot()
    return unsaturated_us / 1e6 - 8 * unsaturated_bytes / RATE_BPS


def sending_s(port: Port) -> float:
    """The time that the departed bytes take, since the beginning."""
    return 8 * port.snapshot()[3] / RATE_BPS


def add_light_load(simulation: Simulation, port: Port, stop_s: float, load: float) -> None:
    """Many sources whose packets often meet: often a packet comes while the last one is sent."""
    sources = 30
    for _ in range(sources):
        simulation.add_cbr_flow(
            [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=load * RATE_BPS / sources,
            stop_s=stop_s, jitter_s=0.05,
        )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("load", [0.3, 0.9, 0.99, 1.1])
def test_a_link_that_has_fallen_idle_was_sending_or_idle_all_the_time(kind, load) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, 100 * PACKET_BYTES)
        add_light_load(simulation, port, stop_s=2.0, load=load)
        simulation.run_until(3)
        assert port.occupancy_bytes() == 0
        assert idle_s(port) + sending_s(port) == pytest.approx(3.0, abs=MICROSECOND_S)
        assert sending_s(port) == pytest.approx(2 * min(load, 1.0), abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_at_any_time_a_packet_in_transmission_makes_the_difference(kind) -> None:
    # The program learns of the end of a transmission by the next departure.
    behind_s = LONGEST_PACKET_S + ROUNDING_S if kind == "p4" else MICROSECOND_S
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, 30 * PACKET_BYTES)
        add_mixed_traffic(simulation, port)
        idle = [0.0]
        for step in range(1, 15_000):
            simulation.run_until(step * 1e-4)
            idle.append(idle_s(port))
            ahead_s = idle[-1] + sending_s(port) - step * 1e-4
            assert -behind_s <= ahead_s <= LONGEST_PACKET_S + MICROSECOND_S
        assert all(after >= before - behind_s for before, after in itertools.pairwise(idle))
        assert 0.05 < idle[-1] < 0.5


@pytest.mark.parametrize("load", [0.3, 0.9, 0.99])
def test_the_program_finds_out_what_the_simulator_knows_of_idle_time(load) -> None:
    def idle_afterwards_s(kind: str) -> float:
        with Simulation(1) as simulation:
            port = add_port(simulation, kind, 100 * PACKET_BYTES)
            add_light_load(simulation, port, stop_s=20.0, load=load)
            simulation.run_until(21)
            return idle_s(port)

    assert idle_afterwards_s("p4") == pytest.approx(idle_afterwards_s("plain"), abs=ROUNDING_S)


def test_the_program_finds_idle_time_among_tcp_flows_within_a_packet() -> None:
    def idle_at_steps_s(kind: str) -> list[float]:
        with Simulation(1) as simulation:
            port = add_port(simulation, kind, 30 * PACKET_BYTES)
            add_mixed_traffic(simulation, port)
            found = []
            for step in range(1, 15_000):
                simulation.run_until(step * 1e-4)
                found.append(idle_s(port))
            return found

    for by_program, known in zip(idle_at_steps_s("p4"), idle_at_steps_s("plain"), strict=True):
        assert -LONGEST_PACKET_S - ROUNDING_S <= by_program - known <= ROUNDING_S


@pytest.mark.parametrize(
    ("type_id", "attributes"),
    [
        ("CoDelQueueDisc", {"MaxSize": "60000B", "Target": "1ms", "Interval": "5ms"}),
        ("RedQueueDisc", {"MaxSize": "60000B", "MinTh": "3000", "MaxTh": "9000"}),
    ],
)
def test_packets_that_a_queue_disc_drops_do_not_count_as_sent(type_id, attributes) -> None:
    with Simulation(1) as simulation:
        port = simulation.add_queue_disc_port("disc", RATE_BPS, type_id, attributes)
        for stop_s in (0.5, 1.0, 1.5):
            simulation.add_cbr_flow(
                [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=3 * RATE_BPS,
                on_s=0.01, off_s=0.05, stop_s=stop_s,
            )  # fmt: skip
        simulation.run_until(3)
        assert port.snapshot()[2] > 0
        assert idle_s(port) + sending_s(port) == pytest.approx(3.0, abs=MICROSECOND_S)


@pytest.mark.parametrize("kind", KINDS)
def test_idle_time_under_way_counts(kind) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, 100 * PACKET_BYTES)
        assert idle_s(port) == 0
        simulation.run_until(0.75)
        assert idle_s(port) == pytest.approx(0.75)
        assert port.snapshot()[-1] == 0


def test_an_overloaded_link_is_never_idle_and_shows_its_rate() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 100 * PACKET_BYTES)
        add_overload(simulation, port)
        simulation.run_until(1)
        first = port.snapshot()
        simulation.run_until(3)
        last = port.snapshot()
        assert last[5:] == first[5:]
        assert 8 * (last[3] - first[3]) / 2 == pytest.approx(RATE_BPS, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_extremes_of_the_backlog_are_those_since_the_last_call(kind) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, 200 * PACKET_BYTES)
        for at_s in (0.5, 0.5 + 60.5 * SERIALIZATION_S):
            for _ in range(100):
                simulation.add_cbr_flow(
                    [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=1.0,
                    start_s=at_s, stop_s=at_s + 1,
                )  # fmt: skip
        simulation.run_until(0.4)
        assert port.start_backlog_window() == (0, 0)
        simulation.run_until(0.5 + 10.5 * SERIALIZATION_S)
        # One of the hundred is sent at once, and ten more have been since.
        assert port.start_backlog_window() == (0, 99 * PACKET_BYTES)
        simulation.run_until(0.5 + 50.5 * SERIALIZATION_S)
        assert port.start_backlog_window() == (49 * PACKET_BYTES, 89 * PACKET_BYTES)
        simulation.run_until(0.5 + 70.5 * SERIALIZATION_S)
        assert port.start_backlog_window() == (39 * PACKET_BYTES, 139 * PACKET_BYTES)


def test_drops_do_not_raise_the_greatest_backlog() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "p4", 10 * PACKET_BYTES)
        add_overload(simulation, port)
        simulation.run_until(1)
        minimum, maximum = port.start_backlog_window()
        assert (minimum, maximum) == (0, 10 * PACKET_BYTES)
        simulation.run_until(2)
        assert port.start_backlog_window() == (9 * PACKET_BYTES, 10 * PACKET_BYTES)
