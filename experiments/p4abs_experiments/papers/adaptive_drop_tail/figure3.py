"""Figure 3: a number of users that grows and falls by one every two seconds.

The paper has 100 Mb/s and 10 to 500 users; here both are halved (50 Mb/s, 5 to 250), which keeps
every user's share and the pace of two seconds, and divides limits like pipe/sqrt(n) by sqrt(2).
RTT U[10, 300] ms and the target of 99 % are the paper's. The user that came last leaves first.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import (
    FIGURE_3_FEW_USERS_PACKETS,
    FIGURE_3_MANY_USERS_PACKETS,
    PACKET_BYTES,
    UTILIZATION,
)
from p4abs_experiments.papers.dumbbell import Dumbbell
from p4abs_experiments.simulation.result import CellResult, Series

POLICIES = ("adt", "abs")
_STEP_S = 2.0
FEWEST, MOST = 5, 250
_STILL_S = 20.0
"""With the fewest users, before the first comes and after the last has left."""
_TURN_S = _STILL_S + _STEP_S * (MOST - FEWEST)
_DURATION_S = 2 * _TURN_S
_LINK = Dumbbell(
    capacity_bps=200_000 * MOST,
    rtt_s=(0.01, 0.3),
    packet_bytes=PACKET_BYTES,
    n_flows=(MOST,),
    start_s=_STILL_S,
    window_s=_DURATION_S - _STILL_S,
)

_WINDOW_S = 10.0


def active_users(time_s: Series) -> Series:
    """The number of users at each time."""
    left = np.floor(np.abs(time_s - _TURN_S) / _STEP_S)
    return np.asarray(np.maximum(MOST - left, FEWEST))


def _user(number: int) -> TcpFlows:
    """User 0, 1, ... ; those beyond the fewest come in order and leave in the reverse one."""
    coming = number - FEWEST
    start_s = _STILL_S + _STEP_S * coming if coming >= 0 else 0.1 * number
    return replace(
        _LINK.long_flows(1, 0, name=f"user {number}"),
        start_s=(start_s, start_s),
        stop_s=_DURATION_S - start_s if coming >= 0 else None,
    )


def _scenario(policy: str) -> Scenario:
    sizing = _LINK.adaptive(policy, _LINK.pipe_packets / 5, UTILIZATION)
    name = f"{FEWEST} to {MOST} users"
    users = map(_user, range(MOST))
    return replace(_LINK.scenario(name, sizing, MOST, *users), sample_interval_s=0.1)


@dataclass(frozen=True)
class ChangingUsers(Experiment):
    name: str = "seed002-figure3"
    title: str = "A number of users that changes every two seconds"
    source: str = "Stanojevic and Shorten 2006, Figure 3"
    claim: str = (
        "ADT follows a changing number of users: under 40 packets for 500 users, over 400 for 10, "
        "with the utilization near 99 % throughout."
    )

    def cells(self) -> Sequence[Cell]:
        return [Cell(_scenario(policy)) for policy in POLICIES]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"figure3": _drawn(results)}

    def findings(self, results: Results) -> Sequence[str]:
        return [_finding(results, policy) for policy in POLICIES]


def _finding(results: Results, policy: str) -> str:
    scenario = _scenario(policy)

    def mean_packets(fewest: float, most: float) -> float:
        def mean(result: CellResult) -> float:
            series = result.link().series
            active = active_users(series.time_s)
            chosen = (fewest <= active) & (active <= most) & (series.time_s > _STILL_S)
            return float(series.limit_bytes[chosen].mean()) / PACKET_BYTES

        return results.mean(scenario, mean)

    many, few = mean_packets(0.9 * MOST, MOST), mean_packets(0, 2 * FEWEST)
    return (
        f"{policy}: the mean limit is {many:.0f} packets with {0.9 * MOST:.0f} users or more and "
        f"{few:.0f} with {2 * FEWEST} or fewer; utilization is "
        f"{results.utilization(scenario):.2%}. The paper's ADT has under "
        f"{FIGURE_3_MANY_USERS_PACKETS} and over {FIGURE_3_FEW_USERS_PACKETS} at twice the rate "
        "and number of users, which is under "
        f"{FIGURE_3_MANY_USERS_PACKETS / math.sqrt(2):.0f} and over "
        f"{FIGURE_3_FEW_USERS_PACKETS / math.sqrt(2):.0f} here."
    )


def _drawn(results: Results) -> Figure:
    """The first run of each policy; utilization is of the last ten seconds."""
    figure, (users, used, limits) = figures.panels(3, title="A changing number of users")
    for policy in POLICIES:
        series = results.measured(_scenario(policy))[0].link().series
        time_s = series.time_s
        late = time_s > _WINDOW_S
        style: dict[str, Any] = {
            "color": figures.POLICY_STYLES[policy]["color"],
            "label": policy,
            "linewidth": 0.9,
        }
        used.plot(
            time_s[late], 100 * series.utilization(_LINK.capacity_bps, _WINDOW_S)[late], **style
        )
        limits.plot(time_s, series.limit_bytes / PACKET_BYTES, **style)
    active = active_users(time_s)
    users.plot(time_s, active, color=figures.BLACK)
    figures.model(limits, time_s, _LINK.pipe_packets / np.sqrt(active), "pipe/sqrt(n)")
    figures.target(used, 100 * UTILIZATION, f"target {100 * UTILIZATION:g} %")
    limits.set_yscale("log")
    figures.logarithmic(limits, x=False)
    users.set_ylabel("active users")
    used.set_ylabel("utilization (%)")
    figures.label(limits, "time (s)", "limit (packets)")
    figures.legend(used)
    figures.legend(limits)
    return figure
