"""Performance profiles per flow: what single flows get and lose, against the buffer.

The paper's third metric, delay, is that of the aggregate: all packets wait in one queue.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Results
from p4abs_experiments.network import CbrFlows
from p4abs_experiments.output import figures
from p4abs_experiments.papers.sla_perspective import settings, spread
from p4abs_experiments.papers.sla_perspective.settings import Setting
from p4abs_experiments.papers.sla_perspective.traffic import Load
from p4abs_experiments.simulation.result import CellResult, FlowResult

Values = npt.NDArray[np.float64]


def _goodput_kbps(flow: FlowResult) -> float:
    return flow.goodput_bps / 1e3


def _loss_percent(flow: FlowResult) -> float:
    return 100 * flow.loss


_METRICS: Mapping[str, Callable[[FlowResult], float]] = {
    "goodput of a flow (kb/s)": _goodput_kbps,
    "loss of a flow (%)": _loss_percent,
}


@dataclass(frozen=True)
class PerFlow:
    """One curve per load over the buffers: means over the flows, with their distributions.

    `name` is the figure's. `transfers`: the flows are users of many short transfers, whose
    completion is shown too.
    """

    name: str
    title: str
    transfers: bool = False

    def figures(
        self, results: Results, loads: Sequence[Load], buffers: Sequence[Setting]
    ) -> dict[str, Figure]:
        """By file name."""
        return {
            self.name: self._profiles(results, loads, buffers),
            f"{self.name}-spread": self._spread(results, loads, buffers),
        }

    def findings(
        self, results: Results, loads: Sequence[Load], buffers: Sequence[Setting]
    ) -> list[str]:
        return [self._sentence(results, load, buffers) for load in loads]

    def _sentence(self, results: Results, load: Load, buffers: Sequence[Setting]) -> str:
        goodputs = [self._flows(results, load, buffer, _goodput_kbps) for buffer in buffers]
        losses = [self._flows(results, load, buffer, _loss_percent).mean() for buffer in buffers]
        means = [flows.mean() for flows in goodputs]
        best, worst = int(np.argmax(means)), int(np.argmin(means))
        spread = float(np.median([flows.std() / flows.mean() for flows in goodputs]))
        sentence = (
            f"{load.name}: a flow gets {means[worst]:.0f} kb/s ({buffers[worst].name}) to "
            f"{means[best]:.0f} kb/s ({buffers[best].name}) on average and loses "
            f"{losses[0]:.2g} % ({buffers[0].name}) to {losses[-1]:.2g} % ({buffers[-1].name}); "
            f"single flows deviate from the mean goodput by {spread:.0%} in the median buffer"
        )
        if not self.transfers:
            return f"{sentence}."
        completions = [_completion_s(results, load, buffer) for buffer in buffers]
        return f"{sentence}; a transfer takes {min(completions):.2f} to {max(completions):.2f} s."

    def _flows(
        self,
        results: Results,
        load: Load,
        setting: Setting,
        value: Callable[[FlowResult], float],
    ) -> Values:
        """Of every TCP flow, over the random seeds of the run."""
        scenario = settings.cell(load, setting).scenario
        return np.array(
            [
                value(flow)
                for result in results.measured(scenario)
                for flow in _tcp_flows(load, result)
            ]
        )

    def _profiles(
        self, results: Results, loads: Sequence[Load], buffers: Sequence[Setting]
    ) -> Figure:
        rows = len(_METRICS) + self.transfers
        figure, panels = figures.panels(rows, title=self.title)
        buffers_ms = [1e3 * setting.buffer_s for setting in buffers]
        for axes, (metric, value) in zip(panels, _METRICS.items(), strict=False):
            for load in loads:
                means = [self._flows(results, load, setting, value).mean() for setting in buffers]
                figures.curve(axes, buffers_ms, means, load.name)
            axes.set_ylabel(metric)
        if self.transfers:
            for load in loads:
                times_s = [_completion_s(results, load, setting) for setting in buffers]
                figures.curve(panels[-1], buffers_ms, times_s, load.name)
            panels[-1].set_ylabel("mean time of a transfer (s)")
        figures.logarithmic(panels[0], y=not self.transfers)
        figures.legend(panels[0], columns=2)
        panels[-1].set_xlabel("buffer as drain time (ms); marks: the paper's settings")
        return figure

    def _spread(
        self, results: Results, loads: Sequence[Load], buffers: Sequence[Setting]
    ) -> Figure:
        figure = spread.plot(
            f"{self.title}: spread over the flows",
            list(_METRICS),
            loads,
            buffers,
            lambda load, setting: [
                self._flows(results, load, setting, value) for value in _METRICS.values()
            ],
            of="flows",
        )
        figures.logarithmic(figure.axes[0], y=False)
        return figure


def _tcp_flows(load: Load, result: CellResult) -> list[FlowResult]:
    entries = zip(load.traffic, result.traffic, strict=True)
    return [
        flow
        for entry, measurement in entries
        if not isinstance(entry, CbrFlows)
        for flow in measurement.flows
    ]


def _completion_s(results: Results, load: Load, setting: Setting) -> float:
    """Mean time of the completed transfers of all users."""

    def of(result: CellResult) -> float:
        completed = [entry for entry in result.traffic if entry.completed]
        total = sum(entry.completion_mean_s * entry.completed for entry in completed)
        return total / max(1, sum(entry.completed for entry in completed))

    return settings.mean(results, load, setting, of)
