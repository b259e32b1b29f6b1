"""Queueing delays and mean occupancy against what queueing theory says."""

import math

import pytest
from p4abs_experiments.simulation.bottleneck import (
    PACKET_BYTES,
    RATE_BPS,
    SERIALIZATION_S,
    add_port,
)
from p4abs_experiments.simulation.ns3 import Port, Simulation

from experiments.tests.simulation.traffic import add_overload


def add_single_packets(simulation: Simulation, port: Port, count: int, at_s: float) -> None:
    """Packets of as many sources that arrive at the same instant."""
    for _ in range(count):
        simulation.add_cbr_flow(
            [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=1.0, start_s=at_s,
            stop_s=at_s + 1.0,
        )  # fmt: skip


def test_packets_that_come_together_wait_for_each_other() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "p4", 0)
        port.start_delay_record()
        add_single_packets(simulation, port, 100, at_s=0.5)
        simulation.run_until(1)
        for q in (0.05, 0.5, 0.95, 0.99, 1.0):
            waited_for = math.ceil(q * 100) - 1
            assert port.delay_quantile_s(q) == pytest.approx(
                waited_for * SERIALIZATION_S, rel=0.004
            )
        assert port.delay_quantile_s(0.0) == 0.0
        assert port.delay_mean_s() == pytest.approx(49.5 * SERIALIZATION_S, rel=1e-6)
        area = sum(range(100)) * SERIALIZATION_S * PACKET_BYTES
        assert port.mean_occupancy_bytes() == pytest.approx(area / 1.0, rel=1e-6)


def test_a_full_queue_delays_by_its_length() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 50 * PACKET_BYTES)
        add_overload(simulation, port)
        simulation.run_until(1)
        port.start_delay_record()
        simulation.run_until(2)
        for q in (0.01, 0.5, 0.99):
            assert port.delay_quantile_s(q) == pytest.approx(50 * SERIALIZATION_S, rel=0.02)


def test_many_sparse_sources_wait_as_in_an_m_d_1_queue() -> None:
    """Pollaczek and Khinchine: mean wait = load * service time / (2 * (1 - load))."""
    load, sources = 0.7, 200
    gap_s = sources * SERIALIZATION_S / load
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 0)
        for _ in range(sources):
            simulation.add_cbr_flow(
                [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=RATE_BPS,
                on_s=1e-6, off_s=gap_s - SERIALIZATION_S,
            )  # fmt: skip
        simulation.run_until(1)
        port.start_delay_record()
        simulation.run_until(41)
        expected_s = load * SERIALIZATION_S / (2 * (1 - load))
        assert port.delay_mean_s() == pytest.approx(expected_s, rel=0.05)
        little = load / SERIALIZATION_S * PACKET_BYTES * port.delay_mean_s()
        assert port.mean_occupancy_bytes() == pytest.approx(little, rel=0.01)


def test_an_empty_record_has_no_quantiles_and_starts_anew() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "plain", 0)
        add_single_packets(simulation, port, 10, at_s=0.0)
        assert math.isnan(port.delay_quantile_s(0.5))
        simulation.run_until(0.5)
        assert math.isnan(port.delay_quantile_s(0.5))
        port.start_delay_record()
        assert math.isnan(port.delay_mean_s())
        assert math.isnan(port.mean_occupancy_bytes())
