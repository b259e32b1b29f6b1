"""The published law in both readings beside the corrected one, where it must work: Table 2's links.

Equation (8) to the letter has the drift Var(u) - Cov(u(n), u(n-1)) > 0 whatever u* is: the limit
sinks until the link starves. With |u(n) - u(n-1)| it holds too much, by an amount that the gain
decides. Equation (6) averages loss ratios of intervals, so bursty loss exceeds its target.
16 Mb/s with 2 to 64 flows and 16 flows at 2 and 64 Mb/s; u* = 98 %, p* = 2 %, T = 20 ms, I =
3000 (with |.| also 300 and 30000), gains trained by (15)-(16). 120 s, measured in the second half.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from p4abs_experiments.cell import Cell
from p4abs_experiments.experiment import Results, Size, default_rows
from p4abs_experiments.figures import legend, logarithmic, panels, target
from p4abs_experiments.goal import goal
from p4abs_experiments.network import PACKET_BYTES, Scenario, TcpFlows
from p4abs_experiments.optimum import OptimumTask
from p4abs_experiments.row import Row
from p4abs_experiments.seed000.scenarios import (
    BOTTLENECK,
    PUBLISHED_LAWS,
    Goal,
    Law,
    adaptive,
    bottleneck,
    law,
    rtt_range_s,
)

GOAL = Goal(utilization=0.98, loss=0.02)
LINKS = (
    (2, 16_000_000),
    (4, 16_000_000),
    (8, 16_000_000),
    (16, 16_000_000),
    (64, 16_000_000),
    (16, 2_000_000),
    (16, 64_000_000),
)
"""Number of flows, capacity in bit/s."""

PUBLISHED_GAIN = 3000.0
OTHER_GAINS = (300.0, 30000.0)
"""Tried with |u(n) - u(n-1)| at 16 Mb/s: there the gain decides the limit."""

_QUICK_LINKS = ((8, 16_000_000),)
_DURATION_S = {Size.QUICK: 20.0, Size.FULL: 120.0}
_UTILIZATION_TOLERANCE = 0.003
_LOSS_TOLERANCE = 0.03
_MOST_RATIO = 1.10
"""The issue's goals: points as a fraction, relative, mean limit over the static optimum."""


def published(policy: str, gain: float) -> Law:
    """A reading of the published law with the same first gain in both branches, in packets/s."""
    parameters = {"utilization_gain": gain, "loss_gain": gain}
    return Law(label=f"{policy} I={gain:g}", policy=policy, parameters=parameters)


def laws(capacity_bps: int) -> list[Law]:
    """The laws that are compared at a link."""
    compared = [law("abs"), *(published(policy, PUBLISHED_GAIN) for policy in PUBLISHED_LAWS)]
    if capacity_bps == 16_000_000:
        compared += [published(PUBLISHED_LAWS[1], gain) for gain in OTHER_GAINS]
    return compared


def scenario(law: Law, n_flows: int, capacity_bps: int, size: Size) -> Scenario:
    """A link of Table 2 or 3."""
    duration_s = _DURATION_S[size]
    return Scenario(
        name=f"{n_flows} flows, {capacity_bps / 1e6:g} Mb/s",
        links=(bottleneck(capacity_bps, adaptive(law, GOAL, capacity_bps)),),
        traffic=(TcpFlows(count=n_flows, path=(BOTTLENECK,), rtt_s=rtt_range_s(n_flows)),),
        n_flows=n_flows,
        duration_s=duration_s,
        measure_from_s=duration_s / 2,
    )


class LawComparison:
    """Equation (8) literally, with |.|, and the corrected law."""

    name = "seed000-law-comparison"
    title = "The published law and the corrected one"
    source = "Zhang and Loguinov 2010, equations (6), (8), (15), (16)"
    claim = "ABS brings the limit to the smallest value that meets the binding target."

    def cells(self, size: Size) -> Sequence[Cell]:
        links = _QUICK_LINKS if size is Size.QUICK else LINKS
        return [
            Cell(scenario(law, n_flows, capacity_bps, size), policy=law.label)
            for n_flows, capacity_bps in links
            for law in laws(capacity_bps)[: 2 if size is Size.QUICK else None]
        ]

    def optima(self, size: Size) -> Sequence[OptimumTask]:
        if size is Size.QUICK:
            return []
        return [OptimumTask(scenario(law("abs"), *link, size)) for link in LINKS]

    def rows(self, results: Results) -> Sequence[Row]:
        return default_rows(results)

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, (ratio, utilization, loss) = panels(3, title=self.title)
        names = list(dict.fromkeys(cell.scenario.name for cell in results.cells))
        for policy in dict.fromkeys(cell.policy_label for cell in results.cells):
            cells = [cell for cell in results.cells if cell.policy_label == policy]
            at = [names.index(cell.scenario.name) for cell in cells]
            links = [results[cell].link() for cell in cells]
            ratios = [_ratio(results, cell) for cell in cells]
            ratio.plot(at, ratios, "o", label=policy)
            utilization.plot(at, [100 * link.utilization for link in links], "o")
            loss.plot(at, [100 * link.loss for link in links], "o")
        target(ratio, _MOST_RATIO, f"goal: at most {_MOST_RATIO:g}")
        target(utilization, 100 * GOAL.utilization)
        target(loss, 100 * GOAL.loss)
        logarithmic(ratio, x=False)
        ratio.set_ylabel("mean limit / static optimum")
        utilization.set_ylabel("utilization (%)")
        loss.set_ylabel("loss (%)")
        loss.set_xticks(range(len(names)), [name.replace(", ", "\n") for name in names])
        legend(ratio, columns=2)
        return {"law-comparison": figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, cell) for cell in results.cells]


def _ratio(results: Results, cell: Cell) -> float:
    """Mean limit over static optimum; nan without an optimum."""
    optimum = results.optimum(cell.scenario)
    if optimum is None:
        return math.nan
    return results[cell].link().mean_limit_bytes / optimum.limit_bytes


def _sentence(results: Results, cell: Cell) -> str:
    link, optimum = results[cell].link(), results.optimum(cell.scenario)
    sentence = (
        f"{cell.scenario.name}, {cell.policy_label}: mean limit "
        f"{link.mean_limit_bytes / PACKET_BYTES:.0f} packets, utilization "
        f"{100 * link.utilization:.2f} %, loss {100 * link.loss:.2f} %"
    )
    if optimum is None:
        return f"{sentence}."
    ratio = _ratio(results, cell)
    sentence += (
        f"; {ratio:.2f} times the static optimum of {optimum.limit_bytes / PACKET_BYTES:.0f} "
        f"packets, bound by {optimum.binding}."
    )
    if cell.policy_label != "abs":
        return sentence
    on_target = (
        abs(link.utilization - GOAL.utilization) <= _UTILIZATION_TOLERANCE
        if optimum.binding == "utilization"
        else abs(link.loss / GOAL.loss - 1) <= _LOSS_TOLERANCE
    )
    return goal(on_target and ratio <= _MOST_RATIO, sentence)
