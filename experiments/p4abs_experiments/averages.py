"""What a run measured in one scenario, over its seeds."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from p4abs_experiments.experiment import Results
from p4abs_experiments.network import Scenario
from p4abs_experiments.result import CellResult


def measured(results: Results, scenario: Scenario) -> list[CellResult]:
    """The results of ``scenario``, one per seed of the run. Raises KeyError without any."""
    found = [results[cell] for cell in results.cells if cell.scenario == scenario]
    if not found:
        raise KeyError(scenario.name)
    return found


def mean_over_seeds(
    results: Results, scenario: Scenario, value: Callable[[CellResult], float]
) -> float:
    """The mean of ``value`` over the seeds. Raises KeyError for a scenario that was not run."""
    return fmean(value(result) for result in measured(results, scenario))
