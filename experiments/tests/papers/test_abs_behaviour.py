"""What experiments read from results, on synthetic series and in short simulations."""

from dataclasses import replace

import numpy as np
import pytest
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.adaptive_buffer_sizing.figures import (
    figure4,
    figures5_6,
    non_bottleneck,
)
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figure1 import Curve
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import LOWEST_PACKETS, law
from p4abs_experiments.papers.adaptive_buffer_sizing.tables import table1
from p4abs_experiments.simulation.result import LinkResult, LinkSeries
from p4abs_experiments.simulation.simulate import simulate

STEP_S = 48.0
SAMPLE_S = 0.02


def link_with_limits(limit_bytes: np.ndarray[tuple[int], np.dtype[np.float64]]) -> LinkResult:
    """A link of 10 Mb/s that sends 95 % of the time and loses 1 % of what arrives."""
    samples = len(limit_bytes)
    sent = np.full(samples, 0.95 * figure4.CAPACITY_BPS * SAMPLE_S / 8)
    series = LinkSeries(
        time_s=np.linspace(SAMPLE_S, samples * SAMPLE_S, samples),
        limit_bytes=limit_bytes,
        occupancy_bytes=np.zeros(samples),
        admitted_bytes=sent,
        dropped_bytes=sent / 99,
        departed_bytes=sent,
    )
    return LinkResult(
        name="bottleneck",
        capacity_bps=figure4.CAPACITY_BPS,
        mean_limit_bytes=float(limit_bytes.mean()),
        std_limit_bytes=float(limit_bytes.std()),
        limit_p50_bytes=float(np.median(limit_bytes)),
        limit_p99_bytes=float(limit_bytes.max()),
        limit_max_bytes=float(limit_bytes.max()),
        mean_occupancy_bytes=0.0,
        utilization=0.95,
        loss=0.01,
        admitted_bytes=0,
        dropped_bytes=0,
        departed_bytes=0,
        queue_delay_mean_s=0.0,
        queue_delay_p50_s=0.0,
        queue_delay_p95_s=0.0,
        queue_delay_p99_s=0.0,
        series=series,
    )


def test_phases_of_a_limit_that_jumps_two_seconds_late() -> None:
    per_phase = round(STEP_S / SAMPLE_S)
    late = round(2.0 / SAMPLE_S)
    wanted = np.repeat([600.0, 400.0, 200.0, 400.0, 600.0], per_phase)
    limits = 600 * np.concatenate([np.full(late, 600.0), wanted[:-late]])
    optima = {60: 600 * 600.0, 40: 600 * 400.0, 20: 600 * 200.0}
    found = figure4.phases(link_with_limits(limits), optima)
    assert [phase.n_flows for phase in found] == [60, 40, 20, 40, 60]
    assert [phase.steady_bytes / 600 for phase in found] == [600, 400, 200, 400, 600]
    for phase in found[1:]:
        assert phase.reaching_s == pytest.approx(2.0, abs=0.03)
        assert 2.0 < phase.settling_s < 2.0 + figure4.SMOOTHING_S + 0.03
        assert phase.utilization == pytest.approx(0.95)
        assert phase.loss == pytest.approx(0.01)
        assert phase.oscillation == 0


def test_reversals_count_steps_beyond_the_noise() -> None:
    falling = Curve((1, 2, 4, 8), loss=(0.1, 0.05, 0.06, 0.01), utilization=(0.5, 0.7, 0.697, 0.9))
    assert falling.utilization_reversals() == 0
    assert falling.loss_reversals() == 1
    monotone = replace(falling, loss=(0.1, 0.05, 0.02, 0.01))
    assert monotone.loss_reversals() == 0


def test_the_limit_of_a_link_with_smooth_load_below_the_target_stays_at_the_minimum() -> None:
    scenario = non_bottleneck.scenario("abs", "smooth UDP")
    sizing = scenario.link().sizing
    assert sizing is not None
    lowest = replace(sizing, initial_limit_bytes=sizing.min_limit_bytes)
    short = replace(scenario.with_sizing(lowest), duration_s=10.0, measure_from_s=5.0)
    limits = simulate(Cell(short)).link().series.limit_bytes
    assert limits.max() == LOWEST_PACKETS * 600


def test_a_buffer_of_ten_packets_starves_the_link_whatever_manages_it() -> None:
    for disc in ("tail drop", "REM"):
        cell = table1.managed("reno", disc, 10)
        short = replace(cell.scenario, duration_s=15.0, measure_from_s=7.5)
        link = simulate(replace(cell, scenario=short)).link()
        assert link.utilization < 0.9
        assert link.loss > 0.06


def test_rem_keeps_its_target_queue_by_marks_where_the_buffer_holds_it() -> None:
    link = simulate(table1.managed("cubic", "REM", 100)).link()
    assert link.mean_occupancy_bytes / 600 == pytest.approx(table1.TARGET_PACKETS, rel=0.1)
    assert link.utilization > 0.999
    assert link.loss < 0.001


def test_the_limit_keeps_to_the_memory() -> None:
    bounds = ((0.0, 60_000), (2.0, 30_000), (4.0, 90_000), (6.0, 48_000), (8.0, 36_000))
    scenario = figures5_6.scenario(law("abs"), figures5_6.WEB_USERS, 10.0, bounds)
    series = simulate(Cell(scenario)).link().series
    for from_s, bound_bytes in bounds:
        inside = (series.time_s > from_s + 0.1) & (series.time_s < from_s + 1.6)
        assert series.limit_bytes[inside].max() <= bound_bytes
