"""The sawtooth's length against its closed form."""

import pytest
from p4abs_experiments.experiment.sawteeth import PER_CELL, sawtooth_s, window_s
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import TABLES


def test_a_lone_flow_with_a_full_pipe_of_buffer_halves_every_pipe_of_long_round_trips() -> None:
    """40 packets of pipe and as many of buffer: W = 80, 40 round trips of 2 x 24 ms."""
    assert sawtooth_s(8_000_000, (0.024, 0.024), 1, 600) == pytest.approx(40 * 0.048)


def test_twice_the_capacity_or_half_the_flows_double_it_and_round_trips_count_twice() -> None:
    one = sawtooth_s(8e6, (0.02, 0.02), 100)
    assert sawtooth_s(16e6, (0.02, 0.02), 100) == pytest.approx(2 * one)
    assert sawtooth_s(8e6, (0.04, 0.04), 100) == pytest.approx(4 * one)


def test_the_windows_of_all_seeds_hold_what_is_asked() -> None:
    assert 5 * window_s(2.0, 5) == pytest.approx(PER_CELL * 2.0)


def test_only_the_fastest_links_of_the_tables_hold_fewer() -> None:
    few = [load.name for table in TABLES for load in table.loads if load.sawteeth < PER_CELL]
    assert few == ["16 flows, 512 Mb/s", "16 flows, 1024 Mb/s"]


def test_a_sawtooth_passes_before_the_tables_measure_and_another_while_they_do() -> None:
    for load in (load for table in TABLES for load in table.loads):
        from_s = load.measure_from_s
        assert min(from_s, load.duration_s - from_s) >= load.sawtooth_s
