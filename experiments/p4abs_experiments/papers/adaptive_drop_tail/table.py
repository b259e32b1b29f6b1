"""The table of section III.A and Figure 1: drop-tail, ADT, adaptive RED, traffic both ways.

200 Mb/s, 1000 users with RTT U[40, 440] ms, 1500-byte packets, as printed; nothing is scaled but
time: 60 s of measurement after 70 s, in which ADT's 1 % every 0.3 s takes a limit of 500 packets
to a tenth. Not printed: the memory ADT may take (here one pipe at least) and RED's thresholds
(here those that ns-3's adaptive RED sets itself, in a buffer of one pipe).

`abs` runs for utilization alone, ADT's objective, one way and both ways, and with a loss target
of 2 % besides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Link, QueueDisc, Scenario, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import (
    DROP_TAIL_PACKETS,
    PACKET_BYTES,
    TABLE,
    UTILIZATION,
    Discipline,
    discipline_of,
    mean_of,
)
from p4abs_experiments.papers.dumbbell import LINK, NO_LOSS_TARGET, Dumbbell

_USERS = 1000
_LINK = Dumbbell(
    capacity_bps=200_000_000,
    rtt_s=(0.04, 0.44),
    packet_bytes=PACKET_BYTES,
    n_flows=(_USERS,),
    start_s=70,
    window_s=60,
)
_BACK = "reverse"
_LOSS_TARGET = 0.02
_FIGURE_1 = ("drop-tail", "adt", "adaptive RED", "abs")

_COLUMNS: Mapping[str, Callable[[Discipline], float]] = {
    "utilization (%)": lambda row: 100 * row.utilization,
    "loss (%)": lambda row: 100 * row.loss,
    "mean queueing delay (ms)": lambda row: 1e3 * row.mean_delay_s,
    "Jain's fairness index": lambda row: row.fairness,
    "goodput (% of capacity)": lambda row: 100 * row.goodput,
}
_RANGES = {"utilization (%)": (90, 101), "goodput (% of capacity)": (90, 101)}
_LOGARITHMIC = "mean queueing delay (ms)"
_SHOWN_S = 30.0


def _users(path: str, *reverse_path: str) -> TcpFlows:
    users = _LINK.long_flows(_USERS, 10, name=path)
    return replace(users, path=(path,), reverse_path=reverse_path)


def _one_way(name: str, sizing: Sizing) -> Scenario:
    return _LINK.scenario(name, sizing, _USERS, _users(LINK))


def _both_ways(name: str, sizing: Sizing) -> Scenario:
    links = tuple(Link(way, _LINK.capacity_bps, sizing) for way in (LINK, _BACK))
    traffic = (_users(LINK, _BACK), _users(_BACK, LINK))
    return replace(_one_way(name, sizing), links=links, traffic=traffic)


def _red(name: str) -> Scenario:
    disc = QueueDisc("RedQueueDisc", {"ARED": "true", "MaxSize": f"{_LINK.pipe_packets:.0f}p"})
    link = Link(LINK, _LINK.capacity_bps, None, disc)
    return replace(_one_way(name, _LINK.fixed(DROP_TAIL_PACKETS)), links=(link,))


def _scenarios() -> list[Scenario]:
    """The rows of the table and those of `abs`."""

    def law(policy: str, loss: float = NO_LOSS_TARGET) -> Sizing:
        return _LINK.adaptive(policy, DROP_TAIL_PACKETS, UTILIZATION, loss=loss)

    return [
        _one_way("drop-tail", _LINK.fixed(DROP_TAIL_PACKETS)),
        _one_way("adt", law("adt")),
        _red("adaptive RED"),
        _both_ways("adt, both ways", law("adt")),
        _one_way("abs", law("abs")),
        _both_ways("abs, both ways", law("abs")),
        _one_way(f"abs, loss {_LOSS_TARGET:.0%}", law("abs", _LOSS_TARGET)),
    ]


def _cell(scenario: Scenario) -> Cell:
    printed = TABLE.get(scenario.name)
    if printed is None:
        return Cell(scenario)
    limit = DROP_TAIL_PACKETS if scenario.name == "drop-tail" else None
    policy = "ared" if scenario.link().sizing is None else ""
    return Cell(scenario, policy=policy, paper=Paper(limit, printed.utilization, printed.loss))


@dataclass(frozen=True)
class Table(Experiment):
    name: str = "seed002-table"
    title: str = "Queue disciplines with 1000 users: utilization, loss, delay, fairness, goodput"
    source: str = "Stanojevic and Shorten 2006, section III.A, Figure 1"
    claim: str = (
        "ADT gives up 1 % of utilization and cuts the mean queueing delay to a third of adaptive "
        "RED's and less of drop-tail's; with congestion both ways it still holds its utilization."
    )

    def cells(self) -> Sequence[Cell]:
        return [_cell(scenario) for scenario in _scenarios()]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"table": _drawn(_disciplines(results)), "figure1": _queues(results)}

    def findings(self, results: Results) -> Sequence[str]:
        disciplines = _disciplines(results)
        rows = [_sentence(name, row, TABLE.get(name)) for name, row in disciplines.items()]
        delay_s = {name: row.mean_delay_s for name, row in disciplines.items()}
        return [
            *rows,
            "Mean queueing delay of ADT over that of drop-tail and of adaptive RED: "
            f"{delay_s['adt'] / delay_s['drop-tail']:.2f} and "
            f"{delay_s['adt'] / delay_s['adaptive RED']:.2f} "
            f"(printed: {_printed_ratio('drop-tail'):.2f} and "
            f"{_printed_ratio('adaptive RED'):.2f}); of abs over ADT: "
            f"{delay_s['abs'] / delay_s['adt']:.2f}.",
        ]


def _disciplines(results: Results) -> dict[str, Discipline]:
    return {
        scenario.name: mean_of(
            [discipline_of(result, PACKET_BYTES) for result in results.measured(scenario)]
        )
        for scenario in _scenarios()
    }


def _printed_ratio(other: str) -> float:
    return TABLE["adt"].mean_delay_s / TABLE[other].mean_delay_s


def _sentence(name: str, row: Discipline, printed: Discipline | None) -> str:
    def told(values: Discipline) -> str:
        return (
            f"utilization {values.utilization:.2%}, loss {values.loss:.2%}, mean delay "
            f"{1e3 * values.mean_delay_s:.1f} ms, fairness {values.fairness:.2f}, "
            f"goodput {values.goodput:.2%}"
        )

    return f"{name}: {told(row)}" + (f" (printed: {told(printed)})." if printed else ".")


def _drawn(rows: Mapping[str, Discipline]) -> Figure:
    """A bar per discipline and column, with the printed value as a hollow mark."""
    title = "1000 users at 200 Mb/s"
    figure, axes = figures.panels(2, 3, title=title, panel_height_in=2.6, share_x=False)
    names = list(rows)
    places = range(len(names))
    for place, (panel, (column, value)) in enumerate(zip(axes, _COLUMNS.items(), strict=False)):
        values = [value(row) for row in rows.values()]
        panel.barh(places, values, color=figures.MEASURED_COLOUR, height=0.6, label="measured")
        for row, measured in enumerate(values):
            panel.text(
                1.02, row, f"{measured:.3g}", va="center", fontsize="x-small",
                transform=panel.get_yaxis_transform(),
            )  # fmt: skip
        marks = {row: value(TABLE[name]) for row, name in enumerate(names) if name in TABLE}
        figures.printed(panel, list(marks.values()), list(marks))
        panel.set_xlabel(column)
        panel.set_yticks(places, names if place % 3 == 0 else [""] * len(names))
        panel.invert_yaxis()
        panel.grid(visible=False, axis="y")
        panel.set_xlim(_RANGES.get(column))
        if column == _LOGARITHMIC:
            figures.logarithmic(panel, y=False)
            panel.set_xlim(1, 2 * max(values))
    axes[-1].axis("off")
    axes[-1].legend(*axes[0].get_legend_handles_labels(), loc="center")
    return figure


def _queues(results: Results) -> Figure:
    """Figure 1: the queue in the last seconds of the run, one panel per discipline."""
    shown = [each for each in _scenarios() if each.name in _FIGURE_1]
    figure, axes = figures.panels(len(shown), title="Queue over time", panel_height_in=1.5)
    for panel, scenario in zip(axes, shown, strict=True):
        series = results.measured(scenario)[0].link().series
        late = series.time_s > series.time_s[-1] - _SHOWN_S
        packets = series.occupancy_bytes[late] / PACKET_BYTES
        panel.plot(series.time_s[late], packets, linewidth=0.6)
        panel.set_title(scenario.name, fontsize="small")
        panel.sharey(axes[0])
    axes[0].set_ylim(bottom=0)
    figure.supylabel("queue (packets)", fontsize="medium")
    axes[-1].set_xlabel("time (s)")
    return figure
