"""CoDel and PIE beside `abs`, at equal utilization.

16 flows of Reno and of CUBIC at 20 Mb/s, 20 to 60 ms. CoDel and PIE run with targets from 1 to 40
ms; where their utilization reaches 98 % is interpolated, and so are the delay and the loss there.
`abs` is asked for 98 %. Queue discs have one random seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import smallest_buffer
from p4abs_experiments.families.dumbbell import UTILIZATION, Dumbbell
from p4abs_experiments.network import QueueDisc, Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import TARGET_COLOUR, curve, label, legend, panels
from p4abs_experiments.simulation.result import LinkResult

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=120.0)
CONTROLS = ("newreno", "cubic")
DISCS = {"CoDel": ("CoDelQueueDisc", "Target"), "PIE": ("PieQueueDisc", "QueueDelayReference")}
TARGETS_MS = (1, 2, 5, 10, 20, 40)
NO_LOSS_TARGET = 0.5

_MEMORY_BYTES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class QueueManagement(Experiment):
    name: str = "families-queue-management"
    title: str = "CoDel and PIE at equal utilization"
    source: str = "Nichols and Jacobson 2012; Pan and others 2013"
    claim: str = "Queue management has a target for delay, but none for utilization."

    def cells(self) -> Sequence[Cell]:
        managed = [
            _managed(control, disc, target_ms)
            for control in CONTROLS
            for disc in DISCS
            for target_ms in TARGETS_MS
        ]
        return managed + [Cell(_adapted(control)) for control in CONTROLS]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes_of = panels(len(CONTROLS), title=self.title)
        for axes, control in zip(axes_of, CONTROLS, strict=True):
            for disc in DISCS:
                links = _links(results, control, disc)
                used = [100 * link.utilization for link in links]
                curve(axes, used, [1e3 * link.queue_delay_mean_s for link in links], disc)
            held = results.sample(_adapted(control)).links
            curve(
                axes,
                [100 * link.utilization for link in held],
                [1e3 * link.queue_delay_mean_s for link in held],
                "abs",
            )
            label(axes, "utilization (%)", "mean queueing delay (ms)", control)
            axes.axvline(100 * UTILIZATION, color=TARGET_COLOUR, linestyle="--", linewidth=1.2)
            legend(axes)
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, control) for control in CONTROLS]


def _managed(control: str, disc: str, target_ms: int) -> Cell:
    type_id, attribute = DISCS[disc]
    buffer = QueueDisc(type_id, {attribute: f"{target_ms}ms", "MaxSize": f"{_MEMORY_BYTES}B"})
    scenario = BASE.scenario(f"{control}, {target_ms} ms", None, BASE.flows(control), buffer=buffer)
    return Cell(scenario, policy=disc)


def _adapted(control: str) -> Scenario:
    sizing = BASE.sizing(loss=NO_LOSS_TARGET)
    return BASE.scenario(control, sizing, BASE.flows(control))


def _links(results: Results, control: str, disc: str) -> list[LinkResult]:
    return [results[_managed(control, disc, target_ms)].link() for target_ms in TARGETS_MS]


def _sentence(results: Results, control: str) -> str:
    held = results.sample(_adapted(control)).links
    delays_ms = [1e3 * link.queue_delay_mean_s for link in held]
    losses = [100 * link.loss for link in held]
    parts = [f"abs {np.mean(delays_ms):.1f} ms and {np.mean(losses):.2f} %"]
    for disc in DISCS:
        links = _links(results, control, disc)
        target_ms = smallest_buffer(TARGETS_MS, [link.utilization for link in links], UTILIZATION)
        if np.isnan(target_ms):
            parts.append(f"{disc} with no target up to {TARGETS_MS[-1]} ms")
            continue
        delay_ms = 1e3 * np.interp(
            target_ms, TARGETS_MS, [link.queue_delay_mean_s for link in links]
        )
        loss = 100 * np.interp(target_ms, TARGETS_MS, [link.loss for link in links])
        parts.append(f"{disc} {delay_ms:.1f} ms and {loss:.2f} % (its target: {target_ms:.1f} ms)")
    return (
        f"{control}, mean queueing delay and loss at {100 * UTILIZATION:g} % utilization: "
        f"{'; '.join(parts)}."
    )
