"""What the families share: scenarios of `abs`, each beside its static optimum."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.goal import LARGEST_RATIO
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.sized import resized
from p4abs_experiments.output.figures import TARGET_COLOUR, legend_below, panels


@dataclass(frozen=True, kw_only=True)
class Family(Experiment):
    """Scenarios whose first link `abs` sizes, and other policies beside it."""

    scenarios: tuple[Scenario, ...]
    others: tuple[str, ...] = ()

    def cells(self) -> Sequence[Cell]:
        return [
            Cell(resized(scenario, policy=policy))
            for scenario in self.scenarios
            for policy in ("abs", *self.others)
        ]

    def optima(self) -> Sequence[OptimumTask]:
        return [OptimumTask(scenario) for scenario in self.scenarios]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {self.name: merit_figure(self.title, self.rows(results))}


def merit_figure(title: str, rows: Sequence[Row]) -> Figure:
    """Ratio, utilization and loss of every scenario and policy with confidence intervals, and the
    target that binds; scenarios down."""
    names = list(dict.fromkeys(row.scenario for row in rows))
    figure, (ratio, used, lost) = panels(
        1, 3, title=title, panel_height_in=0.6 + 0.26 * len(names), share_x=False
    )
    figure.set_figheight(1.6 + 0.26 * len(names))
    policies = [each for each in dict.fromkeys(row.policy for row in rows) if each != "optimum"]
    columns = ((ratio, "ratio", 1), (used, "utilization", 100), (lost, "loss", 100))
    for policy in policies:
        chosen = [row for row in rows if row.policy == policy]
        places = [names.index(row.scenario) for row in chosen]
        for axes, column, unit in columns:
            means = unit * _numbers(chosen, column)
            widths = np.nan_to_num(unit * _numbers(chosen, f"{column}_ci"))
            axes.errorbar(means, places, xerr=widths, fmt="o", markersize=4, label=policy)
    for axes in (ratio, used, lost):
        axes.set_yticks(range(len(names)), names if axes is ratio else [""] * len(names))
        axes.set_ylim(len(names) - 0.5, -0.5)
    _draw_targets(used, lost, rows, names)
    ratio.axvline(LARGEST_RATIO, color=TARGET_COLOUR, linestyle="--", linewidth=1.2)
    lost.set_xscale("symlog", linthresh=0.1)
    lost.set_xlim(left=0)
    lost.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ratio.set_xlabel("limit / optimum")
    used.set_xlabel("utilization (%)")
    lost.set_xlabel("loss (%)")
    if len(policies) > 1:
        legend_below(figure, ratio, columns=4)
    return figure


def _draw_targets(used: Axes, lost: Axes, rows: Sequence[Row], names: Sequence[str]) -> None:
    """A mark at every scenario's target that binds."""
    for axes, column in ((used, "utilization"), (lost, "loss")):
        bound = [row for row in rows if row.binding in (column, "tie")]
        places = [names.index(row.scenario) for row in bound]
        targets = 100 * _numbers(bound, f"target_{column}")
        axes.plot(targets, places, "|", color=TARGET_COLOUR, markersize=14)


def _numbers(rows: Sequence[Row], column: str) -> npt.NDArray[np.float64]:
    """A column; nan where it has nothing."""
    values = [getattr(row, column) for row in rows]
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
