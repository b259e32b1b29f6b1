"""Table rows of cells and of the static optima beside them."""

from __future__ import annotations

from collections.abc import Sequence

from p4abs_experiments.experiment import Results, default_rows
from p4abs_experiments.optimum import OptimumTask
from p4abs_experiments.row import Row, optimum_rows


def rows_with_optima(results: Results, tasks: Sequence[OptimumTask]) -> list[Row]:
    """The rows of all cells, then those of the optima that were found."""
    found = (results.optimum(task.scenario, task.link) for task in tasks)
    optima = [row for optimum in found if optimum is not None for row in optimum_rows(optimum)]
    return default_rows(results) + optima
