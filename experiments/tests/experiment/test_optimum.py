"""The search for the smallest sufficient limit, on curves whose optimum is known."""

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from p4abs_experiments.experiment.optimum import EXPECTED_LIMITS, Optimum, OptimumTask, search
from p4abs_experiments.network import InvalidScenario, Link, QueueDisc, Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import CellResult

Curve = Callable[[float], float]


def find(task: OptimumTask, simulate: Callable[[Cell], CellResult]) -> Optimum:
    searching = search(task)
    cells = next(searching)
    while True:
        try:
            cells = searching.send([simulate(cell) for cell in cells])
        except StopIteration as stop:
            return stop.value


def on(
    result: Callable[..., CellResult], utilization: Curve, loss: Curve, noise: float = 0.0
) -> Callable[[Cell], CellResult]:
    """Simulates by curves over the limit; the noise is a factor on loss and idle time."""

    def simulate(cell: Cell) -> CellResult:
        sizing = cell.scenario.link().sizing
        assert sizing is not None
        limit = sizing.initial_limit_bytes
        factor = math.exp(noise * Random(f"{cell.seed} {limit}").gauss(0, 1))
        idle = (1 - utilization(limit)) * factor
        return result(max(0.0, 1 - idle), min(1.0, loss(limit) * factor), limit)

    return simulate


@pytest.mark.parametrize("optimum", [30_000, 47_111, 800_000, 9_000_000])
@pytest.mark.parametrize("exponent", [1.0, 2.0, 4.0])
def test_finds_the_limit_that_just_meets_the_loss_target(scenario, result, optimum, exponent):
    task = OptimumTask(scenario(initial_limit_bytes=60_000), seeds=(1, 2))
    found = find(task, on(result, lambda b: 1.0, lambda b: 0.02 * (optimum / b) ** exponent))
    assert found.binding == "loss"
    assert found.limit_bytes == pytest.approx(optimum, rel=0.03)


@pytest.mark.parametrize("optimum", [30_000, 47_111, 800_000])
def test_finds_the_limit_that_just_meets_the_utilization_target(scenario, result, optimum):
    task = OptimumTask(scenario(initial_limit_bytes=60_000))
    found = find(task, on(result, lambda b: 1 - 0.02 * (optimum / b) ** 1.5, lambda b: 0.0001))
    assert found.binding == "utilization"
    assert found.limit_bytes == pytest.approx(optimum, rel=0.03)


def test_a_small_optimum_is_found_to_a_packet(scenario, result):
    task = OptimumTask(scenario(initial_limit_bytes=60_000))
    found = find(task, on(result, lambda b: 1.0, lambda b: 0.02 * (6_100 // 600 / (b // 600)) ** 2))
    assert found.limit_bytes == pytest.approx(6_000, abs=600)
    assert len(found.probes) <= EXPECTED_LIMITS


def test_takes_the_larger_of_both_requirements(scenario, result):
    task = OptimumTask(scenario(initial_limit_bytes=10_000))
    found = find(
        task, on(result, lambda b: 1 - 0.02 * (30_000 / b), lambda b: 0.02 * (70_000 / b) ** 2)
    )
    assert found.limit_bytes == pytest.approx(70_000, rel=0.03)


@pytest.mark.parametrize("attempt", range(5))
def test_noise_moves_the_optimum_little(scenario, result, attempt):
    optimum = 100_000 * 1.1**attempt
    task = OptimumTask(scenario(initial_limit_bytes=60_000), seeds=(1, 2, 3))
    found = find(task, on(result, lambda b: 1.0, lambda b: 0.02 * (optimum / b) ** 2, noise=0.03))
    assert found.limit_bytes == pytest.approx(optimum, rel=0.03)


def test_a_usual_search_tries_few_limits(scenario, result):
    task = OptimumTask(scenario(initial_limit_bytes=60_000))
    found = find(task, on(result, lambda b: 1.0, lambda b: 0.02 * (100_000 / b) ** 2))
    assert len(found.probes) <= EXPECTED_LIMITS


def test_the_lowest_limit_is_the_optimum_when_it_suffices(scenario, result):
    task = OptimumTask(scenario(initial_limit_bytes=60_000, min_limit_bytes=1_200))
    found = find(task, on(result, lambda b: 0.99, lambda b: 0.001))
    assert (found.limit_bytes, found.binding) == (1_200, "minimum")


def test_a_link_that_is_no_bottleneck_has_no_optimum(scenario, result):
    found = find(OptimumTask(scenario()), on(result, lambda b: 0.5, lambda b: 0.0))
    assert math.isnan(found.limit_bytes)
    assert found.binding == "none"
    assert len(found.probes) == 1


def test_a_link_that_marks_in_the_place_of_dropping_is_a_bottleneck(scenario, result):
    curves = on(result, lambda b: 1 - 0.02 * 50_000 / b, lambda b: 0.0)

    def marked(cell: Cell) -> CellResult:
        found = curves(cell)
        (entry,) = found.traffic
        flow = replace(entry.flows[0], marked_packets=9)
        return replace(found, traffic=(replace(entry, flows=(flow,)),))

    found = find(OptimumTask(scenario(initial_limit_bytes=20_000)), marked)
    assert (found.binding, found.limit_bytes) == ("utilization", pytest.approx(50_000, rel=0.03))


def test_targets_that_the_highest_limit_misses_have_no_optimum(scenario, result):
    task = OptimumTask(scenario(max_limit_bytes=200_000))
    found = find(task, on(result, lambda b: 1.0, lambda b: 0.1))
    assert found.binding == "none"
    assert max(probe.limit_bytes for probe in found.probes) == 200_000


def test_measured_cells_meet_the_targets(scenario, result):
    task = OptimumTask(scenario(), seeds=(1, 2))
    found = find(task, on(result, lambda b: 1.0, lambda b: 0.02 * (90_000 / b) ** 2))
    assert [cell.seed for cell, _ in found.measured] == [1, 2]
    assert all(measured.link().loss <= 0.02 for _, measured in found.measured)


def test_the_policy_and_its_bounds_play_no_part(scenario):
    adaptive = OptimumTask(
        scenario(policy="abs", max_delay_s=0.1, memory=((0.0, 5_000),), initial_limit_bytes=9_000)
    )
    plain = OptimumTask(scenario(initial_limit_bytes=9_000))
    assert next(search(adaptive)) == next(search(plain))


def test_a_queue_disc_has_no_optimum(scenario):
    plain: Scenario = scenario()
    link = Link("bottleneck", 16_000_000, None, QueueDisc("RedQueueDisc"))
    task = OptimumTask(
        Scenario(
            name="red",
            links=(link,),
            traffic=plain.traffic,
            n_flows=2,
            duration_s=2,
            measure_from_s=1,
        )
    )
    with pytest.raises(InvalidScenario, match="queue disc"):
        search(task)
