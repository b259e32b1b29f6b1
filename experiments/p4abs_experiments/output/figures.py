"""One style for all figures, and the drawings that experiments share.

Import sets matplotlib's defaults for this process. Figures are made without pyplot, so nothing
needs closing. What was measured is blue, targets are dashed vermilion, what a paper prints is a
hollow grey mark, the static optimum is black; every policy has one colour and mark everywhere.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from p4abs_experiments.simulation.result import LinkSeries

Numbers = Sequence[float] | npt.NDArray[np.float64]

# Okabe and Ito's palette: told apart with any colour vision.
BLACK = "#000000"
GREY = "#666666"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
OCHRE = "#B5A300"  # their yellow, darkened for white paper
BLUE = "#0072B2"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"

MEASURED_COLOUR = BLUE
TARGET_COLOUR = VERMILION
OPTIMUM_COLOUR = BLACK
PRINTED_COLOUR = GREY

POLICY_STYLES: Mapping[str, Mapping[str, str]] = {
    "abs": {"color": BLUE, "marker": "o"},
    "abs-paper": {"color": SKY, "marker": "s"},
    "delay-cap": {"color": BLUE, "marker": "^", "linestyle": "--"},
    "optimum": {"color": OPTIMUM_COLOUR, "marker": "_", "linestyle": "--"},
    "static": {"color": GREY, "marker": "."},
    "bdp": {"color": ORANGE, "marker": "v"},
    "stanford": {"color": ORANGE, "marker": "D", "linestyle": "--"},
    "bscl": {"color": GREEN, "marker": "P"},
    "fpq": {"color": PURPLE, "marker": "X"},
    "adt": {"color": OCHRE, "marker": "<"},
    "fluid": {"color": GREEN, "marker": ">", "linestyle": "--"},
    "red": {"color": PURPLE, "marker": "s", "linestyle": ":"},
    "pie": {"color": OCHRE, "marker": "D", "linestyle": ":"},
    "codel": {"color": VERMILION, "marker": "^", "linestyle": ":"},
}

WIDTH_IN = 8.0
_MAX_POINTS = 2_000  # of a line over time: more than the paper has dots

mpl.rcParams.update(
    {
        "axes.axisbelow": True,
        "axes.grid": True,
        "axes.prop_cycle": cycler(
            color=[BLUE, ORANGE, GREEN, PURPLE, SKY, OCHRE, VERMILION, BLACK]
        ),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlesize": "medium",
        "figure.dpi": 110,
        "figure.titlesize": "large",
        "font.family": ["DejaVu Sans", "sans-serif"],  # the first comes with matplotlib
        "font.size": 10.0,
        "grid.color": "#E4E4E4",
        "grid.linewidth": 0.6,
        "legend.fontsize": "small",
        "legend.framealpha": 0.9,
        "lines.linewidth": 1.3,
        "lines.markersize": 5.0,
        "savefig.dpi": 110,
    }
)


# --- frame -----------------------------------------------------------------------------------


def panels(
    rows: int = 1,
    columns: int = 1,
    *,
    title: str = "",
    panel_height_in: float = 2.4,
    share_x: bool | Literal["col"] = True,
) -> tuple[Figure, list[Axes]]:
    """An empty figure of `rows` times `columns` panels, listed row by row."""
    single = rows * columns == 1
    height_in = 4.4 if single else panel_height_in * rows + 0.6
    figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=share_x, squeeze=False)
    if title:
        figure.suptitle(title)
    return figure, [axes for row in grid for axes in row]


def label(axes: Axes, x: str, y: str, title: str = "") -> None:
    """Names the axes; quantities carry their unit in brackets: "capacity (Mbit/s)"."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title:
        axes.set_title(title)


def logarithmic(axes: Axes, x: bool = True, y: bool = True) -> None:
    """Log scales whose ticks read as plain numbers: 10, 100, 1000."""
    for wanted, axis, scale in ((x, axes.xaxis, axes.set_xscale), (y, axes.yaxis, axes.set_yscale)):
        if wanted:
            scale("log")
            axis.set_major_formatter(lambda value, _: f"{value:g}")
            axis.set_minor_formatter(partial(_minor_tick, axis))


def _minor_tick(axis: Axis, value: float, _: int | None = None) -> str:
    """Few decades leave few powers of ten: then 2, 5 and their multiples are named too."""
    low, high = axis.get_view_interval()
    if high > 30 * low:
        return ""
    digits = f"{value:e}"
    return f"{value:g}" if high < 3 * low or digits.startswith(("2.0", "5.0")) else ""


# --- marks -----------------------------------------------------------------------------------


def target(axes: Axes, value: float, name: str = "target") -> None:
    """A target as a horizontal line, in the axes' unit."""
    axes.axhline(value, color=TARGET_COLOUR, linestyle="--", linewidth=1.2, label=name)


def bound(axes: Axes, x: Numbers, y: Numbers, name: str) -> None:
    """A bound or set point that changes over x, as a dashed staircase."""
    axes.step(x, y, where="post", color=TARGET_COLOUR, linestyle="--", linewidth=1.2, label=name)


def printed(
    axes: Axes, x: Numbers, y: Numbers, name: str = "printed in the paper", marker: str = "o"
) -> None:
    """What a paper prints, as hollow marks."""
    axes.plot(
        x, y, linestyle="none", marker=marker, markersize=7, markerfacecolor="none",
        markeredgecolor=PRINTED_COLOUR, label=name,
    )  # fmt: skip


def model(axes: Axes, x: Numbers, y: Numbers, name: str) -> None:
    """A formula's curve beside measurements."""
    axes.plot(x, y, color=PRINTED_COLOUR, linestyle="--", linewidth=1.1, label=name)


def events(axes: Axes, times: Mapping[float, str]) -> None:
    """Vertical lines with a word above each, for what happened at that x."""
    for time, name in times.items():
        axes.axvline(time, color=GREY, linewidth=0.8)
        axes.text(
            time, 1.02, f" {name}", transform=axes.get_xaxis_transform(), fontsize="x-small",
            color=GREY,
        )  # fmt: skip


def levels(axes: Axes, stretches: Sequence[tuple[float, float, float]], name: str) -> None:
    """Horizontal black bars (from x, to x, y): means or optima of stretches."""
    for number, (start, end, height) in enumerate(stretches):
        axes.plot(
            (start, end), (height, height), color=OPTIMUM_COLOUR, linewidth=1.6,
            label=name if number == 0 else None,
        )  # fmt: skip


# --- drawings --------------------------------------------------------------------------------


def curve(axes: Axes, x: Numbers, y: Numbers | npt.NDArray[np.float64], name: str) -> None:
    """A measured curve. `y` of shape (points,), or (random seeds, points): mean and range.

    A name that is a policy's, or starts with one and a blank, gets that policy's style.
    """
    values = np.atleast_2d(np.asarray(y, dtype=np.float64))
    (line,) = axes.plot(x, values.mean(axis=0), marker="o", label=name)
    line.set(**POLICY_STYLES.get(name.split(" ")[0].lower(), {}))
    if len(values) > 1:
        low, high = values.min(axis=0), values.max(axis=0)
        axes.fill_between(x, low, high, color=line.get_color(), alpha=0.18, linewidth=0)


def bars(
    axes: Axes, categories: Sequence[str], groups: Mapping[str, Numbers], *, unit: str = ""
) -> None:
    """Bars side by side: one cluster per category, one colour per group; values above them.

    Shape of every group: (categories,); nan leaves a gap. `unit` follows the values.
    """
    width = 0.8 / len(groups)
    places = np.arange(len(categories), dtype=np.float64)
    for number, (name, heights) in enumerate(groups.items()):
        style = POLICY_STYLES.get(name.split(" ")[0].lower(), {})
        drawn = axes.bar(
            places + dodge(number, len(groups)),
            heights,
            width * 0.92,
            label=name,
            color=style.get("color"),
        )
        texts = ["" if np.isnan(height) else f"{height:.3g}{unit}" for height in heights]
        axes.bar_label(drawn, texts, fontsize="x-small", padding=1)
    axes.set_xticks(places, categories)
    axes.grid(visible=False, axis="x")


def dodge(number: int, count: int) -> float:
    """How far the marks of series `number` of `count` lie beside their category."""
    return 0.8 * ((number + 0.5) / count - 0.5)


def over_time(
    runs: Mapping[str, LinkSeries],
    *,
    title: str,
    capacity_bps: float,
    packet_bytes: int | None = None,
    utilization: float | None = None,
    loss: float | None = None,
    optima_bytes: Sequence[tuple[float, float, float]] = (),
    happened: Mapping[float, str] | None = None,
    window_s: float = 1.0,
) -> Figure:
    """Queue limit, utilization and loss of one link over time, one line per run.

    Targets `utilization` and `loss` (fractions) are drawn where given. The limit is in
    packets of `packet_bytes`, without it in kB. `optima_bytes`: (from s, to s, limit).
    `happened`: words by time in s. Utilization and loss are of the last `window_s`. A run that
    would hide an earlier one is dashed.
    """
    figure, (limits, utilizations, losses) = panels(3, title=title)
    unit_bytes = packet_bytes or 1_000
    unit = f"packets of {packet_bytes} B" if packet_bytes else "kB"
    lowest = 100.0 * (1.0 if utilization is None else utilization)
    drawn: list[LinkSeries] = []
    for name, series in runs.items():
        used = 100 * series.utilization(capacity_bps, window_s)
        lowest = min(lowest, used[len(used) // 10 :].min())
        chosen = _thinned(len(series.time_s))
        hides = any(_coincide(series, earlier) for earlier in drawn)
        drawn.append(series)
        for axes, values in (
            (limits, series.limit_bytes / unit_bytes),
            (utilizations, used),
            (losses, 100 * series.loss(window_s)),
        ):
            axes.plot(series.time_s[chosen], values[chosen], "--" if hides else "-", label=name)
    levels(limits, [(a, b, c / unit_bytes) for a, b, c in optima_bytes], "static optimum")
    if utilization is not None:
        target(utilizations, 100 * utilization, f"target {100 * utilization:.4g} %")
    if loss is not None:
        target(losses, 100 * loss, f"target {100 * loss:.4g} %")
        losses.set_ylim(0, 500 * loss)
    limits.set_ylim(bottom=0)
    utilizations.set_ylim(max(0.0, lowest - 1), 101)  # start-up does not set the scale
    limits.set_ylabel(f"queue limit ({unit})")
    utilizations.set_ylabel("utilization (%)")
    label(losses, "time (s)", "loss (%)")
    for axes in (limits, utilizations, losses):
        for time in happened or {}:
            axes.axvline(time, color=GREY, linewidth=0.8)
        legend(axes)
    events(limits, happened or {})
    return figure


def legend(axes: Axes, columns: int = 1) -> None:
    """A legend, unless there is nothing to tell apart."""
    if len(axes.get_legend_handles_labels()[1]) > 1:
        axes.legend(ncols=columns)


def legend_below(figure: Figure, axes: Axes, columns: int) -> None:
    """The legend of `axes` below all panels, where no data can lie under it."""
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=columns)


def _coincide(one: LinkSeries, other: LinkSeries) -> bool:
    """Whether one limit would cover the other for most of the time."""
    return bool(np.mean(np.isclose(one.limit_bytes, other.limit_bytes, rtol=0.02)) > 0.5)


def _thinned(samples: int) -> npt.NDArray[np.intp]:
    """Evenly spaced positions, the last among them."""
    step = max(1, -(-samples // _MAX_POINTS))
    return np.arange(samples - 1, -1, -step, dtype=np.intp)[::-1]


# --- files -----------------------------------------------------------------------------------


def save(figure: Figure, path: Path) -> Path:
    """Writes `path`.png and returns its path. The same figure gives the same bytes."""
    png = path.with_name(f"{path.name}.png")
    figure.savefig(png, metadata={"Software": None})
    return png
