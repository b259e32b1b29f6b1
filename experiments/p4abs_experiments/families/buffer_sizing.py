"""Spang, Arslan and McKeown, "Updating the theory of buffer sizing", 2021: both rules, by control.

One flow at 20 Mb/s and 40 ms, with Reno, CUBIC and BBR, over buffers in multiples of the pipe
(RTT times capacity): Reno needs one pipe, for newer controls 60 to 75 % less does. Then 16 and 64
flows at 100 Mb/s, buffers in multiples of pipe / sqrt(n): the square root rule holds for them,
too. ns-3's Reno halves its window without PRR. `abs` stands beside, asked for the utilization of
98 % that defines "needs" here. Fixed limits have one random seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import needed_in_words, smallest_buffer
from p4abs_experiments.families.dumbbell import UTILIZATION, Dumbbell
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import curve, label, legend, logarithmic, panels, target

ONE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.04, 0.04), n_flows=1, min_window_s=120.0)
MANY = Dumbbell(capacity_bps=100_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=40.0)
LOADS = {1: ONE, 16: MANY, 64: replace(MANY, n_flows=64)}
CONTROLS = ("newreno", "cubic", "bbr")
MULTIPLES = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5)

NO_LOSS_TARGET = 0.5


def unit_bytes(n_flows: int) -> float:
    return float(LOADS[n_flows].pipe_bytes / n_flows**0.5)


@dataclass(frozen=True, kw_only=True)
class BufferSizing(Experiment):
    name: str = "families-updating-the-theory"
    title: str = "The buffers that newer congestion controls need"
    source: str = "Spang, Arslan and McKeown 2021"
    claim: str = (
        "With newer congestion controls a single flow needs a buffer 60 to 75 % smaller than the "
        "pipe; with n flows the square root rule holds for them as for Reno."
    )

    def cells(self) -> Sequence[Cell]:
        fixed = [
            Cell(_fixed(n_flows, control, multiple))
            for n_flows in LOADS
            for control in CONTROLS
            for multiple in MULTIPLES
        ]
        return fixed + [
            Cell(_adaptive(n_flows, control)) for n_flows in LOADS for control in CONTROLS
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes_of = panels(len(LOADS), title=self.title)
        for axes, n_flows in zip(axes_of, LOADS, strict=True):
            for control in CONTROLS:
                used = [100 * each for each in _utilizations(results, n_flows, control)]
                curve(axes, MULTIPLES, used, control)
            target(axes, 100 * UTILIZATION)
            logarithmic(axes, y=False)
            label(axes, "", "utilization (%)", f"{n_flows} flow{'s' if n_flows > 1 else ''}")
            legend(axes)
        axes_of[-1].set_xlabel("buffer / (pipe / sqrt(n))")
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, n_flows, control) for n_flows in LOADS for control in CONTROLS]


def _fixed(n_flows: int, control: str, multiple: float) -> Scenario:
    load = LOADS[n_flows]
    sizing = load.fixed(multiple * unit_bytes(n_flows))
    name: str = f"{n_flows} {control}, {multiple:g} pipe/sqrt(n)"
    return load.scenario(name, sizing, load.flows(control))


def _adaptive(n_flows: int, control: str) -> Scenario:
    load = LOADS[n_flows]
    sizing = load.sizing(loss=NO_LOSS_TARGET)
    return load.scenario(f"{n_flows} {control}", sizing, load.flows(control))


def _utilizations(results: Results, n_flows: int, control: str) -> list[float]:
    return [results.utilization(_fixed(n_flows, control, multiple)) for multiple in MULTIPLES]


def _sentence(results: Results, n_flows: int, control: str) -> str:
    used = _utilizations(results, n_flows, control)
    needed = smallest_buffer(MULTIPLES, used, UTILIZATION)
    held = results.limit_bytes(_adaptive(n_flows, control))
    return (
        f"{n_flows} {control}: {100 * UTILIZATION:g} % utilization needs "
        f"{needed_in_words(needed, '.2f', 'x pipe/sqrt(n)')}; the mean limit of abs is "
        f"{held / unit_bytes(n_flows):.2f} x pipe/sqrt(n)."
    )
