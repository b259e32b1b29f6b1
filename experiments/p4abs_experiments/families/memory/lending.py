"""32 links that share one memory, of which few are busy and take turns.

10 Mb/s each, 8 Reno flows on a busy one, 20 ms; u* = 98 %, p* = 2 %. 1, 4 or 16 links have traffic
all the time, or two groups of so many by turns, for 10 s each with new connections; the other links
have none. The memory suffices: it is four times what a group needs, and much less than what all 32
links begin with. The same links without a shared memory are what they are compared with.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
from matplotlib.figure import Figure
from p4abs.columns import Flags

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import Estimate, estimate, in_words
from p4abs_experiments.experiment.goal import (
    TOLERANCE,
    Goal,
    Verdict,
    close_to_one,
    together,
)
from p4abs_experiments.families.dumbbell import LOSS, Dumbbell
from p4abs_experiments.network import Link, Pool
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import label, legend_below, panels
from p4abs_experiments.simulation.result import CellResult, LinkSeries

BASE = Dumbbell(capacity_bps=10_000_000, rtt_s=(0.02, 0.02), n_flows=8)
LINKS = tuple(f"link {number}" for number in range(1, 33))
BUSY = (1, 4, 16)
NEEDED_BYTES = 90_000
SETTLED_S = 5.0


@dataclass(frozen=True, slots=True)
class Turns:
    """How often and how long a group is busy; those from `first` on are measured, once settled."""

    name: str
    count: int
    length_s: float
    settled_s: float
    first: int = 0


ALWAYS = Turns("always", 1, 40.0, 20.0)
BY_TURNS = Turns("by turns", 8, 10.0, SETTLED_S, first=2)
KINDS = (ALWAYS, BY_TURNS)

_FIRST_DRAIN_S = 0.25
CLOSE = 0.05


def memory_bytes(busy: int) -> int:
    """For a group of so many links that are busy at a time."""
    return 4 * busy * NEEDED_BYTES + len(LINKS) * 2 * BASE.packet_bytes


@dataclass(frozen=True, kw_only=True)
class Lending(Experiment):
    name: str = "families-lending"
    title: str = "Memory lent among 32 links of which few are busy"
    claim: str = (
        "Silent links lend memory to busy ones, and get it back when they need it. As "
        "long as memory suffices, a busy link has the limit that it has alone."
    )

    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [
            _cell(kind, busy, shared) for kind in KINDS for busy in BUSY for shared in (True, False)
        ]

    def goals(self, results: Results) -> Sequence[Goal]:
        """Of limits of busy links, of losses, and of the memory."""
        high = max(_loss(results, kind, busy, True) for kind in KINDS for busy in BUSY)
        return [
            *(_limit_goal(results, kind) for kind in KINDS),
            Goal(
                Verdict.of(high <= (1 + TOLERANCE) * LOSS),
                f"From {SETTLED_S:g} s on, busy links lose at most {100 * high:.2f} % (target: "
                f"{100 * LOSS:g} %).",
            ),
            _memory_goal(results),
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes_of = panels(len(BUSY), title=self.title)
        for axes, busy in zip(axes_of, BUSY, strict=True):
            for shared, what in ((True, "shared memory"), (False, "alone")):
                first = _runs(results, BY_TURNS, busy, shared)[0].link(LINKS[0]).series
                axes.plot(first.time_s, first.limit_bytes / 1e3, label=what)
            label(axes, "time (s)", "limit (kB)", f"{busy} busy by turns: the first link")
        legend_below(figure, axes_of[0], columns=2)
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [
            *(_sentence(results, kind, busy) for kind in KINDS for busy in BUSY),
            *(_settling(results, busy) for busy in BUSY),
        ]


def _cell(kind: Turns, busy: int, shared: bool) -> Cell:
    count, turn_s = kind.count, kind.length_s
    sizing = BASE.sizing(initial_limit_bytes=BASE.drain_bytes(_FIRST_DRAIN_S))
    name = f"{busy} busy {kind.name}, {'shared' if shared else 'alone'}"
    alone = BASE.scenario(name, sizing, duration_s=count * turn_s, measure_from_s=0.0)
    traffic = [
        BASE.flows(
            path=(link,),
            name=f"{link}, turn {turn + 1}",
            start_s=(turn * turn_s, turn * turn_s + 0.1),
            stop_s=(turn + 1) * turn_s,
        )
        for turn in range(count)
        for link in _group(busy, turn)
    ]
    # Links without traffic differ in nothing but the memory that they hold.
    names = LINKS if shared else LINKS[: 2 * busy]
    scenario = replace(
        alone,
        links=tuple(Link(link, BASE.capacity_bps, sizing) for link in names),
        traffic=tuple(traffic),
        n_flows=busy * BASE.n_flows,
        pools=(Pool("memory", memory_bytes(busy), LINKS),) if shared else (),
    )
    return Cell(scenario)


def _group(busy: int, turn: int) -> tuple[str, ...]:
    first = busy * (turn % 2)
    return LINKS[first : first + busy]


def _settled(
    run: CellResult, kind: Turns, busy: int, value: Callable[[LinkSeries, Flags], float]
) -> list[float]:
    """Of each busy link, once it has settled in a turn that is measured."""
    values = []
    for turn in range(kind.first, kind.count):
        for link in _group(busy, turn):
            series = run.link(link).series
            begin_s = turn * kind.length_s + kind.settled_s
            end_s = (turn + 1) * kind.length_s
            values.append(value(series, (series.time_s > begin_s) & (series.time_s <= end_s)))
    return values


def _limit(series: LinkSeries, within: Flags) -> float:
    return float(series.limit_bytes[within].mean())


def _lost(series: LinkSeries, within: Flags) -> float:
    dropped = float(series.dropped_bytes[within].sum())
    return dropped / (dropped + float(series.admitted_bytes[within].sum()))


def _runs(results: Results, kind: Turns, busy: int, shared: bool) -> list[CellResult]:
    return results.measured(_cell(kind, busy, shared).scenario)


def _ratio(results: Results, kind: Turns, busy: int) -> Estimate:
    """The mean limit of busy links over the one that they have alone, by random seeds."""
    shared, alone = (
        [fmean(_settled(run, kind, busy, _limit)) for run in _runs(results, kind, busy, each)]
        for each in (True, False)
    )
    return estimate([one / other for one, other in zip(shared, alone, strict=True)])


def _limit_goal(results: Results, kind: Turns) -> Goal:
    ratios = {busy: _ratio(results, kind, busy) for busy in BUSY}
    far = [
        f"{busy} busy ({in_words(each, '.3f')} times)"
        for busy, each in ratios.items()
        if close_to_one(each, CLOSE) is not Verdict.MET
    ]
    return Goal(
        together(close_to_one(each, CLOSE) for each in ratios.values()),
        f"When links are busy {kind.name}, their limits should be within {100 * CLOSE:g} % of "
        "those that they have without other links. "
        f"{'Undecided or missed with ' + ', '.join(far) if far else 'They are'}.",
    )


def _loss(results: Results, kind: Turns, busy: int, shared: bool) -> float:
    runs = _runs(results, kind, busy, shared)
    return fmean(fmean(_settled(run, kind, busy, _lost)) for run in runs)


def _memory_goal(results: Results) -> Goal:
    fullest = max(
        float(np.sum([link.series.limit_bytes for link in run.links], axis=0).max())
        / memory_bytes(busy)
        for kind in KINDS
        for busy in BUSY
        for run in _runs(results, kind, busy, True)
    )
    return Goal(
        Verdict.of(fullest <= 1),
        f"The sum of the limits is at most {100 * fullest:.1f} % of the memory.",
    )


def _sentence(results: Results, kind: Turns, busy: int) -> str:
    ratio = _ratio(results, kind, busy)
    lost, lost_alone = (100 * _loss(results, kind, busy, shared) for shared in (True, False))
    return (
        f"{busy} busy {kind.name} in {memory_bytes(busy) / 1e3:.0f} kB: from {kind.settled_s:g} s "
        f"after their traffic begins, limits are {ratio.mean:.3f} ± {ratio.half_width or 0:.3f} "
        f"times those of links alone, and {lost:.2f} % is lost (alone {lost_alone:.2f} %)."
    )


def _settling(results: Results, busy: int) -> str:
    """How far links by turns are from where they settle when they are always busy."""
    shared, alone = (
        fmean(
            fmean(_settled(run, BY_TURNS, busy, _limit))
            for run in _runs(results, BY_TURNS, busy, each)
        )
        / fmean(
            fmean(_settled(run, ALWAYS, busy, _limit))
            for run in _runs(results, ALWAYS, busy, False)
        )
        for each in (True, False)
    )
    return (
        f"{busy} busy by turns: limits are {shared:.2f} times those of links alone that are always "
        f"busy; without a shared memory {alone:.2f} times."
    )
