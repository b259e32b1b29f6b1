"""Figures 2 and 3: the law without and with training of its gains.

20 flows at 10 Mb/s, with the targets u* = 95 %, p* = 0.5 % and u* = 70 %, p* = 5 %. The published
law to the letter has I = 3000 and T = 200 ms. The paper does not say how long its runs are; ours
take 200 s.

Nor does it state the unit of u and p behind I = 3000. As fractions, which the policy takes, I is in
packets/s; read as per cent, (6) has the gain 100 I and (8) the gain 10^4 I, which figure 2 shows as
well. (Training in per cent is no choice of parameters: the two branches would need other g.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import in_words
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import PACKET_BYTES, Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.network.sized import sizing_of
from p4abs_experiments.output.figures import logarithmic
from p4abs_experiments.papers.adaptive_buffer_sizing.drawing import runs_over_time
from p4abs_experiments.papers.adaptive_buffer_sizing.published import (
    FIGURE_2_OSCILLATION_PACKETS,
    FIGURE_2_STEADY_PACKETS,
)
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import (
    BOTTLENECK,
    PUBLISHED_LAWS,
    Goal,
    Law,
    adaptive,
    bottleneck,
    law,
    rtt_range_s,
)
from p4abs_experiments.simulation.result import LinkResult

CAPACITY_BPS = 10_000_000
FLOWS = 20
TIGHT = Goal(utilization=0.95, loss=0.005)
LOOSE = Goal(utilization=0.70, loss=0.05)
GOALS: Mapping[str, Goal] = {"tight": TIGHT, "loose": LOOSE}

PUBLISHED_GAIN = 3000.0
PUBLISHED_INTERVAL_S = 0.2
PER_CENT = 100.0

_DURATION_S = 200.0
_WINDOW_S = 5.0


def published(policy: str, trained: bool, unit: float = 1.0) -> Law:
    """The published law in one of its readings, g = 1 or 0; u and p in `unit` (100: per cent)."""
    parameters = {
        "utilization_gain": unit * unit * PUBLISHED_GAIN,
        "loss_gain": unit * PUBLISHED_GAIN,
        "step_size": 1.0 if trained else 0.0,
    }
    name = f"{policy} I={PUBLISHED_GAIN:.0f}"
    return Law(
        label=name if unit == 1 else f"{name} in per cent",
        policy=policy,
        parameters=parameters,
        interval_s=PUBLISHED_INTERVAL_S,
    )


def scenario(law: Law, targets: Goal) -> Scenario:
    return Scenario(
        name=f"u*={100 * targets.utilization:g} % p*={100 * targets.loss:g} %",
        links=(bottleneck(CAPACITY_BPS, adaptive(law, targets, CAPACITY_BPS)),),
        traffic=(TcpFlows(count=FLOWS, path=(BOTTLENECK,), rtt_s=rtt_range_s(FLOWS)),),
        n_flows=FLOWS,
        duration_s=_DURATION_S,
        measure_from_s=_DURATION_S / 2,
    )


@dataclass(frozen=True, kw_only=True)
class GainExperiment(Experiment):
    """Figure 2 (untrained) or figure 3 (trained)."""

    trained: bool

    def cells(self) -> Sequence[Cell]:
        return [self._cell(law, targets) for targets in GOALS.values() for law in self._laws()]

    def optima(self) -> Sequence[OptimumTask]:
        return [OptimumTask(scenario(law("abs"), targets)) for targets in GOALS.values()]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {
            f"{self.short_name}-{name}": self._drawn(results, targets)
            for name, targets in GOALS.items()
        }

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, sample) for sample in results.samples()]

    def _laws(self) -> list[Law]:
        readings = [published(policy, self.trained) for policy in PUBLISHED_LAWS]
        if not self.trained:
            readings.append(published(PUBLISHED_LAWS[0], trained=False, unit=PER_CENT))
        return readings

    def _cell(self, law: Law, targets: Goal) -> Cell:
        steady = targets is TIGHT and law.policy == "abs-paper" and not self.trained
        paper = Paper(limit_packets=FIGURE_2_STEADY_PACKETS) if steady else Paper()
        return Cell(scenario(law, targets), policy=law.label, paper=paper)

    def _drawn(self, results: Results, targets: Goal) -> Figure:
        cells = [cell for cell in results.cells if _targets(cell) == targets]
        title = f"{self.title}: {cells[0].scenario.name}"
        figure = runs_over_time(results, cells, title=title, window_s=_WINDOW_S)
        logarithmic(figure.axes[0], x=False)
        figure.axes[0].autoscale(axis="y")
        return figure


def _targets(cell: Cell) -> Goal:
    sizing = sizing_of(cell.scenario)
    return Goal(sizing.utilization, sizing.loss)


def _sentence(results: Results, sample: Sample) -> str:
    cell, optimum = sample.cell, results.optimum(sample.cell.scenario)
    limit = sample.mean_limit_bytes
    sentence = (
        f"{_targets_in_words(cell)}, {cell.policy_label}: the mean limit is "
        f"{limit.mean / PACKET_BYTES:.0f} packets, its standard deviation "
        f"{100 * sample.oscillation.mean:.0f} % of that, utilization "
        f"{100 * sample.utilization.mean:.2f} %, loss {100 * sample.loss.mean:.2f} %."
    )
    if optimum is not None:
        sentence += (
            f" The limit is {in_words(limit.over(optimum.limit_bytes))} times the static optimum "
            f"of {optimum.limit_bytes / PACKET_BYTES:.0f} packets, bound by {optimum.binding}."
        )
    return f"{sentence}{_published(cell)} Gains at the end: {_gains(sample.links[0])}."


def _targets_in_words(cell: Cell) -> str:
    targets = _targets(cell)
    return (
        f"Targets of {100 * targets.utilization:g} % utilization and {100 * targets.loss:g} % loss"
    )


def _gains(link: LinkResult) -> str:
    gains = link.series.gains
    return ", ".join(f"{name} {values[-1]:.6g}" for name, values in sorted(gains.items()))


def _published(cell: Cell) -> str:
    if cell.paper.limit_packets is not None:
        return f" The paper's Figure 2 settles at {cell.paper.limit_packets:.0f} packets."
    if _targets(cell) == LOOSE and sizing_of(cell.scenario).policy == "abs-paper":
        lowest, highest = FIGURE_2_OSCILLATION_PACKETS
        return f" The paper's Figure 2 oscillates between {lowest} and {highest} packets."
    return ""


FIGURE_2 = GainExperiment(
    name="seed000-figure2",
    title="Without training",
    source="Zhang and Loguinov 2010, Figure 2",
    claim=(
        "With fixed gains of 3000 the limit settles at 1200 packets for u* = 95 %, p* = 0.5 %, "
        "and oscillates between 1 and 2700 packets for u* = 70 %, p* = 5 %."
    ),
    trained=False,
)
FIGURE_3 = GainExperiment(
    name="seed000-figure3",
    title="With training",
    source="Zhang and Loguinov 2010, Figure 3",
    claim=(
        "With training of the gains the limit converges for both pairs of targets, and faster "
        "than without."
    ),
    trained=True,
)
