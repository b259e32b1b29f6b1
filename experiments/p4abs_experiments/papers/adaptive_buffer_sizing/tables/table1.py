"""Table 1: queue management cannot cure a buffer of the wrong size.

20 flows at 10 Mb/s, buffers of 100 and 10 packets, REM with a target queue of 50 packets. REM marks
and the flows understand marks (ECN). Its other parameters are those of ns-2, where the paper ran
it. With 10 packets the price stays 0, so REM does the same as tail drop, which follows. Last come
the limits that `abs` finds by itself, without marks. Runs of 60 s (the paper does not say), `abs`
120 s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network import PACKET_BYTES, Link, QueueDisc, Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_buffer_sizing.published import TABLE_1
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import (
    BOTTLENECK,
    Goal,
    adaptive,
    bottleneck,
    law,
    rtt_range_s,
)

CAPACITY_BPS = 10_000_000
FLOWS = 20
BUFFERS_PACKETS = (100, 10)
TARGET_PACKETS = 50
GOAL = Goal(utilization=0.98, loss=0.02)
"""For `abs`; Table 1 has no targets. These are the ones of Tables 2 and 3."""

DISCS: Mapping[str, QueueDisc] = {
    "REM": QueueDisc(
        "RemQueueDisc",
        {"Target": str(TARGET_PACKETS), "MeanPktSize": str(PACKET_BYTES), "UseEcn": "true"},
    ),
    "tail drop": QueueDisc("FifoQueueDisc"),
}

_DURATION_S = 60.0


def managed(congestion_control: str, disc: str, buffer_packets: int) -> Cell:
    buffer = DISCS[disc]
    attributes = {**buffer.attributes, "MaxSize": f"{buffer_packets * PACKET_BYTES}B"}
    link = Link(BOTTLENECK, CAPACITY_BPS, None, QueueDisc(buffer.type_id, attributes))
    name: str = f"{congestion_control}, {buffer_packets} packets"
    scenario = _scenario(name, congestion_control, link, _DURATION_S, ecn=disc == "REM")
    return Cell(scenario, 1, disc, _paper(congestion_control, disc, buffer_packets))


def _paper(congestion_control: str, disc: str, buffer_packets: int) -> Paper:
    """Table 1 prints REM's figures only."""
    if disc != "REM":
        return Paper(buffer_packets)
    printed = TABLE_1[congestion_control][buffer_packets]
    return Paper(buffer_packets, printed.utilization, printed.loss)


def adapted(congestion_control: str) -> Cell:
    """The same flows with a limit that `abs` sets."""
    link = bottleneck(CAPACITY_BPS, adaptive(law("abs"), GOAL, CAPACITY_BPS))
    return Cell(_scenario(congestion_control, congestion_control, link, 120.0))


def _scenario(
    name: str, congestion_control: str, link: Link, duration_s: float, *, ecn: bool = False
) -> Scenario:
    flows = TcpFlows(
        count=FLOWS,
        path=(BOTTLENECK,),
        rtt_s=rtt_range_s(FLOWS),
        congestion_control=congestion_control,
        ecn=ecn,
    )
    return Scenario(
        name=name,
        links=(link,),
        traffic=(flows,),
        n_flows=FLOWS,
        duration_s=duration_s,
        measure_from_s=duration_s / 2,
    )


@dataclass(frozen=True)
class Table1(Experiment):
    name: str = "seed000-table1"
    title: str = "Queue management with buffers of 100 and 10 packets"
    source: str = "Zhang and Loguinov 2010, Table 1"
    claim: str = (
        "REM with a target of 50 packets reaches 100 % utilization without loss when the buffer "
        "holds 100 packets; with 10 packets utilization is 84 to 87 % and loss 8 to 12 %."
    )

    def cells(self) -> Sequence[Cell]:
        managed_cells = [
            managed(congestion_control, disc, packets)
            for disc in DISCS
            for packets in BUFFERS_PACKETS
            for congestion_control in TABLE_1
        ]
        return managed_cells + [adapted(congestion_control) for congestion_control in TABLE_1]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"table1": _drawn(self.title, self.rows(results))}

    def findings(self, results: Results) -> Sequence[str]:
        groups = _groups(results).items()
        return [f"{label}: {_range(results, each)}." for label, each in groups]


_COLOURS = {"tail drop": figures.GREY, "REM": figures.VERMILION, "abs": figures.BLUE}


def _drawn(title: str, rows: Sequence[Row]) -> Figure:
    """A mark per discipline at every congestion control, side by side; small buffers hollow."""
    figure, (utilization, loss) = figures.panels(2, title=title, panel_height_in=3.2)
    names = list(TABLE_1)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_label(row.policy, row.paper_limit_packets), []).append(row)
    places = len(groups) + len(BUFFERS_PACKETS)
    for number, (label, chosen) in enumerate(groups.items()):
        first = chosen[0]
        at = [
            names.index(row.scenario.split(",")[0]) + figures.dodge(number, places)
            for row in chosen
        ]
        style: dict[str, Any] = {
            "linestyle": "none",
            "marker": "s" if first.paper_limit_packets is None else "o",
            "color": _COLOURS[first.policy],
            "fillstyle": "none" if first.paper_limit_packets == min(BUFFERS_PACKETS) else "full",
            "label": label,
        }
        utilization.plot(at, [100 * row.utilization for row in chosen], **style)
        loss.plot(at, [100 * row.loss for row in chosen], **style)
    for number, (packets, marker) in enumerate(zip(BUFFERS_PACKETS, "Dd", strict=True)):
        rem = [TABLE_1[name][packets] for name in names]
        at = [place + figures.dodge(len(groups) + number, places) for place in range(len(names))]
        label = f"REM, {packets} packets (seed)"
        figures.printed(utilization, at, [100 * each.utilization for each in rem], label, marker)
        figures.printed(loss, at, [100 * each.loss for each in rem], label, marker)
    loss.set_xticks(range(len(names)), names)
    utilization.set_ylabel("utilization (%)")
    loss.set_ylabel("loss (%)")
    figures.legend_below(figure, utilization, columns=4)
    return figure


def _label(policy: str, buffer_packets: float | None) -> str:
    return policy if buffer_packets is None else f"{policy}, {buffer_packets:.0f} packets"


def _groups(results: Results) -> dict[str, list[Cell]]:
    """Cells by what stands in front of the link, in the order of Table 1's rows."""
    groups: dict[str, list[Cell]] = {}
    for cell in results.cells:
        label = _label(cell.policy_label, cell.paper.limit_packets)
        groups.setdefault(label, []).append(cell)
    return groups


def _range(results: Results, cells: Sequence[Cell]) -> str:
    links = [results[cell].link() for cell in cells]
    queues = [link.mean_occupancy_bytes / PACKET_BYTES for link in links]
    utilizations = [100 * link.utilization for link in links]
    losses = [100 * link.loss for link in links]
    limits = [link.mean_limit_bytes / PACKET_BYTES for link in links]
    adapted_limits = (
        f", limit {_spread(limits, '.0f')} packets" if cells[0].paper.limit_packets is None else ""
    )
    return (
        f"utilization {_spread(utilizations, '.1f')} %, loss {_spread(losses, '.2f')} %, mean "
        f"queue {_spread(queues, '.1f')} packets{adapted_limits}"
    )


def _spread(values: Sequence[float], form: str) -> str:
    least, most = format(min(values), form), format(max(values), form)
    return least if least == most else f"{least} to {most}"
