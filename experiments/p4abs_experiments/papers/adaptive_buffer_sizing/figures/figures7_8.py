"""Figures 7 and 8: FTP, HTTP and UDP together; five TCP variants together.

Figure 7: 20 FTP, 20 HTTP and 20 UDP flows of 0.1 Mb/s at 10 Mb/s; HTTP flows are the web users of
section 4.4. Figure 8: 10 flows of each variant at 100 Mb/s, round-trip times uniform in
[40, 60] ms, packets of 1500 bytes as in section 2.1's runs at 100 Mb/s. Both have u* = 90 % and
p* = 2 %. The paper does not say how long the runs are: ours take 300 s and 150 s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import in_words
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import (
    PACKET_BYTES,
    CbrFlows,
    Scenario,
    TcpFlows,
    Traffic,
    WebUsers,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.adaptive_buffer_sizing.drawing import runs_over_time
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import (
    BOTTLENECK,
    LATER_RTT_S,
    LAWS,
    Goal,
    adaptive,
    bottleneck,
    law,
)

GOAL = Goal(utilization=0.90, loss=0.02)
UDP_BPS = 100_000
TCP_VARIANTS = ("reno", "highspeed", "scalable", "htcp", "westwood")

_WINDOW_S = 2.0


def protocols() -> tuple[Traffic, ...]:
    path, rtt_s = (BOTTLENECK,), LATER_RTT_S
    return (
        TcpFlows(count=20, path=path, rtt_s=rtt_s, name="ftp"),
        WebUsers(count=20, path=path, rtt_s=rtt_s, name="web"),
        CbrFlows(count=20, path=path, rate_bps=UDP_BPS, name="udp"),
    )


def variants() -> tuple[Traffic, ...]:
    return tuple(
        TcpFlows(
            count=10,
            path=(BOTTLENECK,),
            rtt_s=(0.040, 0.060),
            congestion_control=name,
            packet_bytes=1500,
            name=name,
        )
        for name in TCP_VARIANTS
    )


@dataclass(frozen=True, kw_only=True)
class Mix(Experiment):
    """One of the two figures."""

    capacity_bps: int
    packet_bytes: int
    traffic: tuple[Traffic, ...]
    n_flows: int
    duration_s: float

    def scenario(self, policy: str) -> Scenario:
        sizing = adaptive(law(policy), GOAL, self.capacity_bps, self.packet_bytes)
        return Scenario(
            name=", ".join(f"{entry.name}" for entry in self.traffic),
            links=(bottleneck(self.capacity_bps, sizing),),
            traffic=self.traffic,
            n_flows=self.n_flows,
            duration_s=self.duration_s,
            measure_from_s=self.duration_s / 3,
        )

    def cells(self) -> Sequence[Cell]:
        return [Cell(self.scenario(name)) for name in LAWS]

    def optima(self) -> Sequence[OptimumTask]:
        return [OptimumTask(self.scenario("abs"))]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure = runs_over_time(
            results,
            results.cells,
            title=self.title,
            window_s=_WINDOW_S,
            packet_bytes=self.packet_bytes,
        )
        return {self.short_name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [self._sentence(results, sample) for sample in results.samples()]

    def _sentence(self, results: Results, sample: Sample) -> str:
        cell, optimum = sample.cell, results.optimum(sample.cell.scenario)
        limit = sample.mean_limit_bytes
        against = (
            ""
            if optimum is None
            else f" ({in_words(limit.over(optimum.limit_bytes))} times the static optimum, "
            f"bound by {optimum.binding})"
        )
        shares = ", ".join(
            f"{entry.name} {entry.goodput_bps / 1e6:.2f}" for entry in sample.runs[0].traffic
        )
        return (
            f"{cell.policy_label}: mean limit {limit.mean / self.packet_bytes:.0f} "
            f"packets{against}, utilization {100 * sample.utilization.mean:.2f} %, loss "
            f"{100 * sample.loss.mean:.2f} %; goodput in Mb/s with seed {cell.seed}: {shares}."
        )


FIGURE_7 = Mix(
    name="seed000-figure7",
    title="20 FTP, 20 HTTP and 20 UDP flows",
    source="Zhang and Loguinov 2010, Figure 7",
    claim=(
        "With a fifth of the capacity taken by unresponsive UDP the loss target binds: loss "
        "quickly reaches 2 % and stays close to it, with utilization above 90 %."
    ),
    capacity_bps=10_000_000,
    packet_bytes=PACKET_BYTES,
    traffic=protocols(),
    n_flows=20,
    duration_s=300.0,
)
FIGURE_8 = Mix(
    name="seed000-figure8",
    title="10 flows each of Reno, HSTCP, STCP, HTCP and Westwood",
    source="Zhang and Loguinov 2010, Figure 8",
    claim="With five TCP variants utilization stays around its target of 90 % and loss below 2 %.",
    capacity_bps=100_000_000,
    packet_bytes=1500,
    traffic=variants(),
    n_flows=50,
    duration_s=150.0,
)
