"""Family *disturbances*: time in which nothing departs and that the buffer did not cause.

Four Reno flows at 20 Mb/s, 20 to 60 ms, u* = 98 %, p* = 2 %. After 120 s comes a disturbance of
0.2, 1 or 5 s, and a minute more: all sources pause, the switch is stalled with its queue
standing, or the link is down. The limit may not rise above 1.5 times its steady mean in any run,
and is back after at most 5 sawteeth: its mean over the next five is within 10 % of the steady one.
A limit swings without a disturbance, too, so the time until it is back is a mean of many runs, and
the same is measured where nothing happens.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import Estimate, estimate, in_words
from p4abs_experiments.experiment.goal import Goal, Verdict, at_most, together
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.seeds import MANY_SEEDS
from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.network import Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.times import Span
from p4abs_experiments.output.figures import over_time
from p4abs_experiments.simulation.result import LinkSeries

TOLERANCE = 0.10
"""Of the steady mean: what counts as back."""

LOOK_AHEAD = 5
"""The limit is back when its mean over as many sawteeth is: a single one is noise."""

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=4)
KINDS = ("pause", "stall", "outage")
UNDISTURBED = "nothing happens"
LENGTHS_S = (0.2, 1.0, 5.0)
STEADY_FROM_S, BEGIN_S, REST_S = 60.0, 120.0, 60.0
LARGEST_RISE = 1.5
MAX_SAWTEETH = 5


@dataclass(frozen=True, slots=True)
class Return:
    """`highest`: the greatest limit after the disturbance began, over the steady mean before it.
    `sawteeth`: how many after its end the limit is back; infinite where it never is."""

    highest: float
    sawteeth: float


def returning(series: LinkSeries, steady_from_s: float, span: Span, sawtooth_s: float) -> Return:
    """Of one run with a disturbance in `span`, steady from `steady_from_s` until it begins."""
    time_s, limit = series.time_s, series.limit_bytes
    begin_s, end_s = span
    steady = float(limit[(time_s > steady_from_s) & (time_s <= begin_s)].mean())
    highest = float(limit[time_s > begin_s].max()) / steady
    samples = max(1, round(sawtooth_s / float(time_s[0])))
    after = limit[time_s > end_s]
    sums = np.concatenate(([0.0], np.cumsum(after)))
    ahead = LOOK_AHEAD * samples
    means = (sums[ahead:] - sums[:-ahead]) / ahead if len(after) >= ahead else np.empty(0)
    inside = np.flatnonzero(np.abs(means / steady - 1) <= TOLERANCE)
    return Return(highest, float(inside[0]) / samples if inside.size else math.inf)


@dataclass(frozen=True, kw_only=True)
class Disturbances(Experiment):
    name: str = "families-disturbances"
    title: str = "Pauses, stalls and outages"
    claim: str = (
        "After idle time that the buffer did not cause, the limit never rises above 1.5 times its "
        "steady mean, and is back within 10 % after at most 5 sawteeth."
    )
    judges_targets = False
    seeds: tuple[int, ...] = MANY_SEEDS

    def cells(self) -> Sequence[Cell]:
        disturbed = [_disturbed(kind, length_s) for kind in KINDS for length_s in LENGTHS_S]
        return [Cell(each) for each in (*disturbed, _scenario(UNDISTURBED, 1.0))]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {f"{self.name}-{kind}": self._drawn(results, kind) for kind in KINDS}

    def goals(self, results: Results) -> Sequence[Goal]:
        return [
            Goal(
                _verdict(returns), f"{sample.cell.scenario.name.capitalize()}: {_in_words(returns)}"
            )
            for sample, returns in _returns(results)
            if not _is_undisturbed(sample)
        ]

    def findings(self, results: Results) -> Sequence[str]:
        return [
            f"A sawtooth is estimated as {BASE.sawtooth_s:.2f} s.",
            *(
                f"Where {UNDISTURBED}, from the same time on {_in_words(returns)}"
                for sample, returns in _returns(results)
                if _is_undisturbed(sample)
            ),
        ]

    def _drawn(self, results: Results, kind: str) -> Figure:
        samples = [each for each in results.samples() if each.cell.scenario.name.startswith(kind)]
        sizing = BASE.sizing()
        return over_time(
            {each.cell.scenario.name: each.first for each in samples},
            title=f"A {kind} of 0.2, 1 and 5 s",
            capacity_bps=BASE.capacity_bps,
            packet_bytes=BASE.packet_bytes,
            utilization=sizing.utilization,
            loss=sizing.loss,
            happened={BEGIN_S: kind},
        )


def _disturbed(kind: str, length_s: float, scale: float = 1.0) -> Scenario:
    """`scale` shortens what comes before and after."""
    begin_s = scale * BEGIN_S
    span = (begin_s, begin_s + length_s)
    name = f"{kind} of {length_s:g} s"
    if kind == "pause":
        return _scenario(name, scale, BASE.flows(pauses=(span,)))
    return _scenario(name, scale, **{f"{kind}s": (span,)})


def _scenario(name: str, scale: float, *traffic: TcpFlows, **link: Sequence[Span]) -> Scenario:
    return BASE.scenario(
        name,
        BASE.sizing(),
        *traffic,
        duration_s=scale * (BEGIN_S + max(LENGTHS_S) + REST_S),
        measure_from_s=scale * STEADY_FROM_S,
        **link,
    )


def _is_undisturbed(sample: Sample) -> bool:
    return sample.cell.scenario.name == UNDISTURBED


def _span(scenario: Scenario) -> Span:
    """Of the disturbance; where there is none it would begin at the usual time."""
    link = scenario.link()
    return (*scenario.traffic[0].pauses, *link.stalls, *link.outages, (BEGIN_S, BEGIN_S))[0]


def _returns(results: Results) -> list[tuple[Sample, list[Return]]]:
    """How the limit came back in every run."""
    found = []
    for sample in results.samples():
        scenario = sample.cell.scenario
        span, steady_from_s = _span(scenario), scenario.measure_from_s
        runs = [
            returning(each.series, steady_from_s, span, BASE.sawtooth_s) for each in sample.links
        ]
        found.append((sample, runs))
    return found


def _highest(returns: Sequence[Return]) -> float:
    return max(each.highest for each in returns)


def _sawteeth(returns: Sequence[Return]) -> Estimate:
    """Until the limit is back; infinitely many where one run's never is."""
    sawteeth = [each.sawteeth for each in returns]
    return Estimate(math.inf) if math.inf in sawteeth else estimate(sawteeth)


def _verdict(returns: Sequence[Return]) -> Verdict:
    rise = Verdict.of(_highest(returns) <= LARGEST_RISE)
    return together((rise, at_most(_sawteeth(returns), MAX_SAWTEETH)))


def _in_words(returns: Sequence[Return]) -> str:
    longest = max(each.sawteeth for each in returns)
    return (
        f"the limit rises to at most {_highest(returns):.2f} times its steady mean and is back "
        f"after {in_words(_sawteeth(returns), '.1f')} sawteeth (mean of {len(returns)} runs; at "
        f"most {longest:.1f})."
    )
