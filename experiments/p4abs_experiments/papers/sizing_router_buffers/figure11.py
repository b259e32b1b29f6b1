"""Figure 11: the smallest buffer for 98, 99.5 and 99.9 % utilization against the number of flows.

An OC3 line (155 Mb/s) and 80 ms mean round-trip time as in the paper; it prints neither the spread
(U[50, 110] ms here) nor which of its two packet sizes was used: 1000 bytes keep the mean window
of 500 flows at 3, where the paper asks for more than 2. The paper simulated minutes; windows here
are 20 s after 10 s of start, about 250 round trips. Every buffer is a multiple of
2 T_p C / sqrt(n); the smallest sufficient one is interpolated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import needed_in_words, smallest_buffer, with_optimum
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network import Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.dumbbell import Dumbbell
from p4abs_experiments.papers.sizing_router_buffers.models.gaussian import buffer_for_utilization

TARGETS = (0.98, 0.995, 0.999)
ABS_TARGETS = (0.98, 0.995)
_PACKET_BYTES = 1000
_LINK = Dumbbell(
    capacity_bps=155_000_000,
    rtt_s=(0.05, 0.11),
    packet_bytes=_PACKET_BYTES,
    n_flows=(50, 100, 200, 300, 500),
    start_s=10,
    window_s=20,
)
_MULTIPLES = (0.5, 0.75, 1, 1.5, 2, 3, 5)
_ADAPTED = [(n_flows, target) for n_flows in _LINK.n_flows for target in ABS_TARGETS]


def _scenario(name: str, n_flows: int, sizing: Sizing) -> Scenario:
    flows = _LINK.long_flows(n_flows, _LINK.start_s / 4)
    return _LINK.scenario(f"{n_flows} flows, {name}", sizing, n_flows, flows)


def _fixed(n_flows: int, multiple: float) -> Scenario:
    sizing = _LINK.fixed(multiple * _LINK.rule_packets(n_flows))
    return _scenario(f"{multiple:g} x pipe/sqrt(n)", n_flows, sizing)


def _adaptive(n_flows: int, utilization: float) -> Scenario:
    sizing = _LINK.adaptive("abs", _LINK.pipe_packets / 10, utilization)
    return _scenario(f"target {utilization:.1%}", n_flows, sizing)


@dataclass(frozen=True)
class LongFlows(Experiment):
    name: str = "seed001-figure11"
    title: str = "Smallest buffer for a utilization, against the number of long flows"
    source: str = "Appenzeller, Keslassy, McKeown 2004, Figure 11, equation (6)"
    claim: str = (
        "From about 250 flows on, 2 T_p C / sqrt(n) suffices for 98 % utilization and twice that "
        "for 99.9 %; fewer flows are partly synchronized and need more."
    )

    def cells(self) -> Sequence[Cell]:
        fixed = [
            Cell(_fixed(n_flows, multiple), policy="stanford" if multiple == 1 else "")
            for n_flows in _LINK.n_flows
            for multiple in _MULTIPLES
        ]
        return [*fixed, *(Cell(_adaptive(*each)) for each in _ADAPTED)]

    def rows(self, results: Results) -> Sequence[Row]:
        """The static optimum of an `abs` row is read from the grid."""
        optima = {
            _adaptive(*each).name: _needed_packets(results, *each) * _PACKET_BYTES
            for each in _ADAPTED
        }
        return [with_optimum(row, optima.get(row.scenario)) for row in super().rows(results)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"figure11": _drawn(results)}

    def findings(self, results: Results) -> Sequence[str]:
        needed = [_needed_finding(results, n_flows) for n_flows in _LINK.n_flows]
        return [*needed, _adaptive_finding(results)]


def _held_packets(results: Results, n_flows: int, target: float) -> float:
    """By `abs`."""
    limit_bytes = results.limit_bytes(_adaptive(n_flows, target))
    return limit_bytes / _PACKET_BYTES


def _needed_packets(results: Results, n_flows: int, target: float) -> float:
    buffers = [multiple * _LINK.rule_packets(n_flows) for multiple in _MULTIPLES]
    used = [results.utilization(_fixed(n_flows, multiple)) for multiple in _MULTIPLES]
    return smallest_buffer(buffers, used, target)


def _needed_finding(results: Results, n_flows: int) -> str:
    rule = _LINK.rule_packets(n_flows)

    def multiple(target: float) -> str:
        needed = _needed_packets(results, n_flows, target) / rule
        model = buffer_for_utilization(_LINK.pipe_packets, n_flows, target) / rule
        return f"{target:.1%}: {needed_in_words(needed, '.2f')} (equation 6: {model:.2f})"

    return (
        f"{n_flows} flows need this multiple of pipe/sqrt(n) ({rule:.0f} packets) for a "
        "utilization of " + ", ".join(multiple(target) for target in TARGETS) + "."
    )


def _adaptive_finding(results: Results) -> str:
    def held(n_flows: int, target: float) -> str:
        used = results.utilization(_adaptive(n_flows, target))
        optimum = needed_in_words(_needed_packets(results, n_flows, target), ".0f")
        limit = _held_packets(results, n_flows, target)
        return f"n = {n_flows}: {limit:.0f} packets, {used:.2%} (needed: {optimum})"

    return (
        "abs without a loss target "
        + "; ".join(
            f"for {target:.1%} holds "
            + ", ".join(held(n_flows, target) for n_flows in _LINK.n_flows)
            for target in ABS_TARGETS
        )
        + "."
    )


def _drawn(results: Results) -> Figure:
    """One panel per utilization."""
    figure, axes = figures.panels(
        1,
        len(TARGETS),
        title="Smallest buffer against the number of long flows (155 Mb/s, RTT 80 ms)",
        panel_height_in=3.8,
    )
    n_flows, pipe = _LINK.n_flows, _LINK.pipe_packets
    flows = np.geomspace(min(n_flows), max(n_flows), 40)
    for panel, target in zip(axes, TARGETS, strict=True):
        panel.sharey(axes[0])
        figures.curve(
            panel, n_flows, list(map(_LINK.rule_packets, n_flows)), "stanford pipe/sqrt(n)"
        )
        equation = [buffer_for_utilization(pipe, round(n), target) for n in flows]
        figures.model(panel, flows, equation, "equation (6)")
        needed = [_needed_packets(results, n, target) for n in n_flows]
        figures.curve(panel, n_flows, needed, "optimum (smallest fixed)")
        if target in ABS_TARGETS:
            held = [_held_packets(results, n, target) for n in n_flows]
            figures.curve(panel, n_flows, held, "abs")
        figures.logarithmic(panel)
        figures.label(panel, "long flows", "", f"{100 * target:g} % utilization")
        figures.legend(panel)
    axes[0].set_ylabel("buffer (packets of 1000 B)")
    return figure
