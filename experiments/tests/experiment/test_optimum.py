"""The search for the smallest sufficient limit, on curves whose optimum is known."""

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from p4abs_experiments.experiment.estimate import estimate
from p4abs_experiments.experiment.optimum import (
    RESOLUTION,
    Optimum,
    OptimumTask,
    expected_simulations,
    search,
)
from p4abs_experiments.experiment.seeds import SEEDS
from p4abs_experiments.network import InvalidScenario, Link, QueueDisc, Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import Load, optimum_task
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.simulation.simulate import simulate

Curve = Callable[[float], float]

USUAL_LIMITS = 6
"""Of a search with one seed."""


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
) -> Callable[..., CellResult]:
    """Simulates a cell by curves over the limit; noise and a second argument are factors on loss
    and idle time."""

    def simulate(cell: Cell, factor: float = 1.0) -> CellResult:
        sizing = cell.scenario.link().sizing
        assert sizing is not None
        limit = sizing.initial_limit_bytes
        factor *= math.exp(noise * Random(f"{cell.seed} {limit}").gauss(0, 1))
        idle = (1 - utilization(limit)) * factor
        return result(max(0.0, 1 - idle), min(1.0, loss(limit) * factor), limit)

    return simulate


class Plant:
    """Counts simulations as a store would see them: each cell once."""

    def __init__(self, simulate: Callable[[Cell], CellResult]) -> None:
        self._simulate = simulate
        self.simulated: set[str] = set()

    def __call__(self, cell: Cell) -> CellResult:
        self.simulated.add(simulation_json(cell))
        return self._simulate(cell)


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
    assert len(found.probes) <= USUAL_LIMITS


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
    assert len(found.probes) <= USUAL_LIMITS


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


STRAIGHT: dict[str, tuple[Curve, Curve]] = {
    "loss falls": (lambda b: 1.0, lambda b: 0.02 * 90_000 / b),
    "loss falls with the square": (lambda b: 1.0, lambda b: 0.02 * (90_000 / b) ** 2),
    "idle time falls": (lambda b: 1 - 0.02 * (90_000 / b) ** 3, lambda b: 1e-4),
}
"""Utilization and loss over the limit; e over ln b is a straight line."""

BOTTLENECKS = STRAIGHT | {
    "a pipe of its own": (lambda b: 1.0, lambda b: 0.02 * (390_000 / (b + 300_000)) ** 2),
    "first idle time, then loss": (
        lambda b: 1 - 0.02 * (80_000 / b) ** 4,
        lambda b: 0.02 * 90_000 / b,
    ),
}


@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize("bottleneck", BOTTLENECKS)
def test_several_seeds_find_the_optimum_of_their_mean(scenario, result, bottleneck, noise):
    """Each has an idle time and a loss of its own; the first has the least."""
    task = OptimumTask(scenario(initial_limit_bytes=60_000), SEEDS)
    factors = dict(zip(SEEDS, (0.8, 1.1, 1.0, 0.9, 1.2), strict=True))
    curves = on(result, *BOTTLENECKS[bottleneck], noise)
    found = find(task, lambda cell: curves(cell, factors[cell.seed]))
    assert found.limit_bytes == pytest.approx(90_000, rel=RESOLUTION - 1)
    too_small = max(probe.limit_bytes for probe in found.probes if probe.error > 0)
    assert min(p.limit_bytes for p in found.probes if p.error <= 0) <= RESOLUTION * too_small
    assert [cell.seed for cell, _ in found.measured] == list(SEEDS)


@pytest.mark.parametrize("bottleneck", BOTTLENECKS)
def test_the_first_seed_saves_the_others_most_limits(scenario, result, bottleneck):
    alone, all_seeds = (Plant(on(result, *BOTTLENECKS[bottleneck])) for _ in range(2))
    find(OptimumTask(scenario(initial_limit_bytes=60_000)), alone)
    found = find(OptimumTask(scenario(initial_limit_bytes=60_000), SEEDS), all_seeds)
    assert len(found.probes) <= 3
    assert len(all_seeds.simulated) <= expected_simulations(len(SEEDS))
    assert len(all_seeds.simulated) < 0.75 * len(SEEDS) * len(alone.simulated)


@pytest.mark.parametrize("bottleneck", STRAIGHT)
@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_the_slope_that_the_first_seed_found_leads_from_its_optimum_to_that_of_all(
    scenario, result, bottleneck, factor
):
    curves = on(result, *STRAIGHT[bottleneck])
    task = OptimumTask(scenario(initial_limit_bytes=60_000), SEEDS)
    found = find(task, lambda cell: curves(cell, factor if cell.seed == SEEDS[0] else 1.0))
    assert len(found.probes) <= 3


def test_a_first_seed_that_is_unlike_the_others_misleads_for_a_while_only(scenario, result):
    """Its optimum is a third of the others'."""
    factors = dict(zip(SEEDS, (0.1, 1.0, 1.0, 1.0, 1.0), strict=True))
    curves = on(result, lambda b: 1.0, lambda b: 0.02 * (100_000 / b) ** 2)
    found = find(OptimumTask(scenario(), SEEDS), lambda cell: curves(cell, factors[cell.seed]))
    assert found.limit_bytes == pytest.approx(100_000 * math.sqrt(4.1 / 5), rel=RESOLUTION - 1)


def test_a_slope_that_only_the_first_seed_has_does_not_hold_up_the_others(scenario, result):
    steep = on(result, lambda b: 1.0, lambda b: 0.02 * (40_000 / b) ** 8)
    flat = on(result, lambda b: 1.0, lambda b: 0.02 * (150_000 / b) ** 0.4)
    found = find(
        OptimumTask(scenario(), SEEDS),
        lambda cell: (steep if cell.seed == SEEDS[0] else flat)(cell),
    )
    assert found.limit_bytes == pytest.approx(150_000 * 0.8**2.5, rel=RESOLUTION - 1)
    assert len(found.probes) <= 10


@pytest.mark.parametrize(
    ("utilization", "loss", "binding"),
    [(0.99, 0.001, "minimum"), (0.5, 0.0, "none"), (1.0, 0.1, "none")],
    ids=["the lowest limit suffices", "no bottleneck", "the highest limit misses"],
)
def test_what_needs_no_search_of_the_first_seed_needs_one_limit_of_all(
    scenario, result, utilization, loss, binding
):
    found = find(OptimumTask(scenario(), SEEDS), on(result, lambda b: utilization, lambda b: loss))
    assert (found.binding, len(found.probes)) == (binding, 1)
    assert {cell.seed for cell, _ in found.measured} == set(SEEDS)


def test_a_bottleneck_that_the_first_seed_does_not_see_is_found(scenario, result):
    def simulate(cell: Cell) -> CellResult:
        seen = cell.seed != SEEDS[0]
        return on(result, lambda b: 0.97 if seen else 0.5, lambda b: 200 / b if seen else 0)(cell)

    found = find(OptimumTask(scenario(utilization=0.5), SEEDS), simulate)
    assert found.binding == "loss"


@pytest.mark.parametrize("exponent", [1.0, 2.0, 4.0])
def test_the_interval_is_what_seeds_differ_by_over_the_slope(scenario, result, exponent):
    """Losses that differ by a tenth leave the optimum open by a tenth over the exponent."""
    factors = dict(zip(SEEDS, (0.9, 1.1, 1.0, 0.95, 1.05), strict=True))
    curves = on(result, lambda b: 1.0, lambda b: 0.02 * (90_000 / b) ** exponent)
    found = find(OptimumTask(scenario(), SEEDS), lambda cell: curves(cell, factors[cell.seed]))
    expected = 90_000 * estimate(list(factors.values())).half_width / exponent
    assert found.limit.half_width == pytest.approx(expected, rel=0.15)


def test_one_seed_gives_no_interval(scenario, result):
    found = find(OptimumTask(scenario()), on(result, lambda b: 1.0, lambda b: 2_000 / b))
    assert found.limit.half_width is None


@pytest.mark.parametrize(
    ("more_idle", "binding"), [(0.5, "loss"), (1.0, "tie"), (2.0, "utilization")]
)
def test_targets_that_decide_by_a_single_seed_are_a_tie(scenario, result, more_idle, binding):
    """Where a seed is idle more often than others, it loses less."""
    factors = dict(zip(SEEDS, (0.9, 1.1, 1.0, 0.95, 1.05), strict=True))

    def simulate(cell: Cell) -> CellResult:
        lost, idle = factors[cell.seed], more_idle * (2 - factors[cell.seed])
        curves = on(result, lambda b: 1 - idle * 1_800 / b, lambda b: lost * 1_800 / b)
        return curves(cell)

    assert find(OptimumTask(scenario(), SEEDS), simulate).binding == binding


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


def test_a_search_finds_the_optimum_of_a_simulated_link() -> None:
    scenario = optimum_task(Load(4, 4_000_000, {})).scenario
    short = replace(scenario, duration_s=60.0, measure_from_s=30.0)
    assert find(OptimumTask(short), simulate).limit_bytes == pytest.approx(9_300, rel=0.25)
