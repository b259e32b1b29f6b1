"""Figure 3: a number of users that grows and falls by one every two seconds.

The paper has 100 Mb/s and 10 to 500 users; here both are halved (50 Mb/s, 5 to 250), which keeps
every user's share and the pace of two seconds, and divides limits like pipe/sqrt(n) by sqrt(2).
RTT U[10, 300] ms and the target of 99 % are the paper's. The user that came last leaves first.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.network import Link, Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import (
    FIGURE_3_FEW_USERS_PACKETS,
    FIGURE_3_MANY_USERS_PACKETS,
    PACKET_BYTES,
    UTILIZATION,
)
from p4abs_experiments.papers.dumbbell import INITIAL_WINDOW_SEGMENTS, pipe_packets
from p4abs_experiments.papers.packet_sizing import adaptive
from p4abs_experiments.simulation.result import CellResult, LinkSeries, Series

POLICIES = ("adt", "abs")
_RTT_S = (0.01, 0.3)
_STEP_S = 2.0
_SHARE_BPS = 200_000
"""Of the link, per user, when all are active."""

_WINDOW_S = 10.0


@dataclass(frozen=True, slots=True)
class _Plan:
    fewest: int
    most: int
    still_s: float
    """With the fewest users, before the first comes and after the last has left."""

    @property
    def capacity_bps(self) -> int:
        return _SHARE_BPS * self.most

    @property
    def turn_s(self) -> float:
        return self.still_s + _STEP_S * (self.most - self.fewest)

    @property
    def duration_s(self) -> float:
        return 2 * self.turn_s

    @property
    def pipe_packets(self) -> float:
        return pipe_packets(self.capacity_bps, _RTT_S, PACKET_BYTES)

    def active_users(self, time_s: Series) -> Series:
        """The number of users at each time."""
        since_turn_s = np.abs(time_s - self.turn_s)
        left = np.floor(since_turn_s / _STEP_S)
        return np.asarray(np.maximum(self.most - left, self.fewest))


_PLANS = {Size.QUICK: _Plan(2, 10, 2), Size.FULL: _Plan(5, 250, 20)}


def _user(plan: _Plan, number: int) -> TcpFlows:
    """User 0, 1, ... ; those beyond the fewest come in order and leave in the reverse one."""
    coming = number - plan.fewest
    start_s = plan.still_s + _STEP_S * coming if coming >= 0 else 0.1 * number
    return TcpFlows(
        count=1,
        path=("link",),
        rtt_s=_RTT_S,
        packet_bytes=PACKET_BYTES,
        start_s=(start_s, start_s),
        stop_s=plan.duration_s - start_s if coming >= 0 else None,
        initial_window_segments=INITIAL_WINDOW_SEGMENTS,
        name=f"user {number}",
    )


def _scenario(plan: _Plan, policy: str) -> Scenario:
    sizing = adaptive(policy, plan.pipe_packets / 5, PACKET_BYTES, UTILIZATION)
    return Scenario(
        name=f"{plan.fewest} to {plan.most} users",
        links=(Link("link", plan.capacity_bps, sizing),),
        traffic=tuple(_user(plan, number) for number in range(plan.most)),
        n_flows=plan.most,
        duration_s=plan.duration_s,
        measure_from_s=plan.still_s,
        sample_interval_s=0.1,
    )


@dataclass(frozen=True)
class ChangingUsers(Experiment):
    name: str = "seed002-figure3"
    title: str = "A number of users that changes every two seconds"
    source: str = "Stanojevic and Shorten 2006, Figure 3"
    claim: str = (
        "ADT follows a changing number of users: under 40 packets for 500 users, over 400 for 10, "
        "with the utilization near 99 % throughout."
    )

    def cells(self, size: Size) -> Sequence[Cell]:
        return [Cell(_scenario(_PLANS[size], policy)) for policy in POLICIES]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        plan = _PLANS[results.size]
        runs = {
            policy: results.measured(_scenario(plan, policy))[0].link().series
            for policy in POLICIES
        }
        figure = plot(runs, plan.active_users, plan.pipe_packets, plan.capacity_bps)
        return {"figure3": figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [self._finding(results, policy) for policy in POLICIES]

    def _finding(self, results: Results, policy: str) -> str:
        plan = _PLANS[results.size]
        scenario = _scenario(plan, policy)

        def mean_packets(fewest: float, most: float) -> float:
            def mean(result: CellResult) -> float:
                series = result.link().series
                active = plan.active_users(series.time_s)
                chosen = (fewest <= active) & (active <= most) & (series.time_s > plan.still_s)
                return float(series.limit_bytes[chosen].mean()) / PACKET_BYTES

            return results.mean(scenario, mean)

        many = mean_packets(0.9 * plan.most, plan.most)
        few = mean_packets(0, 2 * plan.fewest)
        used = results.mean(scenario, lambda result: result.link().utilization)
        return (
            f"{policy}: {many:.0f} packets on average with {0.9 * plan.most:.0f} users or more, "
            f"{few:.0f} with {2 * plan.fewest} or fewer, {used:.2%} used throughout (seed's ADT at "
            f"twice the rate and users: under {FIGURE_3_MANY_USERS_PACKETS} and over "
            f"{FIGURE_3_FEW_USERS_PACKETS}, which is under "
            f"{FIGURE_3_MANY_USERS_PACKETS / math.sqrt(2):.0f} and over "
            f"{FIGURE_3_FEW_USERS_PACKETS / math.sqrt(2):.0f} at this scale)."
        )


def plot(
    runs: Mapping[str, LinkSeries],
    active_users: Callable[[Series], Series],
    pipe_packets: float,
    capacity_bps: float,
) -> Figure:
    """`runs`: policy, series; utilization is of the last ten seconds."""
    figure, (users, used, limits) = figures.panels(3, title="A changing number of users")
    for policy, series in runs.items():
        time_s = series.time_s
        late = time_s > _WINDOW_S
        colour = figures.POLICY_STYLES[policy]["color"]
        utilization = 100 * series.utilization(capacity_bps, _WINDOW_S)
        used.plot(time_s[late], utilization[late], color=colour, label=policy, linewidth=0.9)
        packets = series.limit_bytes / PACKET_BYTES
        limits.plot(time_s, packets, color=colour, label=policy, linewidth=0.9)
    active = active_users(time_s)
    users.plot(time_s, active, color=figures.BLACK)
    figures.model(limits, time_s, pipe_packets / np.sqrt(active), "pipe/sqrt(n)")
    figures.target(used, 100 * UTILIZATION, f"target {100 * UTILIZATION:g} %")
    limits.set_yscale("log")
    figures.logarithmic(limits, x=False)
    users.set_ylabel("active users")
    used.set_ylabel("utilization (%)")
    figures.label(limits, "time (s)", "limit (packets)")
    figures.legend(used)
    figures.legend(limits)
    return figure
