"""Starts of few flows: how soon the targets are met after the first packet.

Few long flows begin on a link that has had none, within the first seconds, and send for a minute.
Each start is run under `abs`, and under `abs` that does not know a start. From 20 s on utilization
and loss are to be within a point of their targets. The limit begins where it does in the papers
that have such links, at 0.1 s of the capacity or less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import in_words
from p4abs_experiments.experiment.goal import Goal, Verdict, at_least, at_most, together
from p4abs_experiments.families.dumbbell import LOSS, UTILIZATION, Dumbbell
from p4abs_experiments.families.flow_count.over_time import Line, limits, over_time
from p4abs_experiments.network import RENO, Scenario, Traffic
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.varied_law import START

WITHIN = 0.01
BEGIN_S, END_S = 20.0, 60.0
LAWS: Mapping[str, tuple[tuple[str, float], ...]] = {
    "abs": (),
    "without a start": ((START, 0.0),),
}
KNOWS = next(iter(LAWS))


class Load(NamedTuple):
    """Long flows, over how many seconds they begin, what is beside them, and what is asked for."""

    name: str
    link: Dumbbell
    congestion_control: str = RENO
    begin_within_s: float = 2.0
    beside: tuple[Traffic, ...] = ()
    sizing: Mapping[str, Any] = {}

    @property
    def utilization(self) -> float:
        return float(self.sizing.get("utilization", UTILIZATION))

    @property
    def loss(self) -> float:
        return float(self.sizing.get("loss", LOSS))


def _fast(n_flows: int, rtt_s: tuple[float, float] = (0.08, 0.1)) -> Dumbbell:
    return Dumbbell(capacity_bps=100_000_000, rtt_s=rtt_s, n_flows=n_flows)


ANY_LOSS = 0.9
"""Never reached: only utilization can bind."""

USERS: Mapping[str, Any] = {
    "utilization": 0.99,
    "loss": ANY_LOSS,
    "initial_limit_bytes": 225_000,
}
"""Stanojevic and Shorten 2006, Figure 2: a fifth of the pipe."""

BESIDE_SHORT: Mapping[str, Any] = {
    "utilization": 0.95,
    "loss": ANY_LOSS,
    "initial_limit_bytes": 312_500,
}
"""Appenzeller and others 2004, Figure 13: a quarter of the pipe."""

LOADS = (
    Load("2 Reno, 100 Mb/s", _fast(2), begin_within_s=10.0, sizing=USERS),
    Load("5 Reno, 100 Mb/s", _fast(5), begin_within_s=10.0, sizing=USERS),
    Load(
        "1 Reno beside short flows, 100 Mb/s",
        _fast(1, (0.06, 0.14)),
        beside=(_fast(1, (0.06, 0.14)).short_flows(0.2),),
        sizing=BESIDE_SHORT,
    ),
    Load("2 CUBIC, 100 Mb/s", _fast(2), "cubic"),
    Load("4 Reno, 20 Mb/s", Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=4)),
    Load("8 Reno, 10 Mb/s", Dumbbell(capacity_bps=10_000_000, rtt_s=(0.02, 0.02), n_flows=8)),
    Load("16 Reno, 64 Mb/s", Dumbbell(capacity_bps=64_000_000, rtt_s=(0.03, 0.062), n_flows=16)),
)


@dataclass(frozen=True, kw_only=True)
class Starts(Experiment):
    name: str = "families-starts"
    title: str = "Starts of few flows"
    claim: str = (
        "20 s after the first packet and later, utilization and loss are within one percentage "
        "point of their targets."
    )
    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [Cell(_scenario(load, law)) for load in LOADS for law in LAWS]

    def goals(self, results: Results) -> Sequence[Goal]:
        return [_goal(results, load) for load in LOADS]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        lines = {load.name: _lines(results, load) for load in LOADS}
        return {self.name: over_time(self.title, "limit (kB)", lines)}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, load) for load in LOADS]


def _scenario(load: Load, law: str) -> Scenario:
    return load.link.scenario(
        f"{load.name}, {law}",
        replace(load.link.sizing(**load.sizing), variation=LAWS[law]),
        load.link.flows(load.congestion_control, start_s=(0.0, load.begin_within_s)),
        *load.beside,
        duration_s=END_S,
        measure_from_s=BEGIN_S,
    )


def _lines(results: Results, load: Load) -> Mapping[str, Line]:
    return limits(results, {law: _scenario(load, law) for law in LAWS})


def _verdict(results: Results, load: Load) -> Verdict:
    sample = results.sample(_scenario(load, KNOWS))
    used = at_least(sample.utilization, load.utilization - WITHIN)
    return together([used, at_most(sample.loss, load.loss + WITHIN)])


def _goal(results: Results, load: Load) -> Goal:
    return Goal(_verdict(results, load), _sentence(results, load))


def _sentence(results: Results, load: Load) -> str:
    def of(law: str) -> str:
        sample = results.sample(_scenario(load, law))
        used = in_words(sample.utilization.over(0.01), ".1f")
        limit = in_words(sample.mean_limit_bytes.over(1e3), ".0f")
        loss = in_words(sample.loss.over(0.01))
        return f"utilization {used} %, loss {loss} %, mean limit {limit} kB"

    targets = f"utilization {load.utilization:.0%}"
    if load.loss < ANY_LOSS:
        targets += f", loss {load.loss:.0%}"
    told = "; ".join(f"{law}: {of(law)}" for law in LAWS)
    return f"{load.name}, {BEGIN_S:g} to {END_S:g} s after the start (targets: {targets}): {told}."
