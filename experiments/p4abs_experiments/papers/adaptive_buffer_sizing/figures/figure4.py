"""Figure 4: two of three sets of 20 flows leave and return.

60 flows at 10 Mb/s, u* = 90 %, p* = 2 %; 20 flows leave at 48 s and 20 more at 96 s, the first set
returns at 144 s, the second at 192 s. Every set has the same 20 round-trip times, spread evenly
over [30, 150] ms: 40 flows then need the same limit in both of their phases, and one static optimum
serves for both. Nothing is scaled down.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import fmean, median

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.goal import Goal as Judged
from p4abs_experiments.experiment.goal import Verdict
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.settling import (
    TOLERANCE,
    in_seconds,
    reaching_time_s,
    settling_time_s,
    trailing_mean,
)
from p4abs_experiments.network import PACKET_BYTES, Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.adaptive_buffer_sizing.drawing import runs_over_time
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import (
    BOTTLENECK,
    LATER_RTT_S,
    LAWS,
    Goal,
    Law,
    adaptive,
    bottleneck,
    law,
)
from p4abs_experiments.simulation.result import LinkResult

CAPACITY_BPS = 10_000_000
GOAL = Goal(utilization=0.90, loss=0.02)
SET_SIZE = 20
FLOWS = (60, 40, 20, 40, 60)
"""Number of flows in each phase."""
START_SPAN_S = 0.1
"""The flows of a set begin within this time: "simultaneously", but not in the same microsecond."""
SMOOTHING_S = 2.0
LONGEST_SETTLING_S = 5.0
MIN_SETTLED = Fraction(11, 12)
"""The goal: in this share of all steps, the limit settles within that time."""
_STEP_S = 48.0


@dataclass(frozen=True, slots=True)
class Phase:
    """The time between two steps of the load, and how the limit behaved in it.

    `steady_bytes` is the mean limit of its second half; `settling_s` the time until the limit,
    averaged over SMOOTHING_S, stays within 10 % of that, `reaching_s` the time until it is
    within 10 % of the static optimum for the first time (nan without an optimum).
    """

    n_flows: int
    steady_bytes: float
    oscillation: float
    utilization: float
    loss: float
    settling_s: float
    reaching_s: float
    optimum_bytes: float


def flow_set(name: str, start_s: float, stop_s: float | None) -> tuple[TcpFlows, ...]:
    """20 flows whose round-trip times are the middles of 20 equal parts of the range."""
    lowest_s, highest_s = LATER_RTT_S
    rtts_s = [
        lowest_s + (number + 0.5) / SET_SIZE * (highest_s - lowest_s) for number in range(SET_SIZE)
    ]
    return tuple(
        TcpFlows(
            count=1,
            path=(BOTTLENECK,),
            rtt_s=(rtt_s, rtt_s),
            start_s=(start_s, start_s + START_SPAN_S),
            stop_s=stop_s,
            name=name,
        )
        for rtt_s in rtts_s
    )


def scenario(law: Law) -> Scenario:
    return Scenario(
        name="load changes",
        links=(bottleneck(CAPACITY_BPS, adaptive(law, GOAL, CAPACITY_BPS)),),
        traffic=(
            *flow_set("stay", 0.0, None),
            *flow_set("first", 0.0, _STEP_S),
            *flow_set("first again", 3 * _STEP_S, None),
            *flow_set("second", 0.0, 2 * _STEP_S),
            *flow_set("second again", 4 * _STEP_S, None),
        ),
        n_flows=FLOWS[0],
        duration_s=len(FLOWS) * _STEP_S,
        measure_from_s=_STEP_S / 2,
    )


def steady_scenario(n_flows: int) -> Scenario:
    """The load of one phase for good."""
    sets = (flow_set(f"set {number}", 0.0, None) for number in range(n_flows // SET_SIZE))
    return Scenario(
        name=f"{n_flows} flows",
        links=(bottleneck(CAPACITY_BPS, adaptive(law("abs"), GOAL, CAPACITY_BPS)),),
        traffic=tuple(flow for flows in sets for flow in flows),
        n_flows=n_flows,
        duration_s=120.0,
        measure_from_s=30.0,
    )


def phases(link: LinkResult, optima: Mapping[int, float]) -> list[Phase]:
    """What happened between the steps; `optima` in bytes by number of flows."""
    series = link.series
    edges = [_STEP_S * number for number in range(len(FLOWS) + 1)]
    found = []
    for n_flows, (begin_s, end_s) in zip(FLOWS, pairwise(edges), strict=True):
        inside = (series.time_s > begin_s) & (series.time_s <= end_s)
        time_s, limit = series.time_s[inside], series.limit_bytes[inside]
        half = len(limit) // 2
        steady = float(limit[half:].mean())
        smoothed = trailing_mean(limit, round(SMOOTHING_S / float(series.time_s[0])))
        optimum = optima.get(n_flows, math.nan)
        dropped = float(series.dropped_bytes[inside][half:].sum())
        offered = float(series.admitted_bytes[inside][half:].sum()) + dropped
        sent = float(series.departed_bytes[inside][half:].sum())
        found.append(
            Phase(
                n_flows=n_flows,
                steady_bytes=steady,
                oscillation=float(np.std(limit[half:])) / steady,
                utilization=8 * sent / (link.capacity_bps * (time_s[-1] - time_s[half - 1])),
                loss=dropped / max(offered, 1.0),
                settling_s=settling_time_s(time_s, smoothed, steady, begin_s),
                reaching_s=reaching_time_s(time_s, limit, optimum, begin_s),
                optimum_bytes=optimum,
            )
        )
    return found


@dataclass(frozen=True)
class Figure4(Experiment):
    name: str = "seed000-figure4"
    title: str = "Response to load changes: 60, 40, 20, 40, 60 flows"
    source: str = "Zhang and Loguinov 2010, Figure 4"
    claim: str = (
        "The limit and the loss rate follow every change of the load quickly and with small "
        "oscillations; loss is the binding constraint throughout."
    )

    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [Cell(scenario(law(name))) for name in LAWS]

    def optima(self) -> Sequence[OptimumTask]:
        return [OptimumTask(steady_scenario(n_flows)) for n_flows in sorted(set(FLOWS))]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        optima = _optima(results)
        levels = [
            (_STEP_S * number, _STEP_S * (number + 1), optima[n_flows])
            for number, n_flows in enumerate(FLOWS)
            if n_flows in optima
        ]
        return {
            "figure4": runs_over_time(
                results,
                results.cells,
                title=self.title,
                window_s=SMOOTHING_S,
                optima_bytes=levels,
                happened={
                    _STEP_S * number: f"{n_flows} flows" for number, n_flows in enumerate(FLOWS)
                },
            )
        }

    def goals(self, results: Results) -> Sequence[Judged]:
        ours = [each for each in results.samples() if each.cell.policy_label == "abs"]
        return [_settling_goal(_steps_of(results, sample)) for sample in ours]

    def findings(self, results: Results) -> Sequence[str]:
        return [
            _sentence(sample, _steps_of(results, sample), number)
            for sample in results.samples()
            for number in range(len(FLOWS) - 1)
        ]


def _optima(results: Results) -> dict[int, float]:
    found = {n_flows: results.optimum(steady_scenario(n_flows)) for n_flows in sorted(set(FLOWS))}
    return {n_flows: each.limit_bytes for n_flows, each in found.items() if each is not None}


def _steps_of(results: Results, sample: Sample) -> list[list[Phase]]:
    """The phases that begin with a step of the load, in every run."""
    optima = _optima(results)
    return [phases(link, optima)[1:] for link in sample.links]


def _settling_goal(runs: Sequence[Sequence[Phase]]) -> Judged:
    steps = [phase for run in runs for phase in run]
    in_time = _in_time(runs)
    median_s = median(phase.settling_s for phase in steps)
    late_s = sorted(phase.settling_s for phase in steps if phase.settling_s > LONGEST_SETTLING_S)
    sentence = (
        f"At {in_time} of {len(steps)} steps of the load, the limit of abs (mean over "
        f"{SMOOTHING_S:.0f} s) stays within {100 * TOLERANCE:.0f} % of its new steady value after "
        f"at most {LONGEST_SETTLING_S:.0f} s. The goal is {MIN_SETTLED.numerator} of "
        f"{MIN_SETTLED.denominator} steps or more. The median is {in_seconds(median_s)}"
    )
    late = ", ".join(map(in_seconds, late_s))
    met = in_time >= MIN_SETTLED * len(steps)
    return Judged(
        Verdict.of(met), f"{sentence}; the other steps: {late}." if late else f"{sentence}."
    )


def _in_time(runs: Sequence[Sequence[Phase]]) -> int:
    """At how many steps of all runs the limit settled in time."""
    return sum(phase.settling_s <= LONGEST_SETTLING_S for run in runs for phase in run)


def _sentence(sample: Sample, runs: Sequence[Sequence[Phase]], number: int) -> str:
    """One step of one policy, over the random seeds."""
    found = [run[number] for run in runs]
    settled_s = [each.settling_s for each in found]
    reached_s = [each.reaching_s for each in found]
    optimum_bytes = found[0].optimum_bytes
    optimum = (
        ""
        if math.isnan(optimum_bytes)
        else f" (optimum {optimum_bytes / PACKET_BYTES:.0f}, near it after {_range(reached_s)})"
    )
    return (
        f"{sample.cell.policy_label}, from {FLOWS[number]} to {FLOWS[number + 1]} flows: "
        f"{fmean(each.steady_bytes for each in found) / PACKET_BYTES:.0f} packets{optimum}, "
        f"settled after {_range(settled_s)}; then the limit's standard deviation is "
        f"{100 * fmean(each.oscillation for each in found):.0f} % of its mean and loss "
        f"{100 * fmean(each.loss for each in found):.2f} %."
    )


def _range(times_s: Sequence[float]) -> str:
    """The least and the greatest of several times."""
    minimum, maximum = in_seconds(min(times_s)), in_seconds(max(times_s))
    if minimum == maximum:
        return minimum
    return f"{minimum} {'or' if math.isinf(max(times_s)) else 'to'} {maximum}"
