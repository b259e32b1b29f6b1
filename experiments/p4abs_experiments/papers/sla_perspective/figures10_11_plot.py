"""The 4x4 matrix of agreements, each a block of letters."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.sla_perspective.agreements import (
    COLUMNS,
    DELAYS_S,
    LOADS,
    LOSSES,
    describe,
)
from p4abs_experiments.papers.sla_perspective.sla import Agreement

_COLOURS = {
    "": "#FFFFFF",
    "-": "#E4E4E4",
    "N": "#F6E7B4",
    "L": figures.ORANGE,
    "D": figures.SKY,
    "B": figures.VERMILION,
}
_SIDE_IN = 2.4


def plot(title: str, letters: Mapping[Agreement, Sequence[Sequence[str]]]) -> Figure:
    """`letters`: verdicts of every agreement, shape (loads, buffers)."""
    figure, panels = figures.panels(len(DELAYS_S), len(LOSSES), title=title)
    figure.set_size_inches(_SIDE_IN * len(LOSSES) + 1.5, _SIDE_IN * len(DELAYS_S) * 0.8 + 1)
    for number, (axes, (agreement, rows)) in enumerate(zip(panels, letters.items(), strict=True)):
        for row, verdicts in enumerate(rows):
            for column, verdict in enumerate(verdicts):
                axes.axvspan(column - 0.5, column + 0.5, 1 - (row + 1) / len(rows),
                             1 - row / len(rows), color=_COLOURS[verdict[:1]], lw=0)  # fmt: skip
                axes.text(column, row, verdict, ha="center", va="center", fontsize="x-small")
        axes.axvline(len(COLUMNS) - 1.5, color=figures.BLACK, linewidth=0.8)
        axes.set(xlim=(-0.5, len(COLUMNS) - 0.5), ylim=(len(rows) - 0.5, -0.5))
        axes.set_title(describe(agreement), fontsize="small")
        names = [name.split(" ")[0] for name in COLUMNS]
        axes.set_xticks(range(len(COLUMNS)), names, fontsize="x-small")
        shown = number % len(LOSSES) == 0
        loads = [f"{load.mix}, {load.name}" if shown else "" for load in LOADS]
        axes.set_yticks(range(len(LOADS)), loads, fontsize="x-small")
        axes.grid(visible=False)
    figure.supxlabel(
        "buffer (packets of the seed's link; ABS: half the agreement's loss as its target).   "
        "L, D, B: loss, delay, both violated;  N: nearly;  blank: met;  -: no interval below 70 %",
        fontsize="small",
    )
    return figure
