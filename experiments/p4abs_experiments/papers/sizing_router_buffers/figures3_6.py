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
from p4abs_experiments.papers.dumbbell import Dumbbell, segment_bytes
from p4abs_experiments.papers.sizing_router_buffers.models import sawtooth as model
from p4abs_experiments.papers.sizing_router_buffers.published import (
    FIGURE_4_BUFFER_PACKETS,
    FIGURE_4_PERIOD_S,
    FIGURE_4_RATE_PACKETS_PER_S,
)
from p4abs_experiments.simulation.result import CellResult, Series

_PACKET_BYTES = 1000
_RATE = FIGURE_4_RATE_PACKETS_PER_S
_PIPE = FIGURE_4_BUFFER_PACKETS
_FIGURES = {0.5: "Figure 5", 1.0: "Figure 4", 1.5: "Figure 6"}
"""Buffer in pipes: where the paper shows it."""
_ABS_UTILIZATION = 0.98

_SHOWN_S = 150.0
"""The last part of the run."""


# The pipe holds the packet in service as well.
_RTT_S = _PIPE / _RATE - 1 / _RATE
_LINK = Dumbbell(
    capacity_bps=8 * _PACKET_BYTES * _RATE,
    rtt_s=(_RTT_S, _RTT_S),
    packet_bytes=_PACKET_BYTES,
    n_flows=(1,),
    start_s=100.0,
    window_s=300.0,
)


def _scenario(name: str, sizing: Sizing) -> Scenario:
    flow = replace(_LINK.long_flows(1, 0, congestion_control="reno"), jitter_s=0)
    return replace(_LINK.scenario(name, sizing, 1, flow), record_windows=True)


def _fixed(multiple: float) -> Scenario:
    return _scenario(f"{multiple:g} pipe", _LINK.fixed(multiple * _PIPE))


def _adaptive() -> Scenario:
    return _scenario("adaptive", _LINK.adaptive("abs", _PIPE, _ABS_UTILIZATION))


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
        return {"figures3-6": _drawn(results)}

    def findings(self, results: Results) -> Sequence[str]:
        fixed = [_fixed_finding(results, multiple) for multiple in _FIGURES]
        return [*fixed, _adaptive_finding(results)]


def loss_epochs_s(result: CellResult) -> Series:
    """When the flow lost: the start of every run of drops that lie less than 2 s apart."""
    series = result.link().series
    dropping = series.time_s[series.dropped_bytes > 0]
    return dropping[np.diff(dropping, prepend=-np.inf) > 2]


def _late_epochs_s(result: CellResult) -> Series:
    """Those after the first quarter of the run."""
    times = loss_epochs_s(result)
    late: Series = times[times >= result.link().series.time_s[-1] / 4]
    return late


def _limit_at_losses_bytes(result: CellResult) -> float:
    """The mean limit that the flow ran into."""
    series = result.link().series
    at = np.searchsorted(series.time_s, _late_epochs_s(result))
    return float(series.limit_bytes[at].mean())


def _period_s(result: CellResult) -> float:
    """The mean time between losses; nan with fewer than two."""
    times = _late_epochs_s(result)
    return float(np.diff(times).mean()) if len(times) > 1 else float("nan")


def _fixed_finding(results: Results, multiple: float) -> str:
    scenario, buffer = _fixed(multiple), multiple * _PIPE
    printed = f", printed {FIGURE_4_PERIOD_S} s" if multiple == 1 else ""
    return (
        f"With a buffer of {multiple:g} pipes ({buffer:.0f} packets), a sawtooth takes "
        f"{results.mean(scenario, _period_s):.1f} s "
        f"(model {model.period_s(_PIPE, buffer, _RATE):.1f} s{printed}), and utilization is "
        f"{results.utilization(scenario):.2%} "
        f"(model {model.utilization(_PIPE, buffer, _RATE):.2%})."
    )


def _adaptive_finding(results: Results) -> str:
    scenario = _adaptive()
    at_loss = results.mean(scenario, _limit_at_losses_bytes) / _PACKET_BYTES
    return (
        f"abs, asked for {_ABS_UTILIZATION:.0%}, holds "
        f"{results.limit_bytes(scenario) / _PACKET_BYTES:.0f} packets on average and uses "
        f"{results.utilization(scenario):.2%}. Its limit falls through a sawtooth and rises after "
        f"the loss; the flow meets it at {at_loss:.0f} packets, and a fixed buffer of those would "
        f"give {model.utilization(_PIPE, at_loss, _RATE):.2%} by the model."
    )


def _drawn(results: Results) -> Figure:
    """Windows above queues, a column for each buffer."""
    columns = len(_FIGURES) + 1
    figure, axes = figures.panels(2, columns, title="One long flow: window and queue")
    windows, queues = axes[:columns], axes[columns:]
    for row in (windows, queues):
        for panel in row[1:]:
            panel.sharey(row[0])
    for window, queue, (multiple, place) in zip(windows, queues, _FIGURES.items(), strict=False):
        result, buffer = results.measured(_fixed(multiple))[0], multiple * _PIPE
        _draw_measured(window, queue, result)
        _draw_model(window, queue, result, buffer)
        queue.axhline(buffer, color=figures.BLACK, linewidth=0.8, label="limit")
        window.set_title(f"{place}: B = {multiple:g} x pipe", fontsize="small")
    adaptive = results.measured(_adaptive())[0]
    _draw_measured(windows[-1], queues[-1], adaptive)
    series = adaptive.link().series
    limit = series.limit_bytes / _PACKET_BYTES
    queues[-1].plot(series.time_s, limit, color=figures.BLACK, linewidth=0.8)
    windows[-1].set_title("abs", fontsize="small")
    for panel in windows:
        panel.axhline(_PIPE, color=figures.GREY, linestyle=":", linewidth=1, label="pipe")
    for panel in queues:
        panel.set_xlabel("time (s)")
    for first, quantity in ((windows[0], "window"), (queues[0], "queue")):
        first.set_ylabel(f"{quantity} (packets)")
        first.set_ylim(0, 1.45 * first.get_ylim()[1])
        first.legend(loc="upper left", fontsize="x-small")
    return figure


def _draw_measured(window: Axes, queue: Axes, result: CellResult) -> None:
    series = result.link().series
    end_s = series.time_s[-1]
    shown = series.time_s > end_s - _SHOWN_S
    packets = result.traffic[0].flows[0].window_bytes / segment_bytes(_PACKET_BYTES)
    queued = series.occupancy_bytes / _PACKET_BYTES
    for axes, values in ((window, packets), (queue, queued)):
        axes.plot(series.time_s[shown], values[shown], linewidth=0.9, label="measured")
    window.set_xlim(end_s - _SHOWN_S, end_s)


def _draw_model(window: Axes, queue: Axes, result: CellResult, buffer: float) -> None:
    """Appendix B's sawtooth, in phase with the first loss that is shown."""
    end_s = result.link().series.time_s[-1]
    epochs = loss_epochs_s(result)
    epochs = epochs[epochs > end_s - _SHOWN_S]
    if len(epochs) == 0:
        return
    times = np.arange(epochs[0], end_s, 0.1)
    windows = np.array(model.window_series(_PIPE, buffer, _RATE, list(times - epochs[0])))
    for panel, values in ((window, windows), (queue, np.maximum(windows - _PIPE, 0))):
        panel.plot(times, values, "--", color=figures.ORANGE, linewidth=0.9, label="Appendix B")
