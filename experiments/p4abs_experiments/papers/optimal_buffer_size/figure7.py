"""Figure 7: the Pareto sets of throughput against mean queue, for 5 and 20 flows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import smallest_buffer
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.sized import sizing_of
from p4abs_experiments.output import figures
from p4abs_experiments.papers.optimal_buffer_size import grid, published
from p4abs_experiments.papers.optimal_buffer_size.dumbbell import adaptive_cell, model

TARGET_UTILIZATIONS = (0.95, 0.98)
"""Of ABS: it ought to find the points of the Pareto set that problem (4) asks for."""


@dataclass(frozen=True)
class Figure7(Experiment):
    name: str = "seed003-figure7"
    title: str = "Pareto sets of throughput and mean queue for 5 and 20 flows"
    source: str = "Avrachenkov, Ayesta and Piunovskiy 2005, Figure 7"
    claim: str = (
        "As the buffer grows, throughput rises steeply from what is reached without a buffer "
        "(64.4 Mb/s for 5 flows, 66.6 Mb/s for 20) and flattens at the capacity of 100 Mb/s, "
        "while the queue keeps growing; the fluid model predicts the shape."
    )

    def cells(self) -> Sequence[Cell]:
        return [*grid.cells(grid.PARETO_BUFFERS), *_adaptive_cells()]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, panels = figures.panels(2, title=self.title, panel_height_in=3.3)
        for axes, (n_flows, points) in zip(
            panels, grid.points(results, grid.PARETO_BUFFERS).items(), strict=True
        ):
            _draw(axes, n_flows, points)
            for number, cell in enumerate(_adaptive_cells(n_flows)):
                queue, rate = _adaptive_point(results, cell)
                axes.plot(queue, rate, "*", color=figures.GREEN, markersize=12,
                          label=None if number else "ABS")  # fmt: skip
            for utilization in TARGET_UTILIZATIONS:
                rate = utilization * _CAPACITY_MBPS
                figures.target(axes, rate, f"target of ABS, {rate:g} Mb/s")
            figures.legend(axes)
        panels[-1].set_xlabel("mean queue (packets of 500 B)")
        return {"figure7": figure}

    def findings(self, results: Results) -> Sequence[str]:
        sentences = []
        for n_flows, points in grid.points(results, grid.PARETO_BUFFERS).items():
            sentences.append(_unbuffered(n_flows, points[0]))
            sentences.append(_shape(n_flows, points))
            sentences += [_adaptive(results, cell, points) for cell in _adaptive_cells(n_flows)]
        return sentences


_CAPACITY_MBPS = published.CAPACITY_BPS / 1e6


def _adaptive_cells(*n_flows: int) -> list[Cell]:
    return [
        adaptive_cell(n, utilization)
        for n in n_flows or tuple(grid.PARETO_BUFFERS)
        for utilization in TARGET_UTILIZATIONS
    ]


def _adaptive_point(results: Results, cell: Cell) -> tuple[float, float]:
    """(mean queue in packets, throughput in Mb/s)."""
    scenario = cell.scenario
    queue_bytes = results.mean(scenario, lambda r: r.link().mean_occupancy_bytes)
    return queue_bytes / published.PACKET_BYTES, results.utilization(scenario) * _CAPACITY_MBPS


def _draw(axes: Axes, n_flows: int, points: Sequence[grid.Point]) -> None:
    queues = [point.mean_queue_packets for point in points]
    rates = [point.utilization * _CAPACITY_MBPS for point in points]
    figures.curve(axes, queues, rates, "simulated; numbers: buffer in packets")
    for point, queue, rate in zip(points, queues, rates, strict=True):
        axes.annotate(str(point.buffer_packets), (queue, rate), (3, -11),
                      textcoords="offset points", fontsize="x-small")  # fmt: skip
    model_queues, model_rates = model(n_flows).pareto_set()
    model_mbps = [rate * 8 * published.PACKET_BYTES / 1e6 for rate in model_rates]
    figures.model(axes, model_queues, model_mbps, "fluid model, synchronized")
    printed = published.ZERO_BUFFER_RATE_BPS[n_flows] / 1e6
    figures.printed(axes, [0], [printed], "printed, without a buffer")
    figures.label(axes, "", "throughput (Mb/s)", f"N = {n_flows}")


def _unbuffered(n_flows: int, point: grid.Point) -> str:
    printed = published.ZERO_BUFFER_RATE_BPS[n_flows] / 1e6
    return (
        f"{n_flows} flows send {point.utilization * _CAPACITY_MBPS:.1f} Mb/s with a buffer of "
        f"{point.buffer_packets} packet. Without a buffer, the paper prints {printed} Mb/s, and "
        f"its fluid model has {model(n_flows).utilization(0) * _CAPACITY_MBPS:.0f} Mb/s."
    )


def _shape(n_flows: int, points: Sequence[grid.Point]) -> str:
    full = [point for point in points if point.utilization >= published.FULL_UTILIZATION]
    dominated = [b.buffer_packets for a, b in pairwise(points) if b.utilization < a.utilization]
    reached = (
        f"{published.FULL_UTILIZATION:.1%} is reached at a mean queue of "
        f"{full[0].mean_queue_packets:.0f} packets"
        if full
        else f"{published.FULL_UTILIZATION:.1%} is not reached"
    )
    shape = (
        "throughput never falls as the buffer grows"
        if not dominated
        else f"throughput dips at {', '.join(map(str, dominated))} packets"
    )
    minimum = model(n_flows).full_utilization_buffer
    return (
        f"N = {n_flows}: {shape}; {reached}, where the fluid model has {minimum / 3:.0f} "
        f"(a third of its B_0 = {minimum:.0f})."
    )


def _adaptive(results: Results, cell: Cell, points: Sequence[grid.Point]) -> str:
    sizing = sizing_of(cell.scenario)
    queue, rate = _adaptive_point(results, cell)
    limit = results.limit_bytes(cell.scenario)
    needed = smallest_buffer(
        [point.buffer_packets for point in points],
        [point.utilization for point in points],
        sizing.utilization,
    )
    return (
        f"ABS asked for {sizing.utilization:.0%} with N = {cell.scenario.n_flows} settles at "
        f"{limit / published.PACKET_BYTES:.1f} packets, {rate:.2f} Mb/s and a mean queue of "
        f"{queue:.1f} packets: {limit / published.PACKET_BYTES / needed:.2f} times the smallest "
        f"fixed buffer that reaches it, {needed:.1f} packets between those simulated."
    )
