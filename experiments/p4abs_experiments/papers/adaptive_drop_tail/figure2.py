"""Figure 2: limit, loss and utilization against the number of users.

The paper has 200 Mb/s and 4 to 2000 users; here both are halved (100 Mb/s, 2 to 1000), which keeps
every user's share and window and divides pipe/sqrt(n) by sqrt(2). RTT U[80, 100] ms, 1500-byte
packets and the target of 99 % are the paper's. All limits start at a fifth of the pipe; 60 s of
measurement follow 60 s of start.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import PACKET_BYTES, UTILIZATION
from p4abs_experiments.papers.dumbbell import Dumbbell
from p4abs_experiments.simulation.result import CellResult

POLICIES = ("adt", "abs", "stanford")

_LINK = Dumbbell(
    capacity_bps=100_000_000,
    rtt_s=(0.08, 0.1),
    packet_bytes=PACKET_BYTES,
    n_flows=(2, 5, 15, 50, 150, 500, 1000),
    start_s=60,
    window_s=60,
)

_QUANTITIES: Mapping[str, tuple[str, float, Callable[[CellResult], float]]] = {
    "limit": (
        "mean limit (packets)",
        1.0,
        lambda result: result.link().mean_limit_bytes / PACKET_BYTES,
    ),
    "loss": ("loss (%)", 100.0, lambda result: result.link().loss),
    "utilization": ("utilization (%)", 100.0, lambda result: result.link().utilization),
}
"""By name: the axis, the factor to its unit, and how a run tells it."""


def _scenario(policy: str, n_flows: int) -> Scenario:
    start_s = _LINK.start_s
    sizing = _LINK.adaptive(policy, _LINK.pipe_packets / 5, UTILIZATION)
    if policy == "stanford":
        # A fixed limit has nothing to settle but TCP itself.
        sizing, start_s = _LINK.fixed(_LINK.rule_packets(n_flows)), start_s / 3
    users = _LINK.long_flows(n_flows, _LINK.start_s / 6)
    return _LINK.scenario(f"{n_flows} users", sizing, n_flows, users, start_s=start_s)


@dataclass(frozen=True)
class Users(Experiment):
    name: str = "seed002-figure2"
    title: str = "Limit, loss and utilization against the number of users"
    source: str = "Stanojevic and Shorten 2006, Figure 2"
    claim: str = (
        "A close fit of ADT's mean queue to pipe/sqrt(n) is reported; utilization stays at 99 %, "
        "and loss grows slowly with the number of users."
    )

    def cells(self) -> Sequence[Cell]:
        return [
            Cell(_scenario(policy, n_flows), policy=policy)
            for n_flows in _LINK.n_flows
            for policy in POLICIES
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"figure2": _drawn(results)}

    def findings(self, results: Results) -> Sequence[str]:
        return [*(_finding(results, n_flows) for n_flows in _LINK.n_flows), _fit(results)]


def _mean(results: Results, policy: str, n_flows: int, quantity: str) -> float:
    return results.mean(_scenario(policy, n_flows), _QUANTITIES[quantity][-1])


def _fit(results: Results) -> str:
    shares = [_mean(results, "adt", n, "limit") / _LINK.rule_packets(n) for n in _LINK.n_flows]
    return (
        f"ADT's mean limit is {min(shares):.2f} to {max(shares):.2f} times pipe/sqrt(n), over "
        "all numbers of users."
    )


def _finding(results: Results, n_flows: int) -> str:
    rule = _LINK.rule_packets(n_flows)

    def told(policy: str) -> str:
        limit, loss, used = (_mean(results, policy, n_flows, each) for each in _QUANTITIES)
        return (
            f"the mean limit of {policy} is {limit:.0f} packets ({limit / rule:.2f} x "
            f"pipe/sqrt(n)), utilization {used:.2%}, loss {loss:.2%}"
        )

    return f"{n_flows} users: " + "; ".join(told(policy) for policy in POLICIES) + "."


def _drawn(results: Results) -> Figure:
    figure, axes = figures.panels(3, title="Limit, loss and utilization against users")
    for panel, (quantity, (name, factor, _)) in zip(axes, _QUANTITIES.items(), strict=True):
        for policy in POLICIES:
            label = "stanford pipe/sqrt(n)" if policy == "stanford" else policy
            values = [factor * _mean(results, policy, n, quantity) for n in _LINK.n_flows]
            figures.curve(panel, _LINK.n_flows, values, label)
        figures.logarithmic(panel, y=quantity == "limit")
        panel.set_ylabel(name)
    figures.target(axes[-1], 100 * UTILIZATION, f"target {100 * UTILIZATION:g} %")
    axes[-1].set_xlabel("users (100 Mb/s)")
    figures.legend(axes[0])
    figures.legend(axes[-1])
    return figure
