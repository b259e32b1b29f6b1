"""Performance profiles of the aggregate: throughput, delay and loss against the buffer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.sla_perspective import scale, settings, spread
from p4abs_experiments.papers.sla_perspective.per_flow import PerFlow
from p4abs_experiments.papers.sla_perspective.settings import Setting
from p4abs_experiments.papers.sla_perspective.traffic import Load
from p4abs_experiments.simulation.result import CellResult, Series


def throughput_mbps(result: CellResult) -> float:
    return result.link().utilization * scale.CAPACITY_BPS / 1e6


def delay_ms(result: CellResult) -> float:
    """Mean queueing delay of admitted packets."""
    return 1e3 * result.link().queue_delay_mean_s


def loss_percent(result: CellResult) -> float:
    return 100 * result.link().loss


_METRICS: Mapping[str, Callable[[CellResult], float]] = {
    "throughput (Mb/s)": throughput_mbps,
    "mean queueing delay (ms)": delay_ms,
    "loss (%)": loss_percent,
}


@dataclass(frozen=True, kw_only=True)
class AggregateProfile(Experiment):
    """One curve per load over the `buffers`. `beside` are simulated for comparison only. `per_flow`
    shows the flows of the same runs."""

    loads: tuple[Load, ...]
    buffers: tuple[Setting, ...]
    beside: tuple[Setting, ...] = ()
    per_flow: PerFlow | None = None

    def cells(self) -> Sequence[Cell]:
        return [
            settings.cell(load, setting)
            for load in self.loads
            for setting in (*self.buffers, *self.beside)
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        drawn = {
            self.short_name: self._profiles(results),
            f"{self.short_name}-spread": self._spread(results),
        }
        if self.per_flow is not None:
            drawn |= self.per_flow.figures(results, self.loads, self.buffers)
        return drawn

    def findings(self, results: Results) -> Sequence[str]:
        sentences = [
            self._throughput(results),
            self._range(results, "Mean queueing delay", delay_ms, "ms"),
            self._range(results, "Loss", loss_percent, "%"),
            self._steadiness(results),
        ]
        if self.buffers is settings.DROP_TAIL:
            sentences.append(self._single_packet(results))
        for setting in self.beside:
            sentences += [self._compared(results, load, setting) for load in self.loads]
        if self.per_flow is not None:
            sentences += self.per_flow.findings(results, self.loads, self.buffers)
        return sentences

    def _table(
        self, results: Results, value: Callable[[CellResult], float]
    ) -> dict[Load, list[float]]:
        return {
            load: [settings.mean(results, load, setting, value) for setting in self.buffers]
            for load in self.loads
        }

    # --- drawings ----------------------------------------------------------------------------

    def _profiles(self, results: Results) -> Figure:
        figure, panels = figures.panels(len(_METRICS), title=self.title)
        buffers_ms = [1e3 * setting.buffer_s for setting in self.buffers]
        for axes, (metric, value) in zip(panels, _METRICS.items(), strict=True):
            for load, values in self._table(results, value).items():
                figures.curve(axes, buffers_ms, values, load.name)
            figures.logarithmic(axes, y=False)
            axes.set_ylabel(metric)
        panels[0].set_ylim(0, 1.05 * scale.CAPACITY_BPS / 1e6)
        figures.target(panels[0], scale.CAPACITY_BPS / 1e6, "capacity")
        figures.legend(panels[0], columns=2)
        panels[-1].set_xlabel("buffer as drain time (ms); marks: the paper's settings")
        return figure

    def _spread(self, results: Results) -> Figure:
        """The bottom row of the paper's figures: distributions over time."""
        return spread.plot(
            f"{self.title}: spread over time",
            [metric.replace("mean ", "") for metric in _METRICS],
            self.loads,
            self.buffers,
            lambda load, setting: _samples(self._first(results, load, setting)),
            of="seconds",
        )

    def _first(self, results: Results, load: Load, setting: Setting) -> CellResult:
        scenario = settings.cell(load, setting).scenario
        return next(results[cell] for cell in results.cells if cell.scenario == scenario)

    # --- findings ----------------------------------------------------------------------------

    def _throughput(self, results: Results) -> str:
        values = self._table(results, throughput_mbps)
        parts = []
        for first, buffer in enumerate(self.buffers[:-1]):
            spread = [(max(row[first:]) - min(row[first:])) / max(row) for row in values.values()]
            varies = f"{min(spread):.1%} to {max(spread):.1%}"
            if first:
                parts.append(f"from {buffer.name} on by {varies}")
            else:
                parts.append(
                    f"If the buffer grows from {buffer.name} to the largest, throughput varies by "
                    f"{varies}, depending on the load"
                )
        reason = (
            f". Here it is not with the smallest buffers: at 1/{scale.SCALE} of the rate they hold "
            "less than one flow's burst"
            if self.buffers[0] in settings.DROP_TAIL
            else ""
        )
        varies = "; ".join(parts) or "There is one buffer only"
        return f"{varies}. The paper calls throughput insensitive to the buffer{reason}."

    def _range(
        self, results: Results, what: str, value: Callable[[CellResult], float], unit: str
    ) -> str:
        table = self._table(results, value)
        parts = [
            f"{load.name}: {row[0]:.3g} to {row[-1]:.3g} {unit}" for load, row in table.items()
        ]
        return f"{what} from {self.buffers[0].name} to {self.buffers[-1].name}: {'; '.join(parts)}."

    def _steadiness(self, results: Results) -> str:
        deviations = [
            float(np.std(_samples(self._first(results, load, setting))[0]))
            for load in self.loads
            for setting in self.buffers
        ]
        share = np.array(deviations) / (scale.CAPACITY_BPS / 1e6)
        return (
            f"Throughput of single seconds deviates from its mean by {np.median(share):.1%} of "
            f"the capacity in the median combination and by {share.max():.1%} at most."
        )

    def _single_packet(self, results: Results) -> str:
        table = self._table(results, loss_percent)
        lower = [load.name for load, row in table.items() if row[0] < max(row[1:3])]
        return (
            "The paper sees less loss with a buffer of 1 packet than with 39 and 156 and suspects "
            "lost acknowledgments. Here acknowledgments are never lost, and a buffer of 1 packet "
            f"loses less at {', '.join(lower) if lower else 'no load'}."
        )

    def _compared(self, results: Results, load: Load, beside: Setting) -> str:
        nearest = min(self.buffers, key=lambda s: abs(s.buffer_s - beside.buffer_s))
        figures = [
            f"{settings.mean(results, load, nearest, value):.3g} against "
            f"{settings.mean(results, load, beside, value):.3g} {unit}"
            for value, unit in ((throughput_mbps, "Mb/s"), (delay_ms, "ms"), (loss_percent, "%"))
        ]
        return f"{load.name}, {nearest.name} against {beside.name}: {', '.join(figures)}."


def _samples(result: CellResult) -> tuple[Series, Series, Series]:
    """Throughput in Mb/s, queueing delay in ms and loss in percent of every measured second."""
    series = result.link().series
    per_second = round(1 / series.time_s[0])
    seconds = round(result.window_s)

    def sums(values: Series) -> Series:
        chosen = values[-seconds * per_second :].reshape(seconds, per_second)
        return np.asarray(chosen.sum(axis=1))

    dropped = sums(series.dropped_bytes)
    offered = sums(series.admitted_bytes) + dropped
    queue = sums(series.occupancy_bytes) / per_second
    return (
        8e-6 * sums(series.departed_bytes),
        1e3 * scale.seconds(1) * queue,
        100 * dropped / np.maximum(offered, 1),
    )
