"""Distributions of every load at every buffer: a row of panels per buffer, a colour per load."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.sla_perspective.settings import Setting
from p4abs_experiments.papers.sla_perspective.traffic import Load
from p4abs_experiments.simulation.result import Series

Samples = Callable[[Load, Setting], Sequence[Series]]
"""What is distributed, an array per metric."""


def plot(
    title: str,
    metrics: Sequence[str],
    loads: Sequence[Load],
    buffers: Sequence[Setting],
    samples: Samples,
    of: str,
) -> Figure:
    """The share `of` something (flows, seconds) that lies below a value, for each metric."""
    figure, panels = figures.panels(
        len(buffers), len(metrics), title=title, panel_height_in=1.3, share_x="col"
    )
    for row, setting in enumerate(buffers):
        of_buffer = panels[row * len(metrics) : (row + 1) * len(metrics)]
        for load in loads:
            for axes, values in zip(of_buffer, samples(load, setting), strict=True):
                shares = np.arange(1, len(values) + 1) / len(values)
                axes.step(np.sort(values), shares, where="post", linewidth=1.0, label=load.name)
        of_buffer[0].set_ylabel(setting.name, fontsize="small")
    for axes, metric in zip(panels[-len(metrics) :], metrics, strict=True):
        axes.set_xlabel(metric)
    figure.supylabel(f"share of the {of}", fontsize="medium")
    figures.legend_below(figure, panels[0], columns=len(loads))
    return figure
