"""Figure 4: the utilization that ADT reaches with other sampling periods and factors.

100 Mb/s, 20 and 200 users, c of 1.002, 1.01 and 1.05 and an average weight of 0.1 as printed; of
the periods from 0.1 to 1 s three are run. Round-trip times are not printed: U[10, 300] ms as in
section III.C. Limits start at pipe/sqrt(n), as 1.002 once a second needs six minutes to double;
60 s of measurement follow 60 s of start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.network import Range, Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import PACKET_BYTES, UTILIZATION
from p4abs_experiments.papers.dumbbell import Dumbbell
from p4abs_experiments.papers.packet_sizing import adaptive, square_root_rule

_RTT_S = (0.01, 0.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan(Dumbbell):
    rtt_s: Range = _RTT_S
    packet_bytes: int = PACKET_BYTES
    periods_s: tuple[float, ...]
    factors: tuple[float, ...]


_PLANS = {
    Size.QUICK: _Plan(
        capacity_bps=10_000_000,
        n_flows=(4,),
        periods_s=(0.3,),
        factors=(1.01, 1.05),
        start_s=4,
        window_s=8,
    ),
    Size.FULL: _Plan(
        capacity_bps=100_000_000,
        n_flows=(20, 200),
        periods_s=(0.1, 0.3, 1.0),
        factors=(1.002, 1.01, 1.05),
        start_s=60,
        window_s=60,
    ),
}


def _scenario(plan: _Plan, name: str, n_flows: int, policy: str, **parameters: float) -> Scenario:
    first_packets = square_root_rule(plan.pipe_packets, n_flows)
    sizing = adaptive(policy, first_packets, PACKET_BYTES, UTILIZATION, parameters)
    users = plan.long_flows(n_flows, plan.start_s / 6)
    return plan.scenario(f"{n_flows} users, {name}", sizing, n_flows, users)


def _adt(plan: _Plan, n_flows: int, period_s: float, factor: float) -> Scenario:
    return _scenario(
        plan,
        f"period {period_s:g} s, c = {factor:g}",
        n_flows,
        "adt",
        sample_period_s=period_s,
        step_factor=factor,
    )


def _abs(plan: _Plan, n_flows: int) -> Scenario:
    return _scenario(plan, "defaults", n_flows, "abs")


@dataclass(frozen=True)
class Parameters(Experiment):
    name: str = "seed002-figure4"
    title: str = "Utilization for other parameters of ADT"
    source: str = "Stanojevic and Shorten 2006, Figure 4"
    claim: str = (
        "ADT holds 99 % utilization for sampling periods from 0.1 to 1 s and factors from 1.002 "
        "to 1.05, with few and with many users."
    )

    def cells(self, size: Size) -> Sequence[Cell]:
        plan = _PLANS[size]
        adt = [
            Cell(_adt(plan, n_flows, period_s, factor))
            for n_flows in plan.n_flows
            for factor in plan.factors
            for period_s in plan.periods_s
        ]
        return [*adt, *(Cell(_abs(plan, n_flows)) for n_flows in plan.n_flows)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        plan = _PLANS[results.size]
        adt = {
            n_flows: {
                factor: [
                    _utilization(results, _adt(plan, n_flows, period_s, factor))
                    for period_s in plan.periods_s
                ]
                for factor in plan.factors
            }
            for n_flows in plan.n_flows
        }
        adaptive_ones = {n: _utilization(results, _abs(plan, n)) for n in plan.n_flows}
        return {"figure4": plot(plan.periods_s, adt, adaptive_ones, UTILIZATION)}

    def findings(self, results: Results) -> Sequence[str]:
        plan = _PLANS[results.size]
        return [self._finding(results, plan, n_flows) for n_flows in plan.n_flows]

    def _finding(self, results: Results, plan: _Plan, n_flows: int) -> str:
        used = {
            (period_s, factor): _utilization(results, _adt(plan, n_flows, period_s, factor))
            for period_s in plan.periods_s
            for factor in plan.factors
        }
        worst = max(used, key=lambda key: abs(used[key] - UTILIZATION))
        return (
            f"{n_flows} users: ADT uses {min(used.values()):.2%} to {max(used.values()):.2%} for "
            f"{UTILIZATION:.0%} asked; farthest off is {used[worst]:.2%} with a period of "
            f"{worst[0]:g} s and c = {worst[1]:g}. abs with its defaults: "
            f"{_utilization(results, _abs(plan, n_flows)):.2%}."
        )


def _utilization(results: Results, scenario: Scenario) -> float:
    return results.mean(scenario, lambda result: result.link().utilization)


def plot(
    periods_s: Sequence[float],
    adt: Mapping[int, Mapping[float, Sequence[float]]],
    adaptive: Mapping[int, float],
    utilization: float,
) -> Figure:
    """`adt`: users, factor, utilization per period; `adaptive`: users, utilization of abs."""
    figure, axes = figures.panels(
        1, len(adt), title="ADT: other periods and factors", panel_height_in=3.6
    )
    for panel, (n_flows, factors) in zip(axes, adt.items(), strict=True):
        panel.sharey(axes[0])
        for factor, used in factors.items():
            figures.curve(panel, periods_s, [100 * each for each in used], f"c = {factor:g}")
        panel.axhline(100 * adaptive[n_flows], color=figures.BLACK, label="abs, defaults")
        figures.target(panel, 100 * utilization, f"target {100 * utilization:g} %")
        figures.label(panel, "sampling period (s)", "", f"{n_flows} users")
    axes[0].set_ylabel("utilization (%)")
    figures.legend(axes[-1])
    return figure
