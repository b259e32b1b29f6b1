"""Figure 4: the utilization that ADT reaches with other sampling periods and factors.

100 Mb/s, 20 and 200 users, c of 1.002, 1.01 and 1.05 and an average weight of 0.1 as printed; of
the periods from 0.1 to 1 s three are run. Round-trip times are not printed: U[10, 300] ms as in
section III.C. Limits start at pipe/sqrt(n), as 1.002 once a second needs six minutes to double;
60 s of measurement follow 60 s of start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import PACKET_BYTES, UTILIZATION
from p4abs_experiments.papers.dumbbell import Dumbbell

_LINK = Dumbbell(
    capacity_bps=100_000_000,
    rtt_s=(0.01, 0.3),
    packet_bytes=PACKET_BYTES,
    n_flows=(20, 200),
    start_s=60,
    window_s=60,
)
_PERIODS_S = (0.1, 0.3, 1.0)
_FACTORS = (1.002, 1.01, 1.05)


def _scenario(name: str, n_flows: int, policy: str, **parameters: float) -> Scenario:
    sizing = _LINK.adaptive(policy, _LINK.rule_packets(n_flows), UTILIZATION, parameters)
    users = _LINK.long_flows(n_flows, _LINK.start_s / 6)
    return _LINK.scenario(f"{n_flows} users, {name}", sizing, n_flows, users)


def _adt(n_flows: int, period_s: float, factor: float) -> Scenario:
    name = f"period {period_s:g} s, c = {factor:g}"
    return _scenario(name, n_flows, "adt", sample_period_s=period_s, step_factor=factor)


def _abs(n_flows: int) -> Scenario:
    return _scenario("defaults", n_flows, "abs")


@dataclass(frozen=True)
class Parameters(Experiment):
    name: str = "seed002-figure4"
    title: str = "Utilization for other parameters of ADT"
    source: str = "Stanojevic and Shorten 2006, Figure 4"
    claim: str = (
        "ADT holds 99 % utilization for sampling periods from 0.1 to 1 s and factors from 1.002 "
        "to 1.05, with few and with many users."
    )

    def cells(self) -> Sequence[Cell]:
        adt = [
            Cell(_adt(n_flows, period_s, factor))
            for n_flows in _LINK.n_flows
            for factor in _FACTORS
            for period_s in _PERIODS_S
        ]
        return [*adt, *(Cell(_abs(n_flows)) for n_flows in _LINK.n_flows)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes = figures.panels(
            1, len(_LINK.n_flows), title="ADT: other periods and factors", panel_height_in=3.6
        )
        for panel, n_flows in zip(axes, _LINK.n_flows, strict=True):
            panel.sharey(axes[0])
            for factor in _FACTORS:
                used = [results.utilization(_adt(n_flows, each, factor)) for each in _PERIODS_S]
                figures.curve(panel, _PERIODS_S, [100 * each for each in used], f"c = {factor:g}")
            by_abs = 100 * results.utilization(_abs(n_flows))
            panel.axhline(by_abs, color=figures.BLACK, label="abs, defaults")
            figures.target(panel, 100 * UTILIZATION, f"target {100 * UTILIZATION:g} %")
            figures.label(panel, "sampling period (s)", "", f"{n_flows} users")
        axes[0].set_ylabel("utilization (%)")
        figures.legend(axes[-1])
        return {"figure4": figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_finding(results, n_flows) for n_flows in _LINK.n_flows]


def _finding(results: Results, n_flows: int) -> str:
    used = {
        (period_s, factor): results.utilization(_adt(n_flows, period_s, factor))
        for period_s in _PERIODS_S
        for factor in _FACTORS
    }
    worst = max(used, key=lambda key: abs(used[key] - UTILIZATION))
    return (
        f"{n_flows} users, target {UTILIZATION:.0%}: with ADT, utilization is "
        f"{min(used.values()):.2%} to {max(used.values()):.2%}, depending on its parameters. A "
        f"period of {worst[0]:g} s and c = {worst[1]:g} are farthest off. With abs and its "
        f"defaults it is {results.utilization(_abs(n_flows)):.2%}."
    )
