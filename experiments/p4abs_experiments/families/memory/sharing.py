"""Four links that share one memory: a controller's limits, dynamic thresholds, and ABM.

20 Mb/s each, with 2, 8 and 32 Reno flows and 8 CUBIC flows, 20 to 60 ms; u* = 98 %, p* = 2 %. The
memory is a half, one and two times the sum of the links' pipes over sqrt(n). With limits, `abs`
sizes every link within what is free; dynamic thresholds (Choudhury and Hahne 1998) and ABM
(Addanki and others 2022) share it packet by packet.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.families.dumbbell import FRAME_BYTES, LOSS, UTILIZATION, Dumbbell
from p4abs_experiments.network import Link, P4Buffer, Scenario, SharedBuffer
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.pools import Pool, Sharing
from p4abs_experiments.output.figures import bars, legend_below, panels, target

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=8, min_window_s=120.0)
FLOWS = {
    "2 Reno": ("newreno", 2),
    "8 Reno": ("newreno", 8),
    "32 Reno": ("newreno", 32),
    "8 CUBIC": ("cubic", 8),
}
SHARINGS: tuple[Sharing, ...] = ("limits", "dynamic thresholds", "active buffer management")
MULTIPLES = (0.5, 1.0, 2.0)


def memory_bytes(multiple: float) -> int:
    """In multiples of the sum of pipe / sqrt(n)."""
    unit = sum(BASE.pipe_bytes / math.sqrt(count) for _, count in FLOWS.values())
    return max(round(multiple * unit), 4 * len(FLOWS) * FRAME_BYTES)


@dataclass(frozen=True, kw_only=True)
class SharedMemory(Experiment):
    name: str = "families-shared-memory"
    title: str = "A memory shared by four links"
    source: str = "Choudhury and Hahne 1998; Addanki and others 2022"
    claim: str = (
        "Thresholds on the free memory isolate queues from each other without knowing what they "
        "need; ABM keeps the isolation when more queues are congested."
    )

    judges_targets = False  # no buffer need meet the targets within a bound on the memory

    def cells(self) -> Sequence[Cell]:
        return [_cell(sharing, multiple) for sharing in SHARINGS for multiple in MULTIPLES]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes_of = panels(2 * len(MULTIPLES), title=self.title, panel_height_in=1.9)
        for number, multiple in enumerate(MULTIPLES):
            used, lost = axes_of[2 * number : 2 * number + 2]
            names = list(FLOWS)
            for axes, value, wanted in (
                (used, "utilization", UTILIZATION),
                (lost, "loss", LOSS),
            ):
                groups: dict[str, Sequence[float]] = {
                    sharing: [
                        100 * _mean(results, sharing, multiple, name, value) for name in names
                    ]
                    for sharing in SHARINGS
                }
                bars(axes, names, groups)
                target(axes, 100 * wanted)
                axes.set_ylabel(f"{value} (%)")
            used.set_ylim(70, 102)
            used.set_title(f"{memory_bytes(multiple) / 1e3:.0f} kB")
        legend_below(figure, axes_of[0], columns=4)
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [
            _sentence(results, sharing, multiple) for multiple in MULTIPLES for sharing in SHARINGS
        ]


def _cell(sharing: Sharing, multiple: float) -> Cell:
    adapted = sharing == "limits"
    whole = memory_bytes(multiple)
    sizing = BASE.sizing(initial_limit_bytes=whole // len(FLOWS)) if adapted else None
    buffer = P4Buffer() if adapted else SharedBuffer()
    links = tuple(Link(name, BASE.capacity_bps, sizing, buffer) for name in FLOWS)
    traffic = tuple(
        BASE.flows(control, count, path=(name,), name=name)
        for name, (control, count) in FLOWS.items()
    )
    alone: Scenario = BASE.scenario(f"{multiple:g} times, {sharing}", sizing)
    scenario = replace(
        alone,
        links=links,
        traffic=traffic,
        n_flows=sum(count for _, count in FLOWS.values()),
        pools=(Pool("memory", whole, tuple(FLOWS), sharing),),
    )
    return Cell(scenario, policy="abs" if adapted else sharing)


def _mean(results: Results, sharing: Sharing, multiple: float, link: str, value: str) -> float:
    scenario = _cell(sharing, multiple).scenario
    return results.mean(scenario, lambda result: float(getattr(result.link(link), value)))


def _sentence(results: Results, sharing: Sharing, multiple: float) -> str:
    links = ", ".join(
        f"{100 * _mean(results, sharing, multiple, name, 'utilization'):.1f} % and "
        f"{100 * _mean(results, sharing, multiple, name, 'loss'):.2f} % ({name})"
        for name in FLOWS
    )
    memory = f"{memory_bytes(multiple) / 1e3:.0f} kB"
    return f"{memory}, {sharing}: utilization and loss are {links}."
