"""What an experiment is: which cells, and what is made of their results."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment.goal import WIDE, Mark, Tolerances
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.results import Results, Size
from p4abs_experiments.experiment.row import Row, optimum_row, row_of
from p4abs_experiments.experiment.seeds import SEEDS
from p4abs_experiments.experiment.verdicts import goals, marks
from p4abs_experiments.network.cell import Cell


@dataclass(frozen=True, kw_only=True)
class Experiment(ABC):
    """A table or figure of a paper (or several): which cells, and what is made of their results.

    `name` identifies its results for good, such as "seed000-table2": the paper's number and what
    is repeated of it. `source` is such as "Zhang and Loguinov 2010, Table 2", `claim` what the
    paper says, in our own words. `tolerances` are those of its goals; `seeds` are the random
    seeds at full size.
    """

    name: str
    title: str
    source: str
    claim: str
    tolerances: Tolerances = WIDE
    seeds: tuple[int, ...] = SEEDS

    @abstractmethod
    def cells(self, size: Size) -> Sequence[Cell]:
        """The simulations to run: those whose limit a policy moves are run with all
        `seeds` at full size, see `seeds_of`."""

    def optima(self, size: Size) -> Sequence[OptimumTask]:
        """The static optima to search: none, unless an experiment says otherwise."""
        return ()

    def rows(self, results: Results) -> Sequence[Row]:
        """The table: a row per cell and sized link, then one per static optimum found."""
        optima = [
            optimum_row(optimum, task.scenario.name)
            for task in self.optima(results.size)
            if (optimum := results.optimum(task.scenario, task.link)) is not None
        ]
        return [*rows_of_cells(results), *optima]

    @abstractmethod
    def figures(self, results: Results) -> Mapping[str, Figure]:
        """Figures by file name without suffix, such as "figure4". Axes have units; targets are
        drawn. Not called for Size.QUICK."""

    @abstractmethod
    def findings(self, results: Results) -> Sequence[str]:
        """Sentences computed from the results: measured against the paper."""

    def goals(self, results: Results) -> Sequence[str]:
        """Findings that begin with `goal.MET` or `goal.MISSED`, and why: every target that
        `abs` was asked for, and its limit beside the static optima."""
        return goals(results, self.tolerances)

    def marks(self, results: Results) -> Sequence[Mark]:
        """Its lines in the report's map: the figures of merit of every scenario of `abs`."""
        return marks(results, self.tolerances)

    @property
    def short_name(self) -> str:
        """The name without the paper's, such as "table2"."""
        return self.name.partition("-")[2]


def rows_of_cells(results: Results) -> list[Row]:
    """A row per cell and sized link (queue discs: the first link), in the order of the cells."""
    rows = []
    for sample in results.samples():
        scenario = sample.cell.scenario
        links = [link.name for link in scenario.links if link.sizing is not None]
        for link in links or [sample.link]:
            rows.append(row_of(replace(sample, link=link), results.optimum(scenario, link)))
    return rows
