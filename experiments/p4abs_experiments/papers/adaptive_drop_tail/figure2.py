"""Figure 2: limit, loss and utilization against the number of users.

The paper has 200 Mb/s and 4 to 2000 users; here both are halved (100 Mb/s, 2 to 1000), which keeps
every user's share and window and divides pipe/sqrt(n) by sqrt(2). RTT U[80, 100] ms, 1500-byte
packets and the target of 99 % are the paper's. All limits start at a fifth of the pipe; 60 s of
measurement follow 60 s of start.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.network import Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import PACKET_BYTES, UTILIZATION
from p4abs_experiments.papers.dumbbell import Dumbbell
from p4abs_experiments.papers.packet_sizing import adaptive, fixed, square_root_rule
from p4abs_experiments.simulation.result import CellResult

POLICIES = ("adt", "abs", "stanford")


_QUICK = Dumbbell(
    capacity_bps=10_000_000,
    rtt_s=(0.08, 0.1),
    packet_bytes=PACKET_BYTES,
    n_flows=(4,),
    start_s=6,
    window_s=8,
)
_PLANS = {
    Size.QUICK: _QUICK,
    Size.FULL: replace(
        _QUICK,
        capacity_bps=100_000_000,
        n_flows=(2, 5, 15, 50, 150, 500, 1000),
        start_s=60,
        window_s=60,
    ),
}

_VALUES: Mapping[str, Callable[[CellResult], float]] = {
    "limit": lambda result: result.link().mean_limit_bytes / PACKET_BYTES,
    "loss": lambda result: result.link().loss,
    "utilization": lambda result: result.link().utilization,
}

_AXES = {
    "limit": ("mean limit (packets)", 1.0),
    "loss": ("loss (%)", 100.0),
    "utilization": ("utilization (%)", 100.0),
}


def _sizing(plan: Dumbbell, policy: str, n_flows: int) -> Sizing:
    if policy == "stanford":
        return fixed(square_root_rule(plan.pipe_packets, n_flows), PACKET_BYTES)
    return adaptive(policy, plan.pipe_packets / 5, PACKET_BYTES, UTILIZATION)


def _scenario(plan: Dumbbell, policy: str, n_flows: int) -> Scenario:
    # A fixed limit has nothing to settle but TCP itself.
    start_s = plan.start_s / 3 if policy == "stanford" else plan.start_s
    users = plan.long_flows(n_flows, plan.start_s / 6)
    sizing = _sizing(plan, policy, n_flows)
    return plan.scenario(f"{n_flows} users", sizing, n_flows, users, start_s=start_s)


@dataclass(frozen=True)
class Users(Experiment):
    name: str = "seed002-figure2"
    title: str = "Limit, loss and utilization against the number of users"
    source: str = "Stanojevic and Shorten 2006, Figure 2"
    claim: str = (
        "A close fit of ADT's mean queue to pipe/sqrt(n) is reported; utilization stays at 99 %, "
        "and loss grows slowly with the number of users."
    )

    def cells(self, size: Size) -> Sequence[Cell]:
        plan = _PLANS[size]
        return [
            Cell(_scenario(plan, policy, n_flows), policy=policy)
            for n_flows in plan.n_flows
            for policy in POLICIES
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        plan = _PLANS[results.size]
        curves = {
            quantity: {
                policy: [self._mean(results, policy, n, quantity) for n in plan.n_flows]
                for policy in POLICIES
            }
            for quantity in _VALUES
        }
        return {"figure2": plot(plan.n_flows, curves, UTILIZATION)}

    def findings(self, results: Results) -> Sequence[str]:
        n_flows = _PLANS[results.size].n_flows
        return [*(self._finding(results, n) for n in n_flows), self._fit(results)]

    def _fit(self, results: Results) -> str:
        plan = _PLANS[results.size]
        shares = [
            self._mean(results, "adt", n, "limit") / square_root_rule(plan.pipe_packets, n)
            for n in plan.n_flows
        ]
        return (
            f"ADT's mean limit is {min(shares):.2f} to {max(shares):.2f} times pipe/sqrt(n), over "
            "all numbers of users."
        )

    def _mean(self, results: Results, policy: str, n_flows: int, quantity: str) -> float:
        scenario = _scenario(_PLANS[results.size], policy, n_flows)
        return results.mean(scenario, _VALUES[quantity])

    def _finding(self, results: Results, n_flows: int) -> str:
        rule = square_root_rule(_PLANS[results.size].pipe_packets, n_flows)

        def told(policy: str) -> str:
            limit, loss, used = (
                self._mean(results, policy, n_flows, quantity) for quantity in _VALUES
            )
            return (
                f"{policy} holds {limit:.0f} packets ({limit / rule:.2f} x pipe/sqrt(n)), "
                f"{used:.2%} used, {loss:.2%} lost"
            )

        return f"{n_flows} users: " + "; ".join(told(policy) for policy in POLICIES) + "."


def plot(
    n_flows: Sequence[int],
    curves: Mapping[str, Mapping[str, Sequence[float]]],
    utilization: float,
) -> Figure:
    """`curves`: quantity, policy, a value per number of users."""
    figure, axes = figures.panels(3, title="Limit, loss and utilization against users")
    for panel, (quantity, per_policy) in zip(axes, curves.items(), strict=True):
        name, factor = _AXES[quantity]
        for policy, values in per_policy.items():
            label = "stanford pipe/sqrt(n)" if policy == "stanford" else policy
            figures.curve(panel, n_flows, factor * np.asarray(values), label)
        figures.logarithmic(panel, y=quantity == "limit")
        panel.set_ylabel(name)
    figures.target(axes[-1], 100 * utilization, f"target {100 * utilization:g} %")
    axes[-1].set_xlabel("users (100 Mb/s)")
    figures.legend(axes[0])
    figures.legend(axes[-1])
    return figure
