"""A link that is not a bottleneck: section 3.2's reason for equation (8), as an experiment.

16 Mb/s with u* = 98 %, p* = 2 %, and loads that no buffer can bring to the target: smooth UDP at
half the capacity; 16 TCP flows that a link of 8 Mb/s in front, or their windows, hold below it;
bursty UDP (exponential phases of 0.5 s) at half the capacity on average; 20 web users. Equation
(7) would grow without end. The limit must go to its minimum of two packets, except where that loses
more than p*: the static optimum here is the smallest limit that meets the loss target alone. 240 s
each; no limit may exceed 1 s of drain time (ns-3's TCP takes minutes for windows of 30000 packets).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Results
from p4abs_experiments.experiment.min_buffer import NoBottleneck
from p4abs_experiments.network import (
    PACKET_BYTES,
    CbrFlows,
    Link,
    Scenario,
    Sizing,
    TcpFlows,
    Traffic,
    WebUsers,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import legend, logarithmic
from p4abs_experiments.papers.adaptive_buffer_sizing.drawing import runs_over_time
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import (
    BOTTLENECK,
    LAWS,
    LOWEST_PACKETS,
    Goal,
    adaptive,
    bottleneck,
    drain_bytes,
    law,
    rtt_range_s,
)

CAPACITY_BPS = 16_000_000
UPSTREAM_BPS = 8_000_000
FLOWS = 16
WEB_USERS = 20
GOAL = Goal(utilization=0.98, loss=0.02)

_UPSTREAM = "upstream"
_WINDOW_PACKETS = 4
"""16 flows with 4 packets per round-trip time, 46 ms on average, offer 6.7 Mb/s."""

_DURATION_S = 240.0
_HIGHEST_DRAIN_S = 1.0
_WINDOW_S = 2.0


def loads() -> dict[str, tuple[Traffic, ...]]:
    """Traffic by name; every one passes the link that is looked at."""
    path, rtt_s = (BOTTLENECK,), rtt_range_s(FLOWS)
    rate_bps = CAPACITY_BPS / 2 / FLOWS
    return {
        "smooth UDP": (CbrFlows(count=FLOWS, path=path, rate_bps=rate_bps),),
        "TCP behind 8 Mb/s": (TcpFlows(count=FLOWS, path=(_UPSTREAM, *path), rtt_s=rtt_s),),
        "TCP with small windows": (
            TcpFlows(
                count=FLOWS, path=path, rtt_s=rtt_s, window_bytes=_WINDOW_PACKETS * PACKET_BYTES
            ),
        ),
        "bursty UDP": (
            CbrFlows(count=FLOWS, path=path, rate_bps=2 * rate_bps, on_s=0.5, off_s=0.5),
        ),
        "web users": (WebUsers(count=WEB_USERS, path=path, rtt_s=rtt_s),),
    }


def scenario(policy: str, load: str) -> Scenario:
    traffic = loads()[load]
    sizing = adaptive(law(policy), GOAL, CAPACITY_BPS)
    highest_bytes = drain_bytes(_HIGHEST_DRAIN_S, CAPACITY_BPS)
    sized = bottleneck(CAPACITY_BPS, replace(sizing, max_limit_bytes=highest_bytes))
    upstream = Link(
        _UPSTREAM, UPSTREAM_BPS, Sizing(initial_limit_bytes=drain_bytes(0.1, UPSTREAM_BPS))
    )
    shaped = any(_UPSTREAM in entry.path for entry in traffic)
    return Scenario(
        name=load,
        links=(sized, upstream) if shaped else (sized,),
        traffic=traffic,
        n_flows=sum(entry.count for entry in traffic if isinstance(entry, TcpFlows)),
        duration_s=_DURATION_S,
        measure_from_s=_DURATION_S / 2,
    )


@dataclass(frozen=True, kw_only=True)
class NonBottleneck(NoBottleneck):
    name: str = "seed000-non-bottleneck"
    title: str = "Links that are no bottleneck"
    source: str = "Zhang and Loguinov 2010, section 3.2"
    claim: str = (
        "The integral law (7) drives the buffer of a link that is no bottleneck to infinity; (8) "
        "keeps it finite."
    )

    def cells(self) -> Sequence[Cell]:
        return [Cell(scenario(name, load)) for load in loads() for name in LAWS]

    def scenarios(self) -> Sequence[Scenario]:
        return [scenario("abs", load) for load in loads()]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figures = {}
        for load in loads():
            cells = [cell for cell in results.cells if cell.scenario.name == load]
            optimum = self.optimum(results, cells[0].scenario, None)
            whole = (0.0, cells[0].scenario.duration_s)
            figure = runs_over_time(
                results,
                cells,
                title=load,
                window_s=_WINDOW_S,
                optima_bytes=[] if optimum is None else [(*whole, optimum.limit_bytes)],
            )
            logarithmic(figure.axes[0], x=False)
            figure.axes[0].autoscale(axis="y")
            figure.axes[0].axhline(LOWEST_PACKETS, color="black", linestyle=":", label="minimum")
            legend(figure.axes[0])
            figures[f"non-bottleneck-{load.lower().replace(' ', '-').replace('/', '')}"] = figure
        return figures
