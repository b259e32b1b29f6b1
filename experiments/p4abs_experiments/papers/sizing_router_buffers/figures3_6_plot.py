"""Drawing of Figures 3 to 6: window above, queue below, one column per buffer."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.packet_sizing import segment_bytes
from p4abs_experiments.papers.sizing_router_buffers.loss_epochs import loss_epochs_s
from p4abs_experiments.papers.sizing_router_buffers.models import sawtooth as model
from p4abs_experiments.simulation.result import CellResult

_SHOWN_S = 150.0
"""The last part of the run."""


def plot(
    fixed: Mapping[str, tuple[CellResult, float]],
    adaptive: CellResult,
    pipe: float,
    rate: float,
    packet_bytes: int,
) -> Figure:
    """`fixed`: title, result and buffer in packets; `rate` in packets/s."""
    columns = len(fixed) + 1
    figure, axes = figures.panels(2, columns, title="One long flow: window and queue")
    for row in (axes[:columns], axes[columns:]):
        for panel in row[1:]:
            panel.sharey(row[0])
    for column, (title, (result, buffer)) in enumerate(fixed.items()):
        window, queue = axes[column], axes[columns + column]
        _measured(window, queue, result, packet_bytes)
        _modelled(window, queue, result, (pipe, buffer, rate))
        queue.axhline(buffer, color=figures.BLACK, linewidth=0.8, label="limit")
        window.set_title(title, fontsize="small")
    window, queue = axes[columns - 1], axes[-1]
    _measured(window, queue, adaptive, packet_bytes)
    series = adaptive.link().series
    queue.plot(series.time_s, series.limit_bytes / packet_bytes, color=figures.BLACK, linewidth=0.8)
    window.set_title("abs", fontsize="small")
    for panel in axes[:columns]:
        panel.axhline(pipe, color=figures.GREY, linestyle=":", linewidth=1, label="pipe")
    axes[0].set_ylabel("window (packets)")
    axes[columns].set_ylabel("queue (packets)")
    for panel in axes[columns:]:
        panel.set_xlabel("time (s)")
    axes[0].set_ylim(0, 1.45 * axes[0].get_ylim()[1])
    axes[columns].set_ylim(0, 1.45 * axes[columns].get_ylim()[1])
    axes[0].legend(loc="upper left", fontsize="x-small")
    axes[columns].legend(loc="upper left", fontsize="x-small")
    return figure


def _measured(window: Axes, queue: Axes, result: CellResult, packet_bytes: int) -> None:
    series = result.link().series
    end_s = series.time_s[-1]
    shown = series.time_s > end_s - _SHOWN_S
    windows = result.traffic[0].flows[0].window_bytes / segment_bytes(packet_bytes)
    window.plot(series.time_s[shown], windows[shown], linewidth=0.9, label="measured")
    queue.plot(
        series.time_s[shown],
        series.occupancy_bytes[shown] / packet_bytes,
        linewidth=0.9,
        label="measured",
    )
    window.set_xlim(end_s - _SHOWN_S, end_s)


def _modelled(
    window: Axes, queue: Axes, result: CellResult, sawtooth: tuple[float, float, float]
) -> None:
    """Appendix B's sawtooth, in phase with the first loss that is shown."""
    end_s = result.link().series.time_s[-1]
    epochs = loss_epochs_s(result)
    epochs = epochs[epochs > end_s - _SHOWN_S]
    if len(epochs) == 0:
        return
    times = np.arange(epochs[0], end_s, 0.1)
    windows = np.array(model.window_series(*sawtooth, list(times - epochs[0])))
    pipe = sawtooth[0]
    for panel, values in ((window, windows), (queue, np.maximum(windows - pipe, 0))):
        panel.plot(times, values, "--", color=figures.ORANGE, linewidth=0.9, label="Appendix B")
