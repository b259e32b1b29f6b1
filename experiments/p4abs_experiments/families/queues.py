"""Family *queues*: two and three queues of one link, each with a limit and targets of its own.

20 Mb/s, 20 to 60 ms; u* = 98 %, p* = 2 % in every queue. By strict priority, queue 0 has 4 Reno
flows, and queue 1 a load that leaves them some 60 % of the link: UDP of constant rate, short flows,
and Reno held back by its receivers' windows. In turns of 1:1, 1:3 and 1:1:6 (deficit round robin),
some queues have Reno flows and others CUBIC, in unequal numbers. A queue that is not its link's
bottleneck, as queue 1 by strict priority, is judged by loss alone. The static optimum of a queue is
found while `abs` moves the limits of the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.min_buffer import without_utilization
from p4abs_experiments.experiment.optimum import Optimum, OptimumTask
from p4abs_experiments.experiment.row import LOSS_ONLY, Row
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.families.family import merit_figure
from p4abs_experiments.network import RENO, CbrFlows, Link, Queues, Scenario, Traffic
from p4abs_experiments.network.cell import Cell

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=4, min_window_s=40.0)
NAMES = ("queue 0", "queue 1", "queue 2")
CONTROLS = {"Reno": RENO, "CUBIC": "cubic"}
TURNS = {
    (1, 1): ((2, "Reno"), (16, "CUBIC")),
    (1, 3): ((4, "CUBIC"), (8, "Reno")),
    (1, 1, 6): ((2, "Reno"), (4, "CUBIC"), (16, "Reno")),
}
"""The flows of each queue, by the weights."""

_FIRST_DRAIN_S = 0.1

_WINDOW_BY_PRIORITY_S = 80.0
"""Measured by strict priority: a limit that nothing fills takes long to come down."""


def loads_above() -> dict[str, Traffic]:
    """Of queue 1 by strict priority: about 40 % of the link each."""
    above, packet_bytes = (NAMES[1],), BASE.packet_bytes
    share_bps = BASE.capacity_bps / 100
    return {
        "smooth UDP": CbrFlows(count=40, path=above, packet_bytes=packet_bytes, rate_bps=share_bps),
        "short flows": BASE.short_flows(0.36, path=above, pareto_shape=0.0),
        "Reno of small windows": BASE.flows(
            count=8, path=above, window_bytes=3 * packet_bytes, name="above"
        ),
    }


@dataclass(frozen=True, kw_only=True)
class SeveralQueues(Experiment):
    name: str = "families-queues"
    title: str = "Several queues of one link"
    claim: str = (
        "Each queue of a port keeps its own targets with a mean limit of at most 1.10 times its "
        "static optimum, whether queues are served by priority or in turns."
    )

    def cells(self) -> Sequence[Cell]:
        return [Cell(each) for each in _scenarios()]

    def optima(self) -> Sequence[OptimumTask]:
        return [
            OptimumTask(_as_judged(scenario, link.name), link=link.name)
            for scenario in _scenarios()
            for link in scenario.links
        ]

    def optimum(self, results: Results, scenario: Scenario, link: str | None) -> Optimum | None:
        found = results.optimum(_as_judged(scenario, scenario.link(link).name), link)
        alone = _is_judged_by_loss(scenario, scenario.link(link).name)
        if found is None or found.binding == "none" or not alone:
            return found
        return replace(found, binding="loss")

    def rows(self, results: Results) -> Sequence[Row]:
        return self.rows_of_cells(results)

    def judged_by(self, sample: Sample) -> str | None:
        found = super().judged_by(sample)
        return (
            LOSS_ONLY if found and _is_judged_by_loss(sample.cell.scenario, sample.link) else found
        )

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {self.name: merit_figure(self.title, self.rows(results))}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(sample) for sample in results.samples()]


def _scenarios() -> list[Scenario]:
    return [*_by_priority(), *(_in_turns(weights) for weights in TURNS)]


def _by_priority() -> Iterator[Scenario]:
    for name, above in loads_above().items():
        traffic = (BASE.flows(path=(NAMES[0],)), above)
        yield _scenario(f"{BASE.n_flows} Reno below {name}", (), traffic)


def _in_turns(weights: tuple[int, ...]) -> Scenario:
    flows = TURNS[weights]
    traffic = tuple(
        BASE.flows(CONTROLS[control], count, path=(queue,), name=queue)
        for queue, (count, control) in zip(NAMES, flows, strict=False)
    )
    each = " beside ".join(f"{count} {control}" for count, control in flows)
    return _scenario(f"{':'.join(map(str, weights))}, {each}", weights, traffic)


def _scenario(name: str, weights: tuple[int, ...], traffic: tuple[Traffic, ...]) -> Scenario:
    """A queue for each entry."""
    names = NAMES[: len(traffic)]
    base = BASE if weights else replace(BASE, min_window_s=_WINDOW_BY_PRIORITY_S)
    return replace(
        base.scenario(name, BASE.sizing()),
        links=tuple(
            Link(each, BASE.capacity_bps, BASE.sizing(initial_limit_bytes=first_bytes))
            for each, first_bytes in zip(names, _first_limits(weights), strict=False)
        ),
        traffic=traffic,
        n_flows=sum(getattr(entry, "count", 0) for entry in traffic),
        queues=(Queues(names, weights),),
    )


def _first_limits(weights: tuple[int, ...]) -> list[int]:
    """Drained in the same time at the rates that busy queues get, by priority that of the link."""
    shares = [weight / sum(weights) for weight in weights] or [1.0] * len(NAMES)
    return [BASE.drain_bytes(_FIRST_DRAIN_S * share) for share in shares]


def _is_judged_by_loss(scenario: Scenario, link: str) -> bool:
    return not scenario.queues[0].weights and link != NAMES[0]


def _as_judged(scenario: Scenario, link: str) -> Scenario:
    """The scenario with a queue's targets as far as it is held against them."""
    return without_utilization(scenario, link) if _is_judged_by_loss(scenario, link) else scenario


def _sentence(sample: Sample) -> str:
    """How the link was shared: what each queue sent of its capacity."""
    scenario = sample.cell.scenario
    sent = {
        link.name: 100
        * fmean(_sent(run.link(link.name).departed_bytes, run.window_s) for run in sample.runs)
        for link in scenario.links
    }
    shares = ", ".join(f"{name} {share:.1f} %" for name, share in sent.items())
    return f"{scenario.name}: the link sent {sum(sent.values()):.2f} % of its capacity ({shares})."


def _sent(departed_bytes: int, window_s: float) -> float:
    return 8 * departed_bytes / BASE.capacity_bps / window_s
