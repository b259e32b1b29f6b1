"""The published law in both readings beside the corrected one, where it must work: Table 2's links.

Equation (8) to the letter has the drift Var(u) - Cov(u(n), u(n-1)) > 0 whatever u* is: the limit
sinks until the link starves. With |u(n) - u(n-1)| it holds too much, by an amount that the gain
decides. Equation (6) averages loss ratios of intervals, so bursty loss exceeds its target.
Rows of Tables 2 and 3: 16 Mb/s with 2 to 64 flows and 16 flows at 2 and 64 Mb/s; T = 20 ms, I =
3000 (with |.| also 300 and 30000), gains trained by (15)-(16). The runs are those of the tables.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.experiment.experiment import rows_of_cells
from p4abs_experiments.experiment.goal import WIDE
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.verdicts import in_words
from p4abs_experiments.network import PACKET_BYTES
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.output.figures import (
    dodge,
    legend_below,
    logarithmic,
    panels,
    target,
)
from p4abs_experiments.papers.adaptive_buffer_sizing.published import TABLE_2, TABLE_3
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import PUBLISHED_LAWS, Law, law
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import (
    GOAL,
    MBPS,
    Load,
    optimum_task,
    scenario,
)

LINKS = (
    *(Load(n_flows, 16 * MBPS, TABLE_2[n_flows]) for n_flows in (2, 4, 8, 16, 64)),
    *(Load(16, mbps * MBPS, TABLE_3[mbps]) for mbps in (2, 64)),
)

DEFAULT_GAIN = 3000
OTHER_GAINS = (300, 30000)
"""Tried with |u(n) - u(n-1)| at 16 Mb/s: there the gain decides the limit."""

_QUICK_S = 30.0


def laws(load: Load) -> list[Law]:
    """The laws that are compared at a link; DEFAULT_GAIN is the policies' own default."""
    absolute = PUBLISHED_LAWS[1]
    compared = [
        law("abs"),
        law("abs-1"),
        *(_labelled(law(policy), DEFAULT_GAIN) for policy in PUBLISHED_LAWS),
    ]
    if load.capacity_bps == 16 * MBPS:
        compared += [_with_gain(absolute, gain) for gain in OTHER_GAINS]
    return compared


def _with_gain(policy: str, gain: float) -> Law:
    """Both branches begin with the same gain, in packets/s."""
    parameters = {"utilization_gain": gain, "loss_gain": gain}
    return _labelled(Law(label=policy, policy=policy, parameters=parameters), gain)


def _labelled(law: Law, gain: float) -> Law:
    return replace(law, label=f"{law.label} I={gain:g}")


def cell(load: Load, law: Law, duration_s: float) -> Cell:
    """One law at one link; the paper's numbers are its ABS's."""
    printed = load.published["abs"]
    paper = Paper(printed.limit_packets, printed.utilization, printed.loss)
    return Cell(scenario(load, law, duration_s), policy=law.label, paper=paper)


@dataclass(frozen=True)
class LawComparison(Experiment):
    """Equation (8) literally, with |.|, and the corrected law."""

    name: str = "seed000-law-comparison"
    title: str = "The published law and the corrected one"
    source: str = "Zhang and Loguinov 2010, equations (6), (8), (15), (16)"
    claim: str = "ABS brings the limit to the smallest value that meets the binding target."

    def cells(self, size: Size) -> Sequence[Cell]:
        if size is Size.QUICK:
            load = next(load for load in LINKS if load.n_flows == 8)
            return [cell(load, law, _QUICK_S) for law in laws(load)[:2]]
        return [cell(load, law, load.duration_s) for load in LINKS for law in laws(load)]

    def optima(self, size: Size) -> Sequence[OptimumTask]:
        if size is Size.QUICK:
            return []
        return [optimum_task(load, load.duration_s) for load in LINKS]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"law-comparison": _drawn(self.title, rows_of_cells(results))}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, sample) for sample in results.samples()]


def _drawn(title: str, rows: Sequence[Row]) -> Figure:
    """A mark per law at every link, side by side."""
    figure, (ratio, utilization, loss) = panels(3, title=title)
    names = list(dict.fromkeys(row.scenario for row in rows))
    labels = list(dict.fromkeys(row.policy for row in rows))
    for number, label in enumerate(labels):
        chosen = [row for row in rows if row.policy == label]
        at = [names.index(row.scenario) + dodge(number, len(labels)) for row in chosen]
        ratio.plot(at, [row.ratio or math.nan for row in chosen], "o", label=label)
        utilization.plot(at, [100 * row.utilization for row in chosen], "o")
        loss.plot(at, [100 * row.loss for row in chosen], "o")
    target(ratio, WIDE.ratio, f"goal: at most {WIDE.ratio:g}")
    target(utilization, 100 * GOAL.utilization)
    target(loss, 100 * GOAL.loss)
    logarithmic(ratio, x=False)
    ratio.set_ylabel("mean limit / static optimum")
    utilization.set_ylabel("utilization (%)")
    loss.set_ylabel("loss (%)")
    loss.set_xticks(range(len(names)), [name.replace(", ", "\n") for name in names])
    legend_below(figure, ratio, columns=3)
    return figure


def _sentence(results: Results, sample: Sample) -> str:
    cell, optimum = sample.cell, results.optimum(sample.cell.scenario)
    sentence = (
        f"{cell.scenario.name}, {cell.policy_label}: mean limit "
        f"{sample.mean_limit_bytes.mean / PACKET_BYTES:.0f} packets, utilization "
        f"{100 * sample.utilization.mean:.2f} %, loss {100 * sample.loss.mean:.2f} %"
    )
    if optimum is None:
        return f"{sentence}."
    return (
        f"{sentence}; {in_words(sample.mean_limit_bytes.over(optimum.limit_bytes))} times the "
        f"static optimum of {optimum.limit_bytes / PACKET_BYTES:.0f} packets, bound by "
        f"{optimum.binding}."
    )
