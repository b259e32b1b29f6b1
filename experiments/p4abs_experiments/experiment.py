"""What an experiment is, and the results that it gets to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from p4abs_experiments.cell import Cell
from p4abs_experiments.key import optimum_key_of, simulation_json
from p4abs_experiments.network import Scenario
from p4abs_experiments.optimum import Optimum, OptimumTask
from p4abs_experiments.result import CellResult
from p4abs_experiments.row import Row, row_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Size(StrEnum):
    """How much of an experiment is run: a slice that takes seconds, or all of it."""

    QUICK = "quick"
    FULL = "full"


@dataclass(frozen=True)
class Results:
    """The finished cells of one run of one experiment, at one size, and its static optima.

    ``cells`` are those that were run, with the seeds that the user asked for: an experiment
    reads its cells from here.
    """

    size: Size
    cells: Sequence[Cell]
    by_simulation: Mapping[str, CellResult]
    optima: Mapping[str, Optimum]

    def __getitem__(self, cell: Cell) -> CellResult:
        """The cell's result. Raises KeyError for a cell that was not run."""
        return self.by_simulation[simulation_json(cell)]

    def optimum(self, scenario: Scenario, link: str | None = None) -> Optimum | None:
        """The static optimum of a link (by default the first), whatever policy ``scenario``
        gives it; None when the experiment did not ask for it."""
        return self.optima.get(optimum_key_of(scenario, link))


class Experiment(Protocol):
    """A table or figure of a seed (or several): which cells, and what is made of their results.

    ``name`` such as "seed000-table2", ``source`` such as "Zhang and Loguinov 2010, Table 2",
    ``claim`` what the seed says, in our own words.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def claim(self) -> str: ...

    def cells(self, size: Size) -> Sequence[Cell]:
        """The simulations to run."""
        ...

    def optima(self, size: Size) -> Sequence[OptimumTask]:
        """The static optima to search; may be empty."""
        ...

    def rows(self, results: Results) -> Sequence[Row]:
        """The table; see `default_rows`."""
        ...

    def figures(self, results: Results) -> Mapping[str, Figure]:
        """Figures by file name without suffix, such as "figure4". Axes have units; targets are
        drawn. Not called for Size.QUICK."""
        ...

    def findings(self, results: Results) -> Sequence[str]:
        """Sentences computed from the results: measured against the seed, goals met or missed
        and why."""
        ...


def default_rows(results: Results) -> list[Row]:
    """A row per cell and sized link (queue discs: the first link), in the order of the cells."""
    rows = []
    for cell in results.cells:
        links = [link.name for link in cell.scenario.links if link.sizing is not None]
        for link in links or [cell.scenario.link().name]:
            optimum = results.optimum(cell.scenario, link)
            rows.append(row_of(cell, results[cell], optimum, link))
    return rows
