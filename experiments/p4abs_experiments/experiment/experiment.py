"""What an experiment is: which cells, and what is made of their results."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from matplotlib.figure import Figure

from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.experiment.judgement import Judgement
from p4abs_experiments.experiment.optimum import Optimum, OptimumTask
from p4abs_experiments.experiment.reasons import reason
from p4abs_experiments.experiment.results import Results
from p4abs_experiments.experiment.row import OURS, TARGETS, Row, optimum_row, row_of
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.seeds import SEEDS
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell


@dataclass(frozen=True, kw_only=True)
class Experiment(ABC):
    """A table or figure of a paper (or several): which cells, and what is made of their results.

    `name` identifies its results for good, such as "seed000-table2": the paper's number and what
    is repeated of it. `source` is such as "Zhang and Loguinov 2010, Table 2", `claim` what the
    paper says, in our own words. `seeds` are the random seeds at full size.
    """

    name: str
    title: str
    source: str = "no paper: a goal of this project"
    claim: str
    seeds: tuple[int, ...] = SEEDS

    judges_targets: ClassVar[bool] = True
    """Whether links are held against their targets; not where another question is asked."""

    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """The simulations to run: those whose limit a policy moves are run with all
        `seeds` at full size, see `seeds_of`."""

    def optima(self) -> Sequence[OptimumTask]:
        """The static optima to search: none, unless an experiment says otherwise."""
        return ()

    def rows(self, results: Results) -> Sequence[Row]:
        """The table: a row per cell and sized link, then one per static optimum found."""
        optima = [
            optimum_row(optimum, task.scenario.name)
            for task in self.optima()
            if (optimum := results.optimum(task.scenario, task.link)) is not None
        ]
        return [*self.rows_of_cells(results), *optima]

    def rows_of_cells(self, results: Results) -> list[Row]:
        """A row per cell and sized link (queue discs: the first link), in the order of the
        cells."""
        return [self._row(results, each) for each in _links(results)]

    def judged_by(self, sample: Sample) -> str | None:
        """What of a link's targets it is held against: both; None for nothing, as `abs` with
        parameters of its own or under a bound on memory."""
        sizing = sample.cell.scenario.link(sample.link).sizing
        if sizing is None or not self.judges_targets:
            return None
        varied = sizing.parameters or sizing.memory or sizing.variation
        return None if sizing.policy == OURS and varied else TARGETS

    def optimum(self, results: Results, scenario: Scenario, link: str | None) -> Optimum | None:
        """The static optimum that a row stands beside."""
        return results.optimum(scenario, link)

    def reasons(self, results: Results) -> list[str]:
        """Of the links that do not surely meet a goal, as far as the series of their first seed
        tell."""
        found = []
        for each in _links(results):
            judgement = Judgement(self._row(results, each))
            verdicts = {judgement.target, judgement.price} - {None, Verdict.MET}
            if judgement.row.is_ours and verdicts:
                why = reason(each.first, each.cell.scenario.measure_from_s)
                found += [f"{judgement.row.scenario}: {why}."] if why else []
        return found

    def _row(self, results: Results, sample: Sample) -> Row:
        optimum = self.optimum(results, sample.cell.scenario, sample.link)
        return row_of(sample, optimum, self.judged_by(sample))

    @abstractmethod
    def figures(self, results: Results) -> Mapping[str, Figure]:
        """Figures by file name without suffix, such as "figure4". Axes have units; targets are
        drawn."""

    def findings(self, results: Results) -> Sequence[str]:
        """Sentences computed from the results: measured against the paper."""
        return ()

    def goals(self, results: Results) -> Sequence[Goal]:
        """Its own, beside those that every row with `judged_by` has."""
        return ()

    @property
    def short_name(self) -> str:
        """The name without the paper's, such as "table2"."""
        return self.name.partition("-")[2]


def _links(results: Results) -> list[Sample]:
    """Every sized link of every cell."""
    return [
        replace(sample, link=name)
        for sample in results.samples()
        for name in (
            [link.name for link in sample.cell.scenario.links if link.sizing is not None]
            or [sample.link]
        )
    ]
