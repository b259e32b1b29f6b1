"""What a run is expected to simulate, before and while it does."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from p4abs_experiments.campaign import Measurement, Plan
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.optimum import OptimumTask, expected_simulations
from p4abs_experiments.experiment.seeds import SEEDS
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.optima import FoundOptimum, optima_of
from p4abs_experiments.registry import EXPERIMENTS
from p4abs_experiments.size import Size


@dataclass(frozen=True, kw_only=True)
class OneSearch(Experiment):
    """A static optimum and nothing else."""

    scenario: Scenario
    name: str = "seed000-search"
    title: str = "A search"
    source: str = "Nobody, Table 0"
    claim: str = "It is somewhere."

    def cells(self) -> Sequence[Cell]:
        return []

    def optima(self) -> Sequence[OptimumTask]:
        return [OptimumTask(self.scenario)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {}

    def findings(self, results: Results) -> Sequence[str]:
        return []


@pytest.mark.parametrize("seeds", [(1,), SEEDS])
def test_what_a_search_is_expected_to_simulate_is_taken_back_as_it_asks(scenario, by_limit, seeds):
    expected: list[float] = []
    plan = Plan(OneSearch(scenario=scenario()), Size.FULL, seeds)
    _, searching = Measurement(plan, lambda _: None, expected.append).jobs()
    asked: list[Cell] = []
    cells = next(searching)
    with suppress(StopIteration):
        while True:
            asked += cells
            cells = searching.send([by_limit(cell) for cell in cells])
    left = list(accumulate(expected))
    packets = Cell(scenario()).packets
    assert left[0] == pytest.approx(packets * expected_simulations(len(seeds)))
    assert left[-2] == pytest.approx(left[0] - packets * len(asked))
    assert left[-1] == pytest.approx(0.0)
    assert len(asked) <= expected_simulations(len(seeds))


def test_an_experiment_has_its_own_random_seeds_at_full_size(scenario):
    search = replace(OneSearch(scenario=scenario()), seeds=(7, 8, 9))
    assert [task.seeds for task in Plan(search, Size.FULL).optima()] == [(7, 8, 9)]
    assert not Plan(search, Size.QUICK).optima()
    assert [task.seeds for task in Plan(search, Size.FULL, (2,)).optima()] == [(2,)]


def test_a_cell_whose_limit_a_policy_moves_has_every_seed_of_its_experiment():
    table = EXPERIMENTS["seed000-table2-tofino"]
    by_scenario = Counter(cell.scenario.name for cell in Plan(table, Size.FULL).cells())
    assert set(by_scenario.values()) == {2 * len(table.seeds)}
    assert len(table.seeds) > len(SEEDS)


def test_an_optimum_that_is_known_is_taken_over_and_keeps_the_commit_of_its_search(
    scenario, by_limit, tmp_path
):
    plan = Plan(OneSearch(scenario=scenario()), Size.FULL)

    def measured(folder: Path, known: Mapping[str, FoundOptimum]) -> int:
        """How many simulations it took."""
        jobs = Measurement(plan, lambda each: each.write(folder), lambda _: None, known).jobs()
        count = 0
        for job in jobs:
            with suppress(StopIteration):
                cells = next(job)
                while True:
                    count += len(cells)
                    cells = job.send([by_limit(cell) for cell in cells])
        return count

    first, second = tmp_path / "first", tmp_path / "second"
    searched = measured(first, {})
    known = {name: replace(each, commit="before") for name, each in optima_of(first).items()}
    assert measured(second, known) == len(SEEDS) < searched
    assert optima_of(second) == known
    assert (second / "table.csv").read_text() == (first / "table.csv").read_text()
