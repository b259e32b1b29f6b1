"""Family *disturbances*: time in which nothing departs and that the buffer did not cause.

Four Reno flows at 20 Mb/s, 20 to 60 ms, u* = 98 %, p* = 2 %. After 120 s comes a disturbance of
0.2, 1 or 5 s, and a minute more: all sources pause, the switch is stalled with its queue
standing, or the link is down. The limit may not rise above 1.5 times its steady mean, and is back
after at most 5 sawteeth: its mean over the next five is within 10 % of the steady one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.experiment.goal import Mark, goal
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.families.returning import Return, returning
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import over_time

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=4)
KINDS = ("pause", "stall", "outage")
LENGTHS_S = (0.2, 1.0, 5.0)

STEADY_FROM_S, BEGIN_S, REST_S = 60.0, 120.0, 60.0

LARGEST_RISE = 1.5
MOST_SAWTEETH = 5


@dataclass(frozen=True, kw_only=True)
class Disturbances(Experiment):
    """Every kind of disturbance, in three lengths."""

    name: str = "families-disturbances"
    title: str = "Pauses, stalls and outages"
    source: str = "no paper: issue 10 of the project"
    claim: str = (
        "After idle time that the buffer did not cause the limit never rises above 1.5 times its "
        "steady mean, and is back within 10 % after at most 5 sawteeth."
    )

    def cells(self, size: Size) -> Sequence[Cell]:
        if size is Size.QUICK:
            return [Cell(_scenario("pause", 0.2, 0.03))]
        return [Cell(_scenario(kind, length_s)) for kind in KINDS for length_s in LENGTHS_S]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {f"{self.name}-{kind}": self._drawn(results, kind) for kind in KINDS}

    def goals(self, results: Results) -> Sequence[str]:
        return [
            goal(_is_met(returns), _sentence(sample, returns))
            for sample, returns in _returns(results)
        ]

    def marks(self, results: Results) -> Sequence[Mark]:
        return [
            Mark(
                sample.cell.scenario.name,
                "after a disturbance",
                f"up to {_highest(returns):.2f}, back after {_longest(returns):.1f} sawteeth",
                _is_met(returns),
            )
            for sample, returns in _returns(results)
        ]

    def findings(self, results: Results) -> Sequence[str]:
        return [f"A sawtooth is estimated as {BASE.sawtooth_s:.2f} s."]

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


def _scenario(kind: str, length_s: float, scale: float = 1.0) -> Scenario:
    """`scale` shortens what comes before and after."""
    begin_s = scale * BEGIN_S
    span = (begin_s, begin_s + length_s)
    paused = BASE.flows(pauses=(span,) if kind == "pause" else ())
    link = {"stall": {"stalls": (span,)}, "outage": {"outages": (span,)}}.get(kind, {})
    return BASE.scenario(
        f"{kind} of {length_s:g} s",
        Size.FULL,
        BASE.sizing(),
        paused,
        duration_s=scale * (BEGIN_S + max(LENGTHS_S) + REST_S),
        measure_from_s=scale * STEADY_FROM_S,
        **link,
    )


def _returns(results: Results) -> list[tuple[Sample, list[Return]]]:
    """How the limit came back in every run."""
    found = []
    for sample in results.samples():
        scenario = sample.cell.scenario
        link = scenario.link()
        spans = (*scenario.traffic[0].pauses, *link.stalls, *link.outages)
        found.append(
            (
                sample,
                [
                    returning(each.series, scenario.measure_from_s, spans[0], BASE.sawtooth_s)
                    for each in sample.links
                ],
            )
        )
    return found


def _highest(returns: Sequence[Return]) -> float:
    return max(each.highest for each in returns)


def _longest(returns: Sequence[Return]) -> float:
    return max(each.sawteeth for each in returns)


def _is_met(returns: Sequence[Return]) -> bool:
    return _highest(returns) <= LARGEST_RISE and _longest(returns) <= MOST_SAWTEETH


def _sentence(sample: Sample, returns: Sequence[Return]) -> str:
    longest = _longest(returns)
    back = "does not come back" if math.isinf(longest) else f"is back after {longest:.1f} sawteeth"
    return (
        f"{sample.cell.scenario.name}: the limit rises to at most {_highest(returns):.2f} times "
        f"its steady mean and {back} (the worst of {len(returns)} runs)."
    )
