"""The figures of Tables 2 and 3: limit, loss and utilization over one quantity, of every policy and
of the readings of the law beside the corrected one."""

import math
from collections.abc import Sequence
from typing import Protocol

from matplotlib.figure import Figure

from p4abs_experiments.experiment.goal import LARGEST_RATIO
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network import PACKET_BYTES
from p4abs_experiments.output.figures import (
    curve,
    dodge,
    label,
    legend_below,
    logarithmic,
    panels,
    printed,
    target,
)
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import Goal

_X_LABELS = {"n_flows": "number of flows", "capacity_bps": "capacity (Mbit/s)"}
_X_UNITS = {"n_flows": 1, "capacity_bps": 1_000_000}


class DrawnTable(Protocol):
    """What the figure needs of a table; `over` is the column on the x axis."""

    @property
    def title(self) -> str: ...
    @property
    def over(self) -> str: ...


def table_figure(table: DrawnTable, goal: Goal, rows: Sequence[Row]) -> Figure:
    """Three panels over the table's first column, targets drawn, one curve per policy."""
    figure, (limits, losses, utilizations) = panels(3, title=table.title, panel_height_in=3.0)
    unit = _X_UNITS[table.over]
    for policy in dict.fromkeys(row.policy for row in rows):
        chosen = [row for row in rows if row.policy == policy]
        x = [getattr(row, table.over) / unit for row in chosen]
        curve(limits, x, [row.mean_limit_bytes / PACKET_BYTES for row in chosen], policy)
        curve(losses, x, [100 * row.loss or math.nan for row in chosen], policy)
        curve(utilizations, x, [100 * row.utilization for row in chosen], policy)
    ours = [row for row in rows if row.policy == "abs" and row.paper_limit_packets is not None]
    printed(
        limits,
        [getattr(row, table.over) / unit for row in ours],
        [row.paper_limit_packets or math.nan for row in ours],
        "abs, printed in the seed",
    )
    target(losses, 100 * goal.loss)
    target(utilizations, 100 * goal.utilization)
    logarithmic(limits)
    logarithmic(losses)
    logarithmic(utilizations, y=False)
    utilizations.set_ylim(bottom=75, top=101)
    limits.set_ylabel(f"queue limit (packets of {PACKET_BYTES} B)")
    losses.set_ylabel("loss (%)")
    label(utilizations, _X_LABELS[table.over], "utilization (%)")
    legend_below(figure, limits, columns=4)
    return figure


def laws_figure(title: str, goal: Goal, rows: Sequence[Row]) -> Figure:
    """A mark per law at every link, side by side."""
    figure, (ratio, utilization, loss) = panels(3, title=title)
    names = list(dict.fromkeys(row.scenario for row in rows))
    labels = list(dict.fromkeys(row.policy for row in rows))
    for number, name in enumerate(labels):
        chosen = [row for row in rows if row.policy == name]
        at = [names.index(row.scenario) + dodge(number, len(labels)) for row in chosen]
        ratio.plot(at, [row.ratio or math.nan for row in chosen], "o", label=name)
        utilization.plot(at, [100 * row.utilization for row in chosen], "o")
        loss.plot(at, [100 * row.loss for row in chosen], "o")
    target(ratio, LARGEST_RATIO, f"goal: at most {LARGEST_RATIO:g}")
    target(utilization, 100 * goal.utilization)
    target(loss, 100 * goal.loss)
    logarithmic(ratio, x=False)
    ratio.set_ylabel("mean limit / static optimum")
    utilization.set_ylabel("utilization (%)")
    loss.set_ylabel("loss (%)")
    loss.set_xticks(range(len(names)), [name.replace(", ", "\n") for name in names])
    legend_below(figure, ratio, columns=3)
    return figure
