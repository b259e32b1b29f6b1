"""Family *objectives*: a weighted sum of loss and delay, or targets for utilization and loss.

The link of `sources`, whose simulations of `abs` these share: 20 Mb/s, 20 to 60 ms, u* = 98 %, p* =
2 %, with 16 and 256 Reno flows and 4 of CUBIC. `p4bs` knows no targets; it is told the number of
flows and the mean round-trip time, and runs as published, with 16 trials in the place of 4, and
with a loss that weighs 0.9 in the place of 0.5. Linux's dynamic queue limits stand beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from p4abs_experiments.experiment.seeds import MANY_SEEDS
from p4abs_experiments.families.family import Family
from p4abs_experiments.families.sources import BASE
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell

FLOWS = (("newreno", 16), ("cubic", 4), ("newreno", 256))

P4BS: Mapping[str, Mapping[str, float]] = {
    "p4bs": {},
    "p4bs, 16 trials": {"most_trials": 16},
    "p4bs, loss weighs 0.9": {"loss_weight": 0.9},
}
"""Its parameters, by the name in tables."""


@dataclass(frozen=True, kw_only=True)
class Objectives(Family):
    """Each scenario under `p4bs`, too."""

    def cells(self) -> Sequence[Cell]:
        by_objective = [_under_p4bs(scenario, name) for scenario in self.scenarios for name in P4BS]
        return [*super().cells(), *by_objective]


def _scenario(control: str, count: int) -> Scenario:
    load = replace(BASE, n_flows=count)
    return load.scenario(f"{count} {control}", load.sizing(), load.flows(control))


def _under_p4bs(scenario: Scenario, name: str) -> Cell:
    told = {"n_flows": scenario.n_flows, "mean_rtt_s": sum(BASE.rtt_s) / 2}
    sizing = BASE.sizing("p4bs", parameters={**told, **P4BS[name]})
    return Cell(scenario.with_sizing(sizing), policy=name)


FAMILY = Objectives(
    name="families-objectives",
    title="One weighted objective, or two targets",
    source="Kfoury and others 2024",
    claim="A sequential search for the buffer that minimizes queueing delay and loss together "
    "serves applications better than a fixed one, over a wide range of scenarios.",
    others=("dql",),
    seeds=MANY_SEEDS,
    scenarios=tuple(_scenario(control, count) for control, count in FLOWS),
)
