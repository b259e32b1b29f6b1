"""Four links that share one memory by limits, with equal priorities and with different ones.

20 Mb/s each, with 8 Reno flows, 20 to 60 ms; u* = 98 %, p* = 2 %: the links are alike, so that
what differs is priorities alone. The memory is a half, three quarters and one times the sum of the
links' pipes over sqrt(n), which is about what they need. Limits begin at half of an equal share.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import estimate
from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.families.dumbbell import LOSS, UTILIZATION, Dumbbell
from p4abs_experiments.network import Link
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.output.figures import dodge, label, legend_below, panels, target
from p4abs_experiments.simulation.result import LinkResult, LinkSeries, Series

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=8)
LINKS = ("first", "second", "third", "fourth")
EQUAL = "equal"
PRIORITIES = {EQUAL: (0, 0, 0, 0), "one above": (1, 0, 0, 0), "in a row": (3, 2, 1, 0)}
MULTIPLES = (0.5, 0.75, 1.0)


def memory_bytes(multiple: float) -> int:
    """In multiples of the sum of pipe / sqrt(n)."""
    return round(multiple * len(LINKS) * BASE.pipe_bytes / math.sqrt(BASE.n_flows))


@dataclass(frozen=True, kw_only=True)
class Priorities(Experiment):
    name: str = "families-priorities"
    title: str = "Priorities in a memory shared by four links"
    claim: str = (
        "Where memory is too small for all, the link of the highest priority has what it needs, "
        "and links of lower ones share the rest. Limits and queues are never above the memory."
    )

    def cells(self) -> Sequence[Cell]:
        return [_cell(ranks, multiple) for multiple in MULTIPLES for ranks in PRIORITIES]

    def judged_by(self, sample: Sample) -> str | None:
        """Of links that come first alone: no buffer need meet the targets of the others."""
        first = sample.link == LINKS[0] and not sample.cell.scenario.name.endswith(EQUAL)
        return super().judged_by(sample) if first else None

    def goals(self, results: Results) -> Sequence[Goal]:
        return [_memory_goal(results)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes_of = panels(len(MULTIPLES), 3, title=self.title)
        for number, multiple in enumerate(MULTIPLES):
            limit, used, lost = axes_of[3 * number : 3 * number + 3]
            _draw(limit, results, multiple, lambda link: link.mean_limit_bytes / 1e3)
            _draw(used, results, multiple, lambda link: 100 * link.utilization)
            _draw(lost, results, multiple, lambda link: 100 * link.loss)
            target(used, 100 * UTILIZATION)
            target(lost, 100 * LOSS)
            label(limit, "", "mean limit (kB)", f"{memory_bytes(multiple) / 1e3:.0f} kB")
            label(used, "", "utilization (%)")
            label(lost, "", "loss (%)")
        legend_below(figure, axes_of[1], columns=4)
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(sample) for sample in results.samples()]


def _cell(ranks: str, multiple: float) -> Cell:
    whole = memory_bytes(multiple)
    sizing = BASE.sizing(initial_limit_bytes=whole // (2 * len(LINKS)))
    alone = BASE.scenario(f"{whole / 1e3:.0f} kB, {ranks}", sizing)
    scenario = replace(
        alone,
        links=tuple(Link(name, BASE.capacity_bps, sizing) for name in LINKS),
        traffic=tuple(BASE.flows(path=(name,), name=name) for name in LINKS),
        n_flows=len(LINKS) * BASE.n_flows,
        pools=(RankedPool("memory", whole, LINKS, priorities=PRIORITIES[ranks]),),
    )
    return Cell(scenario)


def _draw(
    axes: Axes, results: Results, multiple: float, value: Callable[[LinkResult], float]
) -> None:
    """Means and their confidence intervals by link, a mark for each of the priorities."""
    for number, ranks in enumerate(PRIORITIES):
        runs = results.measured(_cell(ranks, multiple).scenario)
        means = [estimate([value(run.link(name)) for run in runs]) for name in LINKS]
        axes.errorbar(
            np.arange(len(LINKS)) + dodge(number, len(PRIORITIES)),
            [each.mean for each in means],
            yerr=[each.half_width or 0.0 for each in means],
            fmt="o",
            markersize=4,
            label=ranks,
        )
    axes.set_xticks(range(len(LINKS)), LINKS)


def _memory_goal(results: Results) -> Goal:
    """Of all samples of all runs."""
    samples = results.samples()
    limits = max(_fullest(each, lambda series: series.limit_bytes) for each in samples)
    queues = max(_fullest(each, lambda series: series.occupancy_bytes) for each in samples)
    return Goal(
        Verdict.of(max(limits, queues) <= 1),
        f"The sum of the limits is at most {100 * limits:.1f} % of the memory, that of the queues "
        f"{100 * queues:.1f} %.",
    )


def _fullest(sample: Sample, held_bytes: Callable[[LinkSeries], Series]) -> float:
    """The greatest sum over the links, as a share of the memory."""
    (pool,) = sample.cell.scenario.pools
    sums_bytes = [
        np.sum([held_bytes(run.link(name).series) for name in LINKS], axis=0) for run in sample.runs
    ]
    return float(np.max(sums_bytes)) / pool.size_bytes


def _sentence(sample: Sample) -> str:
    samples = [replace(sample, link=name) for name in LINKS]
    links = ", ".join(
        f"{100 * each.utilization.mean:.1f} % and {100 * each.loss.mean:.2f} % ({each.link})"
        for each in samples
    )
    whole = fmean(each.utilization.mean for each in samples)
    return (
        f"{sample.cell.scenario.name}: utilization and loss are {links}; utilization of all links "
        f"together is {100 * whole:.1f} %."
    )
