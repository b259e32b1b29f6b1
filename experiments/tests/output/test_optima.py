"""Static optima that are taken over from a folder of results."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs_experiments.experiment.optimum import Optimum, OptimumTask, Search, search
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.output.optima import (
    OPTIMA_FILE,
    FoundOptimum,
    UnreadableOptima,
    as_json,
    name_of,
    optima_of,
)
from p4abs_experiments.simulation.result import CellResult

Simulate = Callable[[Cell], CellResult]
SEEDS = (1, 2, 3)


def find(searching: Search, simulate: Simulate) -> tuple[Optimum, int]:
    """The optimum, and how many simulations it took."""
    cells, count = next(searching), 0
    while True:
        count += len(cells)
        try:
            cells = searching.send([simulate(cell) for cell in cells])
        except StopIteration as stop:
            return stop.value, count


def told(optimum: Optimum) -> tuple[object, ...]:
    """All but how it was found."""
    measured = [(cell, digest_of(result)) for cell, result in optimum.measured]
    return optimum.link, optimum.limit_bytes, optimum.binding, measured


@pytest.fixture
def task(scenario: Callable[..., Scenario]) -> OptimumTask:
    return OptimumTask(scenario(initial_limit_bytes=20_000), SEEDS)


def test_an_optimum_is_taken_over_with_one_simulation_of_each_seed(
    task: OptimumTask, by_limit: Simulate
) -> None:
    searched, simulations = find(search(task), by_limit)
    taken, again = find(FoundOptimum.of(task, searched).taken_over(task), by_limit)
    assert told(taken) == told(searched)
    assert again == len(SEEDS) < simulations


def test_where_a_simulation_goes_another_way_the_optimum_is_searched_anew(
    task: OptimumTask, by_limit: Simulate
) -> None:
    found = FoundOptimum.of(task, find(search(task), by_limit)[0])

    def changed(cell: Cell) -> CellResult:
        """The simulator of the last seed loses a packet more."""
        result = by_limit(cell)
        link = result.link()
        more = replace(link, dropped_bytes=link.dropped_bytes + 600 * (cell.seed == SEEDS[-1]))
        return replace(result, links=(more,))

    again, anew = find(found.taken_over(task), changed)[0], find(search(task), changed)[0]
    assert again.probes == anew.probes
    assert told(again) == told(anew)


def test_what_is_searched_for_is_the_scenario_its_targets_its_bounds_and_the_seeds(
    task: OptimumTask,
) -> None:
    def sized(**sizing: float) -> OptimumTask:
        return replace(task, scenario=task.scenario.with_sizing(replace(task.sizing, **sizing)))

    others = [
        sized(loss=0.01),
        sized(utilization=0.9),
        sized(max_limit_bytes=30_000),
        replace(task, seeds=(1, 2)),
        replace(task, scenario=replace(task.scenario, duration_s=3.0)),
    ]
    assert len({name_of(each) for each in (task, *others)}) == 1 + len(others)
    assert name_of(sized(initial_limit_bytes=25_000)) == name_of(task)
    assert name_of(replace(task, scenario=replace(task.scenario, name="another"))) == name_of(task)


@pytest.mark.parametrize("limit_bytes", [47_111.25, math.nan])
def test_a_folder_keeps_an_optimum_and_that_there_is_none(
    tmp_path: Path, task: OptimumTask, by_limit: Simulate, limit_bytes: float
) -> None:
    searched = replace(find(search(task), by_limit)[0], limit_bytes=limit_bytes)
    found = FoundOptimum.of(task, searched)
    (tmp_path / OPTIMA_FILE).write_text(json.dumps(as_json([found]), allow_nan=False))
    assert optima_of(tmp_path) == {name_of(task): found}
    taken, _ = find(found.taken_over(task), by_limit)
    assert str(taken.limit_bytes) == str(limit_bytes)


def test_a_folder_without_optima_has_none(tmp_path: Path) -> None:
    assert optima_of(tmp_path) == {}


ENTRY = {
    **{"search": "a", "limit_bytes": 2e4, "binding": "loss", "measured_bytes": 20_000},
    **{"digests": ["b"], "commit": "c"},
}


@pytest.mark.parametrize(
    "changed",
    [
        {"limit_bytes": "20000"},
        {"limit_bytes": -1e9},
        {"measured_bytes": 0},
        {"measured_bytes": 2.5},
        {"binding": "3"},
        {"digests": "b"},
    ],
)
def test_an_optimum_that_cannot_be_is_named(tmp_path: Path, changed: dict[str, object]) -> None:
    (tmp_path / OPTIMA_FILE).write_text(json.dumps([ENTRY]))
    assert len(optima_of(tmp_path)) == 1
    (tmp_path / OPTIMA_FILE).write_text(json.dumps([ENTRY | changed]))
    (name,) = changed
    with pytest.raises(UnreadableOptima, match=f"{OPTIMA_FILE}: no optima in it \\(0.{name}.*: "):
        optima_of(tmp_path)


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"a": 1}', '[{"digests": []}]'])
def test_a_file_that_holds_no_optima_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / OPTIMA_FILE).write_text(content)
    with pytest.raises(UnreadableOptima, match=OPTIMA_FILE):
        optima_of(tmp_path)
