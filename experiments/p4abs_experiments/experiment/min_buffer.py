"""Links that are no bottleneck: judged by loss alone, beside the least buffer that this asks for.

No buffer brings the utilization of such a link to a target above its load, so the yardstick is the
smallest fixed limit that meets the loss target alone.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from p4abs_experiments.experiment.experiment import Experiment
from p4abs_experiments.experiment.optimum import Optimum, OptimumTask
from p4abs_experiments.experiment.results import Results
from p4abs_experiments.experiment.row import LOSS_ONLY, Row
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.sized import resized

_NO_UTILIZATION = 0.001


@dataclass(frozen=True, kw_only=True)
class NoBottleneck(Experiment):
    """Loads that no buffer brings to the utilization that is asked for."""

    @abstractmethod
    def scenarios(self) -> Sequence[Scenario]:
        """Those of `abs`."""

    def optima(self) -> Sequence[OptimumTask]:
        """The least buffers."""
        return [OptimumTask(without_utilization(each)) for each in self.scenarios()]

    def optimum(self, results: Results, scenario: Scenario, link: str | None) -> Optimum | None:
        """What the search found; nothing but loss can bind it."""
        found = results.optimum(without_utilization(scenario), link)
        if found is None or found.binding == "none":
            return found
        return replace(found, binding="loss")

    def rows(self, results: Results) -> Sequence[Row]:
        return self.rows_of_cells(results)

    def judged_by(self, sample: Sample) -> str | None:
        return LOSS_ONLY if super().judged_by(sample) else None


def without_utilization(scenario: Scenario, link: str | None = None) -> Scenario:
    """The scenario with a link (by default the first) whose buffer nothing but loss can bind."""
    return resized(scenario, link, utilization=_NO_UTILIZATION)
