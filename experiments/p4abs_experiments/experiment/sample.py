"""One link of a cell under several random seeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p4abs_experiments.experiment.estimate import Estimate, estimate
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import CellResult, LinkResult, LinkSeries


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one cell that differ in their seeds only; `cell` is the first, `link` the name
    of the link that is looked at."""

    cell: Cell
    runs: Sequence[CellResult]
    link: str

    @property
    def links(self) -> list[LinkResult]:
        return [run.link(self.link) for run in self.runs]

    @property
    def first(self) -> LinkSeries:
        return self.links[0].series

    def estimate(self, value: Callable[[LinkResult], float]) -> Estimate:
        return estimate([value(link) for link in self.links])

    @property
    def mean_limit_bytes(self) -> Estimate:
        return self.estimate(lambda link: link.mean_limit_bytes)

    @property
    def utilization(self) -> Estimate:
        return self.estimate(lambda link: link.utilization)

    @property
    def loss(self) -> Estimate:
        return self.estimate(lambda link: link.loss)

    @property
    def oscillation(self) -> Estimate:
        """The limit's standard deviation over its mean, within a run."""
        return self.estimate(lambda link: link.std_limit_bytes / link.mean_limit_bytes)
