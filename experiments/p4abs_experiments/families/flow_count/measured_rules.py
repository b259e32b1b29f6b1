"""Sizing rules that take the number of flows and their round-trip time as the data plane measures
them, against the same rules on the true ones.

The rule's mean limit over the window is to be within 10 % of what it asks for with the true number
of long flows and the true mean of their round-trip times, by what they send.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.families.dumbbell import FRAME_BYTES, Dumbbell
from p4abs_experiments.families.flow_count.truth import mean_rtt_s
from p4abs_experiments.network import RENO, Scenario, Traffic
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.output.figures import label, legend_below, panels
from p4abs_experiments.simulation.result import CellResult

MEASURED_FROM_S, END_S = 10.0, 30.0
CLOSE = 0.10
_WEB_LOAD = 0.5
_LONG = "long"


class Rule(NamedTuple):
    """A policy that needs some of these figures, and what else it has to be told."""

    policy: str
    figures: tuple[str, ...]
    parameters: Mapping[str, float]


_N, _R = "n_flows", "mean_rtt_s"
_PACKETS = {"packet_bytes": float(FRAME_BYTES)}
RULES = (
    Rule("bdp", (_R,), {}),
    Rule("stanford", (_N, _R), {}),
    Rule("bscl", (_N, _R), _PACKETS),
    Rule("fpq", (_N,), _PACKETS),
    Rule("fluid", (_N, _R), _PACKETS),
)


class Load(NamedTuple):
    """Long flows that hold a link, with web traffic beside them or without."""

    name: str
    congestion_control: str
    link: Dumbbell
    has_web: bool = False

    def traffic(self) -> tuple[Traffic, ...]:
        flows = self.link.flows(self.congestion_control, name=_LONG)
        return (flows, self.link.short_flows(_WEB_LOAD, name="web")) if self.has_web else (flows,)


def _link(bps: int, rtt_s: tuple[float, float], flows: int) -> Dumbbell:
    return Dumbbell(capacity_bps=bps, rtt_s=rtt_s, n_flows=flows)


LOADS = (
    Load("4 Reno, 10 Mb/s", RENO, _link(10_000_000, (0.02, 0.05), 4)),
    Load("20 Reno, 20 Mb/s", RENO, _link(20_000_000, (0.04, 0.1), 20)),
    Load("20 Reno and web, 20 Mb/s", RENO, _link(20_000_000, (0.04, 0.1), 20), has_web=True),
    Load("16 BBR, 50 Mb/s", "bbr", _link(50_000_000, (0.02, 0.08), 16)),
    Load("64 CUBIC, 50 Mb/s", "cubic", _link(50_000_000, (0.02, 0.08), 64)),
    Load("128 Reno, 50 Mb/s", RENO, _link(50_000_000, (0.02, 0.1), 128)),
)


@dataclass(frozen=True, kw_only=True)
class MeasuredRules(Experiment):
    name: str = "families-measured-rules"
    title: str = "Sizing rules on measured figures"
    claim: str = (
        "Rules that take the number of flows and their round-trip time from the data plane set "
        "limits within 10 % of those that they set with the true figures."
    )
    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [Cell(_scenario(load, rule)) for load in LOADS for rule in RULES]

    def goals(self, results: Results) -> Sequence[Goal]:
        """For each rule, over all links and random seeds."""
        return [_goal(results, rule) for rule in RULES]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, (axes,) = panels(1, title=self.title)
        for rule in RULES:
            means = [_mean_ratio(results, load, rule) for load in LOADS]
            axes.plot(means, "o", label=rule.policy)
        axes.axhline(1.0, color="black", linewidth=0.8)
        axes.set_xticks(range(len(LOADS)), [load.name.replace(", ", "\n") for load in LOADS])
        label(axes, "", "limit / limit with the true figures", "")
        legend_below(figure, axes, columns=len(RULES))
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        seen = (load for load in LOADS if all(_ratios(results, load, rule) for rule in RULES))
        return [_sentence(results, load) for load in seen]


def _scenario(load: Load, rule: Rule) -> Scenario:
    return load.link.scenario(
        f"{load.name}, {rule.policy}",
        load.link.sizing(rule.policy, parameters=rule.parameters),
        *load.traffic(),
        duration_s=END_S,
        measure_from_s=MEASURED_FROM_S,
    )


def _ratios(results: Results, load: Load, rule: Rule) -> list[float]:
    """The mean limit over the one with the true figures, by random seeds; of runs in which long
    flows sent."""
    scenario = _scenario(load, rule)
    return [
        run.link().mean_limit_bytes / true_bytes
        for run in results.measured(scenario)
        if (true_bytes := _true_limit_bytes(scenario, rule, run)) is not None
    ]


def _mean_ratio(results: Results, load: Load, rule: Rule) -> float:
    """nan where there is none."""
    return fmean(_ratios(results, load, rule) or [math.nan])


def _true_limit_bytes(scenario: Scenario, rule: Rule, run: CellResult) -> int | None:
    flows = next(traffic for traffic in run.traffic if traffic.name == _LONG).flows
    if (rtt_s := mean_rtt_s(flows)) is None:
        return None
    true = {_N: float(len(flows)), _R: rtt_s}
    link = scenario.link()
    assert link.sizing is not None
    parameters = {**rule.parameters, **{name: true[name] for name in rule.figures}}
    return fixed_limit_bytes(replace(link, sizing=replace(link.sizing, parameters=parameters)))


def _goal(results: Results, rule: Rule) -> Goal:
    ratios = {load.name: _ratios(results, load, rule) for load in LOADS}
    worst = {name: max(each, key=lambda r: abs(r - 1)) for name, each in ratios.items() if each}
    if not worst:
        return Goal(Verdict.UNDECIDED, f"{rule.policy}: no long flow has sent anything.")
    far = [f"{name} ({ratio:.2f} times)" for name, ratio in worst.items() if abs(ratio - 1) > CLOSE]
    return Goal(
        Verdict.of(not far),
        f"{rule.policy}: with measured figures, the limit should be within {100 * CLOSE:g} % of "
        f"that with the true ones in every run. {_exceptions(far)}.",
    )


def _sentence(results: Results, load: Load) -> str:
    told = (f"{rule.policy} {_mean_ratio(results, load, rule):.3f}" for rule in RULES)
    listed = ", ".join(told)
    return f"{load.name}: the limit is this multiple of that with the true figures: {listed}."


def _exceptions(far: Sequence[str]) -> str:
    return f"It is not with {', '.join(far)}" if far else "It is"
