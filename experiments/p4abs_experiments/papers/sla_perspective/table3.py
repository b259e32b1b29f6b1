"""Table 3: what four sizing schemes give for the paper's loads, and what their buffers then do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Link, Sizing
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.output import figures
from p4abs_experiments.papers.sla_perspective import published, scale, schemes, settings, testbed
from p4abs_experiments.papers.sla_perspective.aggregate import (
    delay_ms,
    loss_percent,
    throughput_mbps,
)
from p4abs_experiments.papers.sla_perspective.published import Sizes
from p4abs_experiments.papers.sla_perspective.traffic import LONG, Load
from p4abs_experiments.simulation.result import CellResult

_PRINTED_STANFORD = "stanford, printed size"
"""The square root rule does not scale: a fifth of the flows get sqrt(5) times the seconds."""
_ABS = "abs"
_LABELS = (*schemes.SCHEMES, _PRINTED_STANFORD, _ABS)
_ABS_SETTLES_S = 80.0


@dataclass(frozen=True)
class Table3(Experiment):
    name: str = "seed004-table3"
    title: str = "Four sizing schemes and ABS: buffer, throughput, delay and loss"
    source: str = "Sommers, Barford, Greenberg and Willinger 2006, Table 3"
    claim: str = (
        "All four schemes give high throughput. The square root rule risks high loss; BSCL and "
        "FPQ keep loss low with buffers that delay packets unreasonably. "
        f"Simulated at 1/{scale.SCALE} of the OC3 link and of its flows, buffers in seconds."
    )

    def cells(self) -> Sequence[Cell]:
        return [_cell(load, sizes, label) for load, sizes in _rows_of_table() for label in _LABELS]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        drawn = {}
        for file_name, loads in (
            ("table3-long-flows", settings.LONG_LOADS),
            ("table3-web", settings.WEB_LOADS),
        ):
            figure, panels = figures.panels(4, title=f"{self.title}; {loads[0].mix}")
            for axes, (metric, value) in zip(panels, _METRICS.items(), strict=True):
                for label in _LABELS:
                    values = [
                        results.mean(_cell(load, sizes, label).scenario, value)
                        for load, sizes in _rows_of_table()
                        if load in loads
                    ]
                    figures.curve(axes, range(len(loads)), values, label)
                    if label == _PRINTED_STANFORD:
                        axes.lines[-1].set(color=figures.GREY, marker="D")
                axes.set_ylabel(metric)
            _draw_printed(panels[0], loads)
            figures.logarithmic(panels[0], x=False)
            figures.target(panels[-1], 100 * schemes.BSCL_LOSS, "loss target of BSCL")
            figures.target(panels[-1], 100 * _ABS_LOSS, "loss target of ABS")
            panels[-1].set_xticks(range(len(loads)), [load.name for load in loads])
            figures.label(
                panels[-1],
                f"load of the full-size link ({loads[0].mix})",
                f"loss (%); targets:\nBSCL {100 * schemes.BSCL_LOSS:g}, ABS {100 * _ABS_LOSS:g}",
            )
            figures.legend_below(figure, panels[0], columns=4)
            drawn[file_name] = figure
        return drawn

    def findings(self, results: Results) -> Sequence[str]:
        return [
            *(_extremes(results, label) for label in _LABELS),
            _schemes_sentence(),
            _bscl(results),
            *(_sentence(results, load, sizes) for load, sizes in _rows_of_table()),
        ]


_ABS_LOSS = 0.02
_ABS_UTILIZATION = 0.98


def _buffer_ms(result: CellResult) -> float:
    return 1e3 * scale.seconds(result.link().mean_limit_bytes)


_METRICS = {
    "buffer (ms)": _buffer_ms,
    "throughput (Mb/s)": throughput_mbps,
    "mean delay (ms)": delay_ms,
    "loss (%)": loss_percent,
}


def _rows_of_table() -> Iterator[tuple[Load, Sizes]]:
    """Every load with the printed sizes."""
    yield from zip(settings.LONG_LOADS, published.LONG_FLOW_SIZES.values(), strict=True)
    yield from zip(settings.WEB_LOADS, published.WEB_SIZES.values(), strict=True)


def _cell(load: Load, sizes: Sizes, label: str) -> Cell:
    settle_s, measured_s = settings.times_s(load)
    if label == _ABS:
        settle_s = max(settle_s, _ABS_SETTLES_S)
    printed = getattr(sizes, label.removesuffix(", printed size"), None)
    return Cell(
        testbed.scenario(load, _link(load, sizes, label), settle_s, measured_s),
        policy=label,
        paper=Paper(limit_packets=printed),
    )


def _link(load: Load, sizes: Sizes, label: str) -> Link:
    if label == _PRINTED_STANFORD:
        return testbed.fixed(sizes.stanford)
    if label == _ABS:
        return testbed.adaptive(_ABS_UTILIZATION, _ABS_LOSS)
    n_flows = _flows_of(load, sizes, label) / scale.SCALE
    sizing = Sizing(
        policy=label,
        parameters=schemes.parameters(label, n_flows),
        loss=schemes.BSCL_LOSS,
        initial_limit_bytes=scale.limit_bytes(published.BDP_PACKETS),
        min_limit_bytes=scale.LARGEST_FRAME_BYTES,
    )
    return testbed.sized(sizing)


def _flows_of(load: Load, sizes: Sizes, scheme: str) -> float:
    """Of the full-size testbed: the number of long flows, or what the paper counted."""
    return load.level if load.mix == LONG else schemes.flows_behind(scheme, sizes)


def _draw_printed(axes: Axes, loads: Sequence[Load]) -> None:
    marks = [
        (loads.index(load), 1e3 * schemes.MEAN_RTT_S * packets / published.BDP_PACKETS)
        for load, sizes in _rows_of_table()
        if load in loads
        for packets in astuple(sizes)
    ]
    places, buffers_ms = zip(*marks, strict=True)
    figures.printed(axes, places, buffers_ms, "printed sizes")


def _values(
    results: Results, load: Load, sizes: Sizes, label: str
) -> tuple[float, float, float, float]:
    """(buffer in ms, utilization, mean delay in ms, loss in percent)."""
    scenario = _cell(load, sizes, label).scenario
    buffer_ms, rate_mbps, delay, loss = (
        results.mean(scenario, value) for value in _METRICS.values()
    )
    return buffer_ms, rate_mbps * 1e6 / scale.CAPACITY_BPS, delay, loss


def _extremes(results: Results, label: str) -> str:
    values = [
        _values(results, load, sizes, label) for load, sizes in _rows_of_table() if load.mix == LONG
    ]
    _, utilizations, delays, losses = zip(*values, strict=True)
    return (
        f"Over all loads of long flows, {label} keeps utilization at or above "
        f"{min(utilizations):.1%}, delay at or below {max(delays):.3g} ms and loss at or below "
        f"{max(losses):.2g} %."
    )


def _bscl(results: Results) -> str:
    losses = [
        _values(results, load, sizes, "bscl")[-1]
        for load, sizes in _rows_of_table()
        if load.mix == LONG and sizes.bscl > sizes.bdp
    ]
    return (
        f"BSCL aims at {schemes.BSCL_LOSS:.0%} of loss and, where that decides, gets "
        f"{min(losses):.2g} to {max(losses):.2g} %. Its windows of 0.87 / sqrt(p) are those of "
        "delayed acknowledgments, as here; without them TCP is more aggressive and loses more."
    )


def _schemes_sentence() -> str:
    return (
        "Table 3 follows from p4abs.policies: one bandwidth-delay product; the square root rule, "
        "rounded down; six packets per flow; BSCL for 1 % of loss and a path of "
        f"{schemes.BSCL_PATH_PACKETS} packets. Only its 30 and 60 long flows need the loss "
        "synchronization that the paper measured and does not print; here it is 0.6."
    )


def _sentence(results: Results, load: Load, sizes: Sizes) -> str:
    parts = []
    for label in _LABELS:
        buffer_ms, used, delay, loss = _values(results, load, sizes, label)
        parts.append(f"{label} {buffer_ms:.3g} ms: {used:.1%}, {delay:.3g} ms, loss {loss:.2g} %")
    return f"{load.mix}, {load.name} (buffer: utilization, mean delay, loss): {'; '.join(parts)}."
