"""How many flows the data plane sees, against how many there are.

Long flows hold a link under `abs` (u* = 98 %, p* = 2 %); after 10 s others join, all at once, and
leave after 20 s. All flows' time in the last half second over its length (p4src/flows), less the
median over three seconds of what short ones have of it, is to be within 10 % of their true number,
one second after each change and when all is steady. So is the mean of their round-trip
times, by what they send.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.lib.stride_tricks import sliding_window_view

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.families.dumbbell import LINK
from p4abs_experiments.families.flow_count.joining import Load
from p4abs_experiments.families.flow_count.over_time import Line, over_time
from p4abs_experiments.families.flow_count.truth import mean_rtt_s
from p4abs_experiments.network import RENO
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import CellResult, Series

MEASURED_FROM_S, JOINED_S, LEFT_S, END_S = 5.0, 10.0, 20.0, 30.0
AFTER_S = 1.0
WINDOW_S = 0.5
USUAL_S = 3.0
CLOSE = 0.10


LOADS = (
    Load.of("2 to 4 Reno, 10 Mb/s", RENO, 10_000_000, (0.02, 0.05), 2, 4),
    Load.of("20 to 60 Reno, 10 Mb/s", RENO, 10_000_000, (0.04, 0.1), 20, 60),
    Load.of("16 to 64 BBR, 50 Mb/s", "bbr", 50_000_000, (0.02, 0.08), 16, 64),
    Load.of("64 to 192 CUBIC, 100 Mb/s", "cubic", 100_000_000, (0.02, 0.08), 64, 192),
    Load.of("500 to 1500 Reno, 200 Mb/s", RENO, 200_000_000, (0.04, 0.1), 500, 1500),
)


class Moment(NamedTuple):
    """When the number is looked at, and whether the joining flows are there."""

    name: str
    at_s: float
    have_joined: bool


MOMENTS = (
    Moment("before flows joined", JOINED_S, False),
    Moment("1 s after flows joined", JOINED_S + AFTER_S, True),
    Moment("steady with all flows", LEFT_S, True),
    Moment("1 s after flows left", LEFT_S + AFTER_S, False),
    Moment("steady after flows left", END_S, False),
)


@dataclass(frozen=True, kw_only=True)
class Flows(Experiment):
    """Flows that join and leave, under Reno, CUBIC and BBR."""

    name: str = "families-flows"
    title: str = "The number of long flows as the data plane sees it"
    claim: str = (
        "One second after flows join or leave, the measured number of long flows is within 10 % of "
        "the true one."
    )

    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [_cell(load) for load in LOADS]

    def goals(self, results: Results) -> Sequence[Goal]:
        """For each moment, over all links and random seeds."""
        return [*(_goal(results, moment) for moment in MOMENTS), _round_trip_goal(results)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        lines = {load.name: _lines(_runs(results, load)[0], load) for load in LOADS}
        return {self.name: over_time(self.title, "long flows", lines)}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(results, load) for load in LOADS]


def _cell(load: Load) -> Cell:
    span = (JOINED_S, LEFT_S)
    return Cell(load.scenario(load.name, load.link.sizing(), span, END_S, MEASURED_FROM_S))


def _runs(results: Results, load: Load) -> list[CellResult]:
    return results.measured(_cell(load).scenario)


def _long_flows(run: CellResult) -> Series:
    """All flows, less those that are usually there and do not last."""
    series = run.link(LINK).series
    active = series.active_flows(WINDOW_S)
    short = active - series.long_flows(WINDOW_S)
    usual = round(USUAL_S / float(series.time_s[0]))
    padded = np.pad(short, (usual - 1, 0), mode="edge")
    return active - np.median(sliding_window_view(padded, usual), axis=1)


def _lines(run: CellResult, load: Load) -> Mapping[str, Line]:
    time_s = run.link().series.time_s
    return {"measured": (time_s, _long_flows(run)), "true": (time_s, _true_flows(load, time_s))}


def _true_flows(load: Load, time_s: Series) -> Series:
    have_joined = (time_s > JOINED_S) & (time_s <= LEFT_S)
    return np.where(have_joined, load.all_flows, load.link.n_flows).astype(np.float64)


def _measured(results: Results, load: Load, moment: Moment) -> list[float]:
    """The number at the moment over the true one, by random seeds."""
    true = load.all_flows if moment.have_joined else load.link.n_flows
    runs = _runs(results, load)
    at = [int(np.searchsorted(run.link().series.time_s, moment.at_s - 1e-9)) for run in runs]
    return [float(_long_flows(run)[row]) / true for run, row in zip(runs, at, strict=True)]


def _worst(results: Results, load: Load, moment: Moment) -> float:
    return max(abs(ratio - 1) for ratio in _measured(results, load, moment))


def _goal(results: Results, moment: Moment) -> Goal:
    worst = {load.name: _worst(results, load, moment) for load in LOADS}
    far = [f"{name} ({100 * error:.0f} % off)" for name, error in worst.items() if error > CLOSE]
    return Goal(
        Verdict.of(not far),
        f"{moment.name.capitalize()}, the measured number of flows should be within "
        f"{100 * CLOSE:g} % of the true one in every run. "
        f"{'It is not with ' + ', '.join(far) if far else 'It is'}.",
    )


def _round_trips(results: Results, load: Load) -> list[float]:
    """The measured mean round-trip time over the true one, both by what flows send; of runs in
    which some did."""
    ratios = []
    for run in _runs(results, load):
        flows = [flow for traffic in run.traffic for flow in traffic.flows]
        if (true_s := mean_rtt_s(flows)) is not None:
            ratios.append(run.link().series.round_trip_s(MEASURED_FROM_S, END_S) / true_s)
    return ratios


def _round_trip_goal(results: Results) -> Goal:
    ratios = [ratio for load in LOADS for ratio in _round_trips(results, load)]
    if not ratios:
        return Goal(Verdict.UNDECIDED, "The round-trip time of no flow is known.")
    worst = max(abs(ratio - 1) for ratio in ratios)
    return Goal(
        Verdict.of(worst <= CLOSE),
        f"The mean round-trip time should be within {100 * CLOSE:g} % of the true one in every "
        f"run. It is at most {100 * worst:.1f} % off.",
    )


def _sentence(results: Results, load: Load) -> str:
    ratios = [f"{fmean(_measured(results, load, moment)):.3f} {moment.name}" for moment in MOMENTS]
    round_trips = _round_trips(results, load)
    of_them = f" The round-trip time is {fmean(round_trips):.3f} times." if round_trips else ""
    listed = ", ".join(ratios)
    return f"{load.name}: the measured number is this multiple of the true one: {listed}.{of_them}"
