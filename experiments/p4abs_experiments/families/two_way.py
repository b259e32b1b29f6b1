"""Family *two-way traffic*: data both ways, each way's acknowledgements in the other's queue.

20 Mb/s both ways, 20 to 60 ms, u* = 98 %, p* = 2 %, Reno. Acknowledgements that wait behind data
come back in bursts, and links whose sources wait for each other's queues may idle whatever their
buffers (Zhang, Shenker and Clark 1991); the longer of two queues keeps its link busy at the other's
cost. So a limit has a static optimum only where the other link's stays: it is searched, and `abs`
compared with it, while that one is a pipe. Where `abs` sizes both links, equal fixed limits stand
beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.families.dumbbell import LINK, UTILIZATION, Dumbbell
from p4abs_experiments.families.family import Family
from p4abs_experiments.network import Link, Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.two_way import both_ways
from p4abs_experiments.output import figures

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=80.0)
REVERSE = "reverse"
FLOWS = ((16, 16), (4, 4), (16, 64))
"""There and back."""
MULTIPLES = (1.0, 2.0, 4.0, 8.0)
"""Of the pipe: equal limits of both links."""


@dataclass(frozen=True, kw_only=True)
class OneWaySized(Family):
    """The link back has a fixed limit."""

    def rows_of_cells(self, results: Results) -> list[Row]:
        """A cell is called after its first link's policy; the other limit is no policy's."""
        return [
            replace(row, policy="static") if row.scenario.endswith(f" {REVERSE}") else row
            for row in super().rows_of_cells(results)
        ]


@dataclass(frozen=True, kw_only=True)
class BothWaysSized(Experiment):
    name: str = "families-two-way-both"
    title: str = "Data both ways, both links sized"
    source: str = "Zhang, Shenker and Clark 1991"
    claim: str = (
        "With data both ways, links may idle whatever their buffers are. Two controllers at once "
        "meet the targets wherever fixed limits can meet them."
    )

    def cells(self) -> Sequence[Cell]:
        adapted = [Cell(_adapted(pair)) for pair in FLOWS]
        return adapted + [Cell(_equal(pair, multiple)) for pair in FLOWS for multiple in MULTIPLES]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, axes_of = figures.panels(len(FLOWS), title=self.title)
        for axes, pair in zip(axes_of, FLOWS, strict=True):
            for link, name, colour in (
                (LINK, "there", figures.BLUE),
                (REVERSE, "back", figures.ORANGE),
            ):
                fixed = [
                    _mean(results, _equal(pair, multiple), link, "utilization")
                    for multiple in MULTIPLES
                ]
                limits_kb = [multiple * BASE.pipe_bytes / 1e3 for multiple in MULTIPLES]
                figures.curve(axes, limits_kb, [100 * each for each in fixed], f"{name}, fixed")
                held = _adapted(pair)
                axes.plot(
                    _mean(results, held, link, "mean_limit_bytes") / 1e3,
                    100 * _mean(results, held, link, "utilization"),
                    marker="*",
                    markersize=11,
                    linestyle="none",
                    color=colour,
                    label=f"{name}, abs",
                )
            figures.target(axes, 100 * UTILIZATION)
            figures.logarithmic(axes, y=False)
            figures.label(axes, "", "utilization (%)", _name(pair))
            figures.legend(axes)
        axes_of[-1].set_xlabel("limit (kB)")
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, pair) for pair in FLOWS]


def _name(pair: tuple[int, int]) -> str:
    return f"{pair[0]} there, {pair[1]} back"


def _scenario(pair: tuple[int, int], there: Sizing, back: Sizing) -> Scenario:
    forward, _ = both_ways(BASE.flows(count=pair[0]), LINK, REVERSE)
    _, backward = both_ways(BASE.flows(count=pair[1]), LINK, REVERSE)
    one_way: Scenario = BASE.scenario(_name(pair), there)
    return replace(
        one_way,
        links=(Link(LINK, BASE.capacity_bps, there), Link(REVERSE, BASE.capacity_bps, back)),
        traffic=(forward, backward),
        n_flows=sum(pair),
    )


def _adapted(pair: tuple[int, int]) -> Scenario:
    return _scenario(pair, BASE.sizing(), BASE.sizing())


def _equal(pair: tuple[int, int], multiple: float) -> Scenario:
    fixed = BASE.fixed(multiple * BASE.pipe_bytes)
    scenario = _scenario(pair, fixed, fixed)
    return replace(scenario, name=f"{scenario.name}, {multiple:g} pipes")


def _mean(results: Results, scenario: Scenario, link: str, value: str) -> float:
    return results.mean(scenario, lambda result: float(getattr(result.link(link), value)))


def _sentence(results: Results, pair: tuple[int, int]) -> str:
    """What `abs` gives both links beside the equal limit that gives most to the one with less."""

    def both(scenario: Scenario, value: str, factor: float) -> tuple[float, float]:
        there, back = (_mean(results, scenario, link, value) for link in (LINK, REVERSE))
        return factor * there, factor * back

    held = _adapted(pair)
    limits, used, lost = (
        both(held, value, factor)
        for value, factor in (("mean_limit_bytes", 1e-3), ("utilization", 100), ("loss", 100))
    )
    equal = {multiple: both(_equal(pair, multiple), "utilization", 100) for multiple in MULTIPLES}
    best = max(MULTIPLES, key=lambda multiple: min(equal[multiple]))
    return (
        f"{_name(pair)}: the limits of abs are {limits[0]:.0f} and {limits[1]:.0f} kB, utilization "
        f"{used[0]:.2f} and {used[1]:.2f} %, loss {lost[0]:.2f} and {lost[1]:.2f} %. With equal "
        f"fixed limits of {MULTIPLES[0]:g} to {MULTIPLES[-1]:g} pipes, the less used link reaches "
        f"{min(equal[best]):.2f} % at most, with {best:g} pipes."
    )


ONE_WAY = OneWaySized(
    name="families-two-way",
    title="Data both ways, one link sized",
    claim="Bursts of acknowledgments do no harm: the mean limit is at most 1.10 times the static "
    "optimum, and the target that binds is met.",
    scenarios=tuple(_scenario(pair, BASE.sizing(), BASE.fixed(BASE.pipe_bytes)) for pair in FLOWS),
)
