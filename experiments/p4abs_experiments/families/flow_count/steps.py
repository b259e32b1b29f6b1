"""Steps of the load: how soon the limit is where it stays, with the number of flows and without.

Flows join after a while, all at once, and leave again. Each step is run under `abs`, and under
`abs` that does not look at the number of flows. The limit has settled when its mean over a second
stays within 10 % (or 25 %) of its mean over the second half of the phase. Where its standard
deviation there is more than a third of that, the phase cannot tell and is left out.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import NamedTuple

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.experiment.settling import (
    TOLERANCE,
    in_seconds,
    settling_time_s,
    trailing_mean,
)
from p4abs_experiments.families.flow_count.joining import Load
from p4abs_experiments.families.flow_count.over_time import Line, limits, over_time
from p4abs_experiments.network import RENO, Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.varied_law import FEED_FORWARD
from p4abs_experiments.simulation.result import LinkResult, Series

PHASE_S = 40.0
MEAN_OVER_S = 1.0
WIDE = 0.25
MAX_UP_S, MAX_DOWN_S, MAX_WIDE_S = 2.0, 5.0, 2.0
MIN_SETTLED = 11 / 12
TRANSIENT_S = 10.0
MAX_MORE_LOSS = 1.1


LOADS = (
    Load.of("20 to 60 Reno, 10 Mb/s", RENO, 10_000_000, (0.03, 0.15), 20, 60),
    Load.of("32 to 64 Reno, 20 Mb/s", RENO, 20_000_000, (0.03, 0.1), 32, 64),
    Load.of("16 to 64 Reno, 20 Mb/s", RENO, 20_000_000, (0.03, 0.1), 16, 64),
    Load.of("20 to 32 Reno, 20 Mb/s", RENO, 20_000_000, (0.02, 0.03), 20, 32),
    Load.of("4 to 8 Reno, 10 Mb/s", RENO, 10_000_000, (0.02, 0.03), 4, 8),
    Load.of("8 to 24 Reno, 30 Mb/s", RENO, 30_000_000, (0.04, 0.12), 8, 24),
    Load.of("8 to 32 Reno, 50 Mb/s", RENO, 50_000_000, (0.02, 0.08), 8, 32),
    Load.of("128 to 384 Reno, 200 Mb/s", RENO, 200_000_000, (0.02, 0.1), 128, 384),
    Load.of("16 to 64 CUBIC, 20 Mb/s", "cubic", 20_000_000, (0.03, 0.1), 16, 64),
    Load.of("64 to 128 CUBIC, 50 Mb/s", "cubic", 50_000_000, (0.02, 0.08), 64, 128),
    Load.of("16 to 32 CUBIC, 100 Mb/s", "cubic", 100_000_000, (0.02, 0.08), 16, 32),
    Load.of("16 to 32 BBR, 20 Mb/s", "bbr", 20_000_000, (0.03, 0.1), 16, 32),
    Load.of("64 to 128 BBR, 50 Mb/s", "bbr", 50_000_000, (0.02, 0.08), 64, 128),
)
LAWS = {"with the number of flows": (), "without": ((FEED_FORWARD, 0.0),)}
KNOWS, BLIND = LAWS


class Step(NamedTuple):
    """One run after one step. Times in s until the limit is within 10 % and 25 % for good; nan
    where it swings too much to tell. `loss` and `idle` are of the first ten seconds."""

    is_up: bool
    settled_s: float
    wide_s: float
    loss: float
    idle: float


@dataclass(frozen=True, kw_only=True)
class Steps(Experiment):
    name: str = "families-steps"
    title: str = "Flows that join and leave"
    claim: str = (
        "The limit is within 10 % of its new value 2 s after flows join and 5 s after flows leave. "
        "It is within 25 % after 2 s in both cases."
    )
    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [Cell(_scenario(load, law)) for load in LOADS for law in LAWS]

    def goals(self, results: Results) -> Sequence[Goal]:
        return [
            _settled(results, is_up=True, most_s=MAX_UP_S),
            _settled(results, is_up=False, most_s=MAX_DOWN_S),
            _settled_widely(results),
            _lost_no_more(results),
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        lines = {load.name: _lines(results, load) for load in LOADS}
        return {self.name: over_time(self.title, "limit (kB)", lines)}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, load) for load in LOADS]


def _scenario(load: Load, law: str) -> Scenario:
    name, sizing = f"{load.name}, {law}", load.link.sizing(variation=LAWS[law])
    return load.scenario(name, sizing, (PHASE_S, 2 * PHASE_S), 3 * PHASE_S, PHASE_S / 2)


def _lines(results: Results, load: Load) -> Mapping[str, Line]:
    return limits(results, {law: _scenario(load, law) for law in LAWS})


def _steps(results: Results, load: Load, law: str) -> Iterator[Step]:
    for run in results.measured(_scenario(load, law)):
        for number in (1, 2):
            yield _step(run.link(), load, number)


def _step(link: LinkResult, load: Load, number: int) -> Step:
    series, begin_s = link.series, number * PHASE_S
    inside = (series.time_s > begin_s) & (series.time_s <= begin_s + PHASE_S)
    time_s, limit = series.time_s[inside], series.limit_bytes[inside]
    smoothed = trailing_mean(limit, round(MEAN_OVER_S / float(series.time_s[0])))
    steady = smoothed[len(limit) // 2 :]
    settled, wide = (
        _settling_s(time_s, smoothed, steady, begin_s, tolerance) for tolerance in (TOLERANCE, WIDE)
    )
    first = time_s <= begin_s + TRANSIENT_S
    dropped = float(series.dropped_bytes[inside][first].sum())
    offered = float(series.admitted_bytes[inside][first].sum()) + dropped
    sent = 8 * float(series.departed_bytes[inside][first].sum())
    idle = 1 - sent / (load.link.capacity_bps * TRANSIENT_S)
    return Step(number == 1, settled, wide, dropped / max(offered, 1.0), idle)


def _settling_s(
    time_s: Series, limit: Series, steady: Series, begin_s: float, tolerance: float
) -> float:
    mean = float(steady.mean())
    swings = float(steady.std()) > tolerance / 3 * mean
    return math.nan if swings else settling_time_s(time_s, limit, mean, begin_s, tolerance)


def _all_steps(results: Results, law: str) -> list[Step]:
    return [step for load in LOADS for step in _steps(results, load, law)]


def _settled(results: Results, *, is_up: bool, most_s: float) -> Goal:
    found = {
        law: [
            step.settled_s
            for step in _all_steps(results, law)
            if step.is_up is is_up and not math.isnan(step.settled_s)
        ]
        for law in LAWS
    }
    in_time = {law: sum(each <= most_s for each in found[law]) for law in LAWS}
    told = {law: f"{in_time[law]} of {len(found[law])}" for law in LAWS}
    return Goal(
        Verdict.of(in_time[KNOWS] >= MIN_SETTLED * len(found[KNOWS])),
        f"{most_s:g} s after flows {'join' if is_up else 'leave'}, the limit is within 10 % of its "
        f"new value at {told[KNOWS]} steps whose limit becomes steady. The goal is 11 of 12 or "
        f"more. The median time is {in_seconds(median(found[KNOWS]))}. Without the number of "
        f"flows: {told[BLIND]} steps, {in_seconds(median(found[BLIND]))}.",
    )


def _settled_widely(results: Results) -> Goal:
    found = {
        law: [step.wide_s for step in _all_steps(results, law) if not math.isnan(step.wide_s)]
        for law in LAWS
    }
    in_time = {law: sum(each <= MAX_WIDE_S for each in found[law]) for law in LAWS}
    return Goal(
        Verdict.of(in_time[KNOWS] == len(found[KNOWS])),
        f"The limit is within 25 % after {MAX_WIDE_S:g} s at {in_time[KNOWS]} of "
        f"{len(found[KNOWS])} steps (the goal is all). Without the number of flows: "
        f"{in_time[BLIND]} of {len(found[BLIND])}.",
    )


def _lost_no_more(results: Results) -> Goal:
    ratios = {}
    for load in LOADS:
        knows, blind = (
            fmean(step.loss for step in _steps(results, load, law) if step.is_up) for law in LAWS
        )
        ratios[load.name] = knows / blind
    far = [f"{name}: {ratio:.2f}" for name, ratio in ratios.items() if ratio > MAX_MORE_LOSS]
    return Goal(
        Verdict.of(not far),
        f"In the ten seconds after flows joined, loss is {fmean(ratios.values()):.2f} times that "
        f"without the number of flows, on average. The goal is at most {MAX_MORE_LOSS:g} for each "
        f"load{'; it is more with ' + ', '.join(far) if far else ''}.",
    )


def _told(settled_s: float) -> float:
    """What cannot be told has not settled."""
    return math.inf if math.isnan(settled_s) else settled_s


def _sentence(results: Results, load: Load) -> str:
    def of(law: str, *, is_up: bool) -> str:
        steps = [step for step in _steps(results, load, law) if step.is_up is is_up]
        settled = median(_told(step.settled_s) for step in steps)
        wide = median(_told(step.wide_s) for step in steps)
        loss, idle = fmean(step.loss for step in steps), fmean(step.idle for step in steps)
        times = f"{in_seconds(settled)} (25 %: {in_seconds(wide)})"
        return f"{times}, loss {loss:.1%}, idle {max(idle, 0.0):.1%}"

    return (
        f"{load.name}, medians until the limit is within 10 %, with the number of flows and "
        f"without: up {of(KNOWS, is_up=True)}; {of(BLIND, is_up=True)}; down "
        f"{of(KNOWS, is_up=False)}; {of(BLIND, is_up=False)}."
    )
