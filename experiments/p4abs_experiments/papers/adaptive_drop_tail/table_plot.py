"""Drawings of the table (one panel per column) and of Figure 1 (queues over time)."""

from collections.abc import Callable, Mapping

from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.discipline import Discipline
from p4abs_experiments.simulation.result import LinkSeries

_COLUMNS: Mapping[str, Callable[[Discipline], float]] = {
    "utilization (%)": lambda row: 100 * row.utilization,
    "loss (%)": lambda row: 100 * row.loss,
    "mean queueing delay (ms)": lambda row: 1e3 * row.mean_delay_s,
    "Jain's fairness index": lambda row: row.fairness,
    "goodput (% of capacity)": lambda row: 100 * row.goodput,
}
_RANGES = {"utilization (%)": (90, 101), "goodput (% of capacity)": (90, 101)}
_LOGARITHMIC = "mean queueing delay (ms)"
_SHOWN_S = 30.0


def plot_table(
    rows: Mapping[str, Discipline], printed: Mapping[str, Discipline], title: str
) -> Figure:
    """A bar per discipline and column, with the printed value as a hollow mark."""
    figure, axes = figures.panels(2, 3, title=title, panel_height_in=2.6, share_x=False)
    names = list(rows)
    places = range(len(names))
    for place, (panel, (column, value)) in enumerate(zip(axes, _COLUMNS.items(), strict=False)):
        values = [value(row) for row in rows.values()]
        panel.barh(places, values, color=figures.MEASURED_COLOUR, height=0.6, label="measured")
        for row, measured in enumerate(values):
            panel.text(
                1.02, row, f"{measured:.3g}", va="center", fontsize="x-small",
                transform=panel.get_yaxis_transform(),
            )  # fmt: skip
        figures.printed(
            panel,
            [value(printed[name]) for name in names if name in printed],
            [place for place, name in enumerate(names) if name in printed],
        )
        panel.set_xlabel(column)
        panel.set_yticks(places, names if place % 3 == 0 else [""] * len(names))
        panel.invert_yaxis()
        panel.grid(visible=False, axis="y")
        panel.set_xlim(_RANGES.get(column))
        if column == _LOGARITHMIC:
            figures.logarithmic(panel, y=False)
            panel.set_xlim(1, 2 * max(values))
    axes[-1].axis("off")
    axes[-1].legend(*axes[0].get_legend_handles_labels(), loc="center")
    return figure


def plot_queues(series: Mapping[str, LinkSeries], packet_bytes: int) -> Figure:
    """Figure 1: the queue in the last seconds of the run, one panel per discipline."""
    figure, axes = figures.panels(len(series), title="Queue over time", panel_height_in=1.5)
    for panel, (name, one) in zip(axes, series.items(), strict=True):
        shown = one.time_s > one.time_s[-1] - _SHOWN_S
        panel.plot(one.time_s[shown], one.occupancy_bytes[shown] / packet_bytes, linewidth=0.6)
        panel.set_title(name, fontsize="small")
        panel.sharey(axes[0])
    axes[0].set_ylim(bottom=0)
    figure.supylabel("queue (packets)", fontsize="medium")
    axes[-1].set_xlabel("time (s)")
    return figure
