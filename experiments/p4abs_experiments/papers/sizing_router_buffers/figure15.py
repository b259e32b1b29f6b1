"""Figure 15: model, simulation and router measurement of utilization, side by side.

155 Mb/s and 1291 packets of pipe, that is 100 ms with the 1500-byte packets of section 5.2; the
spread of round-trip times is not printed (U[70, 130] ms here). Nothing is scaled but time: 20 s
after 10 s of start. Every row is simulated twice: as ns2 had it, and as the router had it, with
an internal FIFO of 43 packets behind the buffer that was set (footnote 10) and Linux hosts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import RENO, Scenario, Sizing
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.output import figures
from p4abs_experiments.papers.dumbbell import Dumbbell, square_root_rule
from p4abs_experiments.papers.sizing_router_buffers.models.gaussian import (
    utilization_bound,
    utilization_bound_of_linecard,
)
from p4abs_experiments.papers.sizing_router_buffers.published import (
    FIGURE_15,
    FIGURE_15_PIPE_PACKETS,
    LINECARD_FIFO_PACKETS,
    RouterMeasurement,
)

_PACKET_BYTES = 1500
_LINK = Dumbbell(
    capacity_bps=155_000_000,
    rtt_s=(0.07, 0.13),
    packet_bytes=_PACKET_BYTES,
    n_flows=tuple(sorted({row.n_flows for row in FIGURE_15})),
    start_s=10.0,
    window_s=20.0,
)
_ABS_UTILIZATION = 0.995


@dataclass(frozen=True, slots=True)
class _Bench:
    """One of the paper's two benches: what it adds to the buffer, its TCP and its column."""

    name: str
    fifo_packets: int
    congestion_control: str
    printed: Callable[[RouterMeasurement], float]


_NS2 = _Bench("as ns2", 0, RENO, lambda row: row.simulated)
_ROUTER = _Bench("as the router", LINECARD_FIFO_PACKETS, "reno", lambda row: row.measured)


def _scenario(bench: _Bench, name: str, n_flows: int, sizing: Sizing) -> Scenario:
    flows = _LINK.long_flows(
        n_flows, _LINK.start_s / 4, congestion_control=bench.congestion_control
    )
    return _LINK.scenario(f"{n_flows} flows, {name}, {bench.name}", sizing, n_flows, flows)


def _fixed(bench: _Bench, row: RouterMeasurement) -> Scenario:
    sizing = _LINK.fixed(row.buffer_packets + bench.fifo_packets)
    return _scenario(bench, f"{row.multiple:g} x pipe/sqrt(n)", row.n_flows, sizing)


def _adaptive(n_flows: int) -> Scenario:
    sizing = _LINK.adaptive("abs", FIGURE_15_PIPE_PACKETS / 10, _ABS_UTILIZATION)
    return _scenario(_NS2, "adaptive", n_flows, sizing)


@dataclass(frozen=True)
class Linecard(Experiment):
    name: str = "seed001-figure15"
    title: str = "Utilization of an OC3 line card against buffer and number of flows"
    source: str = "Appenzeller, Keslassy, McKeown 2004, Figure 15, equation (6)"
    claim: str = (
        "Model, simulation and a real router agree that 2 T_p C / sqrt(n) gives about 99 % "
        "utilization and twice that practically all of it."
    )

    def cells(self) -> Sequence[Cell]:
        fixed = [
            Cell(
                _fixed(bench, row),
                policy="stanford" if row.multiple == 1 else "",
                paper=Paper(row.buffer_packets, bench.printed(row)),
            )
            for bench in (_NS2, _ROUTER)
            for row in FIGURE_15
        ]
        return [*fixed, *(Cell(_adaptive(n_flows)) for n_flows in _LINK.n_flows)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {
            "figure15": plot(
                {
                    bench.name: [100 * _measured(results, bench, row) for row in FIGURE_15]
                    for bench in (_NS2, _ROUTER)
                }
            )
        }

    def findings(self, results: Results) -> Sequence[str]:
        return [
            _distance_finding(results),
            _model_finding(),
            *(_adaptive_finding(results, n_flows) for n_flows in _LINK.n_flows),
        ]


def _measured(results: Results, bench: _Bench, row: RouterMeasurement) -> float:
    return results.utilization(_fixed(bench, row))


def _distance_finding(results: Results) -> str:
    def distances(bench: _Bench) -> str:
        points = [100 * (_measured(results, bench, row) - bench.printed(row)) for row in FIGURE_15]
        return f"{fmean(points):+.2f} on average, {max(points, key=abs):+.2f} at worst"

    return (
        "Measured less printed utilization, in percentage points: with ns2, "
        f"{distances(_NS2)}; with the router (here with its FIFO and Linux's Reno), "
        f"{distances(_ROUTER)}. After a burst of losses the simulator's NewReno halves what is "
        "left in flight, ns2's the window: with few flows its link idles more often."
    )


def _model_finding() -> str:
    pipe, fifo = FIGURE_15_PIPE_PACKETS, LINECARD_FIFO_PACKETS
    first = FIGURE_15[0]
    equation = utilization_bound(pipe, first.buffer_packets, first.n_flows)
    linecard = [
        utilization_bound_of_linecard(pipe, row.buffer_packets, row.n_flows, fifo)
        for row in FIGURE_15
    ]
    worst = max(abs(value - row.model) for value, row in zip(linecard, FIGURE_15, strict=True))
    return (
        f"The printed model column is not equation (6), which gives {equation:.1%} where "
        f"{first.model:.1%} is printed; with the FIFO added to the buffer and the sum of the "
        f"windows taken as the pipe alone it is {linecard[0]:.1%}, and no row differs by more "
        f"than {100 * worst:.2f} points."
    )


def _adaptive_finding(results: Results, n_flows: int) -> str:
    scenario = _adaptive(n_flows)
    limit = results.limit_bytes(scenario) / _PACKET_BYTES
    used = results.utilization(scenario)
    rule = square_root_rule(FIGURE_15_PIPE_PACKETS, n_flows)
    return (
        f"abs for {n_flows} flows, asked for {_ABS_UTILIZATION:.1%}, holds {limit:.0f} packets "
        f"({limit / rule:.2f} x pipe/sqrt(n)) and uses {used:.2%}."
    )


def plot(measured: Mapping[str, Sequence[float]]) -> Figure:
    """`measured`: utilization in percent of every row, by the bench."""
    figure, axes = figures.panels(
        1, len(_LINK.n_flows), title="Utilization of an OC3 line card", panel_height_in=4.0
    )
    for panel, n_flows in zip(axes, _LINK.n_flows, strict=True):
        panel.sharey(axes[0])
        chosen = [place for place, row in enumerate(FIGURE_15) if row.n_flows == n_flows]
        rows = [FIGURE_15[place] for place in chosen]
        multiples = [row.multiple for row in rows]
        for name, used in measured.items():
            figures.curve(panel, multiples, [used[place] for place in chosen], f"measured, {name}")
        figures.printed(panel, multiples, [100 * row.simulated for row in rows], "paper: ns2")
        figures.printed(
            panel, multiples, [100 * row.measured for row in rows], "paper: router", "x"
        )
        bounds = [
            100 * utilization_bound(FIGURE_15_PIPE_PACKETS, row.buffer_packets, n_flows)
            for row in rows
        ]
        figures.model(panel, multiples, bounds, "equation (6), a lower bound")
        figures.label(panel, "buffer (pipe/sqrt(n))", "", f"{n_flows} flows")
    axes[0].set_ylabel("utilization (%)")
    axes[0].set_ylim(88, 100.5)
    axes[0].legend(loc="lower right", fontsize="x-small")
    return figure
