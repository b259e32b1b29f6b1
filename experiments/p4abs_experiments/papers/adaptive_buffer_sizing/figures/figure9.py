"""Figure 9: two sized links in a row.

Three sets of 20 FTP, 10 HTTP and 10 UDP flows (0.1 Mb/s each) pass the first link (50 Mb/s, u* =
95 %, p* = 1 %), the second link (20 Mb/s, u* = 75 %, p* = 5 %) and both. HTTP flows are the web
users of section 4.4. The paper does not say how long the run is: ours takes 200 s.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import (
    PACKET_BYTES,
    CbrFlows,
    Link,
    Scenario,
    TcpFlows,
    Traffic,
    WebUsers,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.adaptive_buffer_sizing.drawing import runs_over_time
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import (
    LATER_RTT_S,
    LAWS,
    Goal,
    Law,
    adaptive,
    law,
)

FIRST, SECOND = "first link", "second link"
CAPACITIES_BPS: Mapping[str, int] = {FIRST: 50_000_000, SECOND: 20_000_000}
GOALS: Mapping[str, Goal] = {
    FIRST: Goal(utilization=0.95, loss=0.01),
    SECOND: Goal(utilization=0.75, loss=0.05),
}
PATHS: Mapping[str, tuple[str, ...]] = {
    "first": (FIRST,),
    "second": (SECOND,),
    "both": (FIRST, SECOND),
}
FTP_FLOWS, WEB_USERS, UDP_FLOWS = 20, 10, 10
UDP_BPS = 100_000

_DURATION_S = 200.0
_WINDOW_S = 2.0


def flow_set(name: str, path: tuple[str, ...]) -> tuple[Traffic, ...]:
    rtt_s = LATER_RTT_S
    return (
        TcpFlows(count=FTP_FLOWS, path=path, rtt_s=rtt_s, name=f"ftp {name}"),
        WebUsers(count=WEB_USERS, path=path, rtt_s=rtt_s, name=f"web {name}"),
        CbrFlows(count=UDP_FLOWS, path=path, rate_bps=UDP_BPS, name=f"udp {name}"),
    )


def scenario(law: Law) -> Scenario:
    return Scenario(
        name="parking lot",
        links=tuple(
            Link(name, capacity_bps, adaptive(law, GOALS[name], capacity_bps))
            for name, capacity_bps in CAPACITIES_BPS.items()
        ),
        traffic=tuple(entry for name, path in PATHS.items() for entry in flow_set(name, path)),
        n_flows=3 * FTP_FLOWS,
        duration_s=_DURATION_S,
        measure_from_s=_DURATION_S / 3,
    )


@dataclass(frozen=True)
class Figure9(Experiment):
    name: str = "seed000-figure9"
    title: str = "Parking lot: two links with different targets"
    source: str = "Zhang and Loguinov 2010, Figure 9"
    claim: str = (
        "Two ABS routers in a row do not disturb each other; each keeps its link at its own "
        "target utilization (95 % and 75 %)."
    )

    def cells(self) -> Sequence[Cell]:
        return [Cell(scenario(law(name))) for name in LAWS]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {
            f"figure9-{name.split()[0]}": runs_over_time(
                results, results.cells, title=f"Parking lot, {name}", window_s=_WINDOW_S, link=name
            )
            for name in CAPACITIES_BPS
        }

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(sample) for name in GOALS for sample in results.samples(name)]


def _sentence(sample: Sample) -> str:
    wanted, used, lost = GOALS[sample.link], sample.utilization.mean, sample.loss.mean
    return (
        f"{sample.cell.policy_label}, {sample.link}: mean limit "
        f"{sample.mean_limit_bytes.mean / PACKET_BYTES:.0f} packets, utilization "
        f"{100 * used:.2f} % (target {100 * wanted.utilization:g} %), loss "
        f"{100 * lost:.2f} % (target {100 * wanted.loss:g} %); {_closer(used, lost, wanted)} binds."
    )


def _closer(utilization: float, loss: float, wanted: Goal) -> str:
    """The target that is nearer, by the ratio of idle time or loss to what is allowed."""
    idle = abs(math.log(max(1 - utilization, 1e-6) / (1 - wanted.utilization)))
    return "utilization" if idle < abs(math.log(max(loss, 1e-6) / wanted.loss)) else "loss"
