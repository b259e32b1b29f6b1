"""What an experiment gets to see: its finished cells and its static optima."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import optimum_key_of, scenario_json, seeded_json
from p4abs_experiments.simulation.result import CellResult


@dataclass(frozen=True)
class Results:
    """The finished cells of one run of one experiment, and its static optima.

    `cells` are those that were run, with all their random seeds: an experiment reads its cells
    from here, one by one or as `samples`.
    """

    cells: Sequence[Cell]
    by_simulation: Mapping[str, CellResult]
    optima: Mapping[str, Optimum]

    def __getitem__(self, cell: Cell) -> CellResult:
        """The cell's result. Raises KeyError for a cell that was not run."""
        return self.by_simulation[seeded_json(self._scenario_json(cell.scenario), cell.seed)]

    def samples(self, link: str | None = None) -> list[Sample]:
        """The cells in their order, those together that differ in their random seeds only, and
        what is looked at of each: the link of this name, by default the first."""
        groups: dict[tuple[str, str, str], list[Cell]] = {}
        for cell in self.cells:
            alike = self._scenario_json(cell.scenario)
            groups.setdefault((cell.scenario.name, cell.policy_label, alike), []).append(cell)
        return [
            Sample(cells[0], [self[cell] for cell in cells], cells[0].scenario.link(link).name)
            for cells in groups.values()
        ]

    def _scenario_json(self, scenario: Scenario) -> str:
        return self._known_scenarios.get(id(scenario)) or scenario_json(scenario)

    @cached_property
    def _known_scenarios(self) -> Mapping[int, str]:
        """Those of `cells`, which live as long as this, by identity: to compare takes longer."""
        scenarios = {id(cell.scenario): cell.scenario for cell in self.cells}
        return {number: scenario_json(each) for number, each in scenarios.items()}

    def measured(self, scenario: Scenario) -> list[CellResult]:
        """The results of `scenario`, one per random seed. Raises KeyError without any."""
        return [self[cell] for cell in self._cells_of(scenario)]

    def sample(self, scenario: Scenario, link: str | None = None) -> Sample:
        """The same as a sample of a link. Raises KeyError without any."""
        cells = self._cells_of(scenario)
        return Sample(cells[0], [self[cell] for cell in cells], scenario.link(link).name)

    def _cells_of(self, scenario: Scenario) -> list[Cell]:
        """Raises KeyError without any."""
        found = [cell for cell in self.cells if cell.scenario == scenario]
        if not found:
            raise KeyError(scenario.name)
        return found

    def mean(self, scenario: Scenario, value: Callable[[CellResult], float]) -> float:
        """The mean of `value` over the random seeds. Raises KeyError without any."""
        return fmean(value(result) for result in self.measured(scenario))

    def utilization(self, scenario: Scenario) -> float:
        """The mean of the first link's."""
        return self.mean(scenario, lambda result: result.link().utilization)

    def limit_bytes(self, scenario: Scenario) -> float:
        """The mean of the first link's."""
        return self.mean(scenario, lambda result: result.link().mean_limit_bytes)

    def optimum(self, scenario: Scenario, link: str | None = None) -> Optimum | None:
        """The static optimum of a link (by default the first), whatever policy `scenario` gives
        it; None when the experiment did not ask for it."""
        return self.optima.get(optimum_key_of(scenario, link))
