"""Figures 3 to 6: the window and the queue of one long flow, in three buffers and under `abs`.

Appendix B gives Figure 4's scale: 142 packets at 1000 packets/s, a sawtooth of 30.2 s. The packet
size is not printed; 1000 bytes (section 5.1 used 1000 or 1500) make it 8 Mb/s. Nothing is scaled.
The buffers of Figures 5 and 6 are not printed: half and one and a half times the pipe are taken.
The flow is a Linux Reno: the simulator's NewReno adds whole bytes per acknowledgement, which
makes a window of 285 packets grow by 0.85 packets per round trip instead of one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Scenario, Sizing
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.output import figures
from p4abs_experiments.papers.dumbbell import Dumbbell
from p4abs_experiments.papers.packet_sizing import adaptive, fixed, segment_bytes
from p4abs_experiments.papers.sizing_router_buffers.loss_epochs import (
    limit_at_losses_bytes,
    loss_epochs_s,
    period_s,
)
from p4abs_experiments.papers.sizing_router_buffers.models import sawtooth as model
from p4abs_experiments.papers.sizing_router_buffers.published import (
    FIGURE_4_BUFFER_PACKETS,
    FIGURE_4_PERIOD_S,
    FIGURE_4_RATE_PACKETS_PER_S,
)
from p4abs_experiments.simulation.result import CellResult

_PACKET_BYTES = 1000
_RATE = FIGURE_4_RATE_PACKETS_PER_S
_PIPE = FIGURE_4_BUFFER_PACKETS
_FIGURES = {0.5: "Figure 5", 1.0: "Figure 4", 1.5: "Figure 6"}
"""Buffer in pipes: where the paper shows it."""
_ABS_UTILIZATION = 0.98

_SHOWN_S = 150.0
"""The last part of the run."""


def _scenario(name: str, sizing: Sizing) -> Scenario:
    # The pipe holds the packet in service as well.
    rtt_s = _PIPE / _RATE - 1 / _RATE
    link = Dumbbell(
        capacity_bps=8 * _PACKET_BYTES * _RATE,
        rtt_s=(rtt_s, rtt_s),
        packet_bytes=_PACKET_BYTES,
        n_flows=(1,),
        start_s=100,
        window_s=300,
    )
    flow = replace(link.long_flows(1, 0, congestion_control="reno"), jitter_s=0)
    return replace(link.scenario(name, sizing, 1, flow), record_windows=True)


def _fixed(multiple: float) -> Scenario:
    return _scenario(f"{multiple:g} pipe", fixed(multiple * _PIPE, _PACKET_BYTES))


def _adaptive() -> Scenario:
    sizing = adaptive("abs", _PIPE, _PACKET_BYTES, _ABS_UTILIZATION)
    return _scenario("adaptive", sizing)


@dataclass(frozen=True)
class Sawtooth(Experiment):
    name: str = "seed001-figures3-6"
    title: str = "One long flow: window and queue over time"
    source: str = "Appenzeller, Keslassy, McKeown 2004, Figures 3-6, Appendix B"
    claim: str = (
        "A single flow needs a buffer of one bandwidth-delay product: with less the link idles "
        "after each loss, with more the queue never drains."
    )

    def cells(self) -> Sequence[Cell]:
        fixed = [
            Cell(
                _fixed(multiple),
                policy="bdp" if multiple == 1 else "static",
                paper=Paper(limit_packets=_PIPE) if multiple == 1 else Paper(),
            )
            for multiple in _FIGURES
        ]
        return [*fixed, Cell(_adaptive())]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        fixed = {
            f"{_FIGURES[multiple]}: B = {multiple:g} x pipe": (
                results.measured(_fixed(multiple))[0],
                multiple * _PIPE,
            )
            for multiple in _FIGURES
        }
        adaptive = results.measured(_adaptive())[0]
        return {"figures3-6": plot(fixed, adaptive, _PIPE, _RATE, _PACKET_BYTES)}

    def findings(self, results: Results) -> Sequence[str]:
        fixed = [self._fixed_finding(results, multiple) for multiple in _FIGURES]
        return [*fixed, self._adaptive_finding(results)]

    def _fixed_finding(self, results: Results, multiple: float) -> str:
        scenario = _fixed(multiple)
        buffer = multiple * _PIPE
        period = results.mean(scenario, period_s)
        used = results.mean(scenario, lambda result: result.link().utilization)
        printed = f", printed {FIGURE_4_PERIOD_S} s" if multiple == 1 else ""
        return (
            f"Buffer of {multiple:g} pipes ({buffer:.0f} packets): a sawtooth every {period:.1f} s "
            f"(model {model.period_s(_PIPE, buffer, _RATE):.1f} s{printed}) and "
            f"{used:.2%} utilization (model {model.utilization(_PIPE, buffer, _RATE):.2%})."
        )

    def _adaptive_finding(self, results: Results) -> str:
        scenario = _adaptive()
        limit = results.mean(scenario, lambda result: result.link().mean_limit_bytes)
        used = results.mean(scenario, lambda result: result.link().utilization)
        at_loss = results.mean(scenario, limit_at_losses_bytes) / _PACKET_BYTES
        return (
            f"abs, asked for {_ABS_UTILIZATION:.0%}, holds {limit / _PACKET_BYTES:.0f} packets on "
            f"average and uses {used:.2%}. Its limit falls through a sawtooth and rises after the "
            f"loss; the flow meets it at {at_loss:.0f} packets, and a fixed buffer of those would "
            f"give {model.utilization(_PIPE, at_loss, _RATE):.2%} by the model."
        )


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
