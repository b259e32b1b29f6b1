"""What a demonstration shows: the same link with an oversized buffer, and with ABS."""

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_HERE = Path(__file__).parent
SERIES, SUMMARY = _HERE / "demo.csv", _HERE / "demo.json"
PICTURE = _HERE / "demo.png"
SOURCES = (Path(__file__), SERIES, SUMMARY)

# Okabe and Ito's palette: told apart with any color vision.
_MEASURED, _TARGET, _BEFORE = "#0072B2", "#D55E00", "#999999"
_PHASES = {
    "before": "oversized\nbuffer",
    "abs": "ABS",
    "half-load": "ABS, half of\nthe flows",
    "full-load": "ABS, all\nflows again",
}
_EVERY = 5  # samples


def take(results: Path) -> None:
    """Writes the data: what is drawn of a demonstration's results."""
    columns = np.genfromtxt(results / "timeseries.csv", delimiter=",", names=True)
    names = ("time_s", "limit_bytes", "queue_delay_s")
    rows = np.column_stack([columns[name][::_EVERY] for name in names])
    formats = ("%.2f", "%.0f", "%.4f")
    np.savetxt(SERIES, rows, formats, ",", header=",".join(names), comments="")
    SUMMARY.write_text((results / "summary.json").read_text())


def draw() -> Figure:
    summary = json.loads(SUMMARY.read_text())
    figure = plt.figure(figsize=(10, 6), layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=(3, 2))
    above, below = parts
    _delay(above.subplots(), summary)
    panels = below.subplots(1, 3)
    targets, phases = summary["targets"], summary["phases"]
    busy = [100 * phase["utilization"] for phase in phases]
    lost = [100 * phase["loss"] for phase in phases]
    waited = [1e3 * phase["queue_delay_p50_s"] for phase in phases]
    _bars(panels[0], "link busy (%)", busy, 100 * targets["utilization"], "at least")
    panels[0].set_ylim(90, 105)
    _bars(panels[1], "bytes lost (%)", lost, 100 * targets["loss"], "at most")
    _bars(panels[2], "median queueing delay (ms)", waited, None, "")
    flows, rate = summary["flows"], summary["capacity_bps"] / 1e6
    figure.suptitle(f"{flows} TCP flows share a link of {rate:g} Mbit/s")
    return figure


def _delay(axes: Axes, summary: Any) -> None:
    time_s, limit_bytes, delay_s = np.loadtxt(SERIES, delimiter=",", skiprows=1, unpack=True)
    drain_ms = 8e3 * limit_bytes / summary["capacity_bps"]
    axes.plot(time_s, 1e3 * delay_s, color=_MEASURED, lw=0.8, label="queueing delay")
    axes.step(time_s, drain_ms, color="black", where="post", label="queue limit, as delay")
    axes.set(xlabel="time (s)", ylabel="ms", xlim=(0, time_s[-1]), ylim=(0, 1.25 * drain_ms.max()))
    axes.spines[["top", "right"]].set_visible(False)
    starts_s = _starts_s(summary)
    for name, begin_s, end_s in zip(_PHASES, starts_s, [*starts_s[1:], time_s[-1]], strict=True):
        axes.axvline(begin_s, color="#666666", lw=0.8)
        axes.text((begin_s + end_s) / 2, axes.get_ylim()[1], _PHASES[name], ha="center", va="top")
    axes.legend(loc="center right", frameon=False)


def _starts_s(summary: Any) -> list[float]:
    """A phase begins where the measured part of the one before ends."""
    return [0.0, *(phase["end_s"] for phase in summary["phases"][:-1])]


def _bars(axes: Axes, title: str, values: list[float], target: float | None, bound: str) -> None:
    colors = [_BEFORE, *[_MEASURED] * (len(values) - 1)]
    axes.bar(["before", "ABS", "half", "all"], values, color=colors)
    axes.set_title(title, fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    if target is not None:
        axes.axhline(target, color=_TARGET, linestyle="--", label=f"target: {bound} {target:g} %")
        axes.set_ylim(0, 1.6 * max(*values, target))
        axes.legend(loc="upper left", frameon=False, fontsize="small")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
