"""Corollaries 1 and 2: no buffer, and the buffer B_0, in the model and in simulation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.optimal_buffer_size import grid
from p4abs_experiments.papers.optimal_buffer_size.dumbbell import model

_WHY = (
    "Both corollaries hold exactly in the model. It leaves out that acknowledgments return at the "
    "capacity while there is a queue: the real rate then exceeds the capacity by little, the queue "
    "fills slowly and stays near the limit for long, and the round-trip time grows with it."
)


@dataclass(frozen=True)
class Corollaries(Experiment):
    name: str = "seed003-corollaries"
    title: str = "Utilization and mean queue against the buffer, fluid model and simulation"
    source: str = "Avrachenkov, Ayesta and Piunovskiy 2005, Corollaries 1 and 2"
    claim: str = (
        "Without a buffer TCP still uses (1 + beta)/2 of the link, 75 % when all flows are "
        "synchronized; at B_0 the link is fully used and a third of the buffer is filled."
    )

    def cells(self) -> Sequence[Cell]:
        return grid.cells(grid.PARETO_BUFFERS)

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, (utilizations, queues) = figures.panels(2, title=self.title)
        shares = np.linspace(0, 2.5, 126)
        fluid = model(1)
        minimum = fluid.full_utilization_buffer
        curve = [100 * fluid.utilization(share * minimum) for share in shares]
        figures.model(utilizations, shares, curve, "fluid model, synchronized")
        curve = [fluid.mean_queue(share * minimum) / minimum for share in shares]
        figures.model(queues, shares, curve, "fluid model, synchronized")
        for n_flows, points in grid.points(results, grid.PARETO_BUFFERS).items():
            minimum = model(n_flows).full_utilization_buffer
            measured = [point.buffer_packets / minimum for point in points]
            used = [100 * point.utilization for point in points]
            figures.curve(utilizations, measured, used, f"N = {n_flows}")
            waiting = [point.mean_queue_packets / minimum for point in points]
            figures.curve(queues, measured, waiting, f"N = {n_flows}")
        figures.target(utilizations, 100, "Corollary 2, full")
        figures.target(queues, 1 / 3, "Corollary 2, B_0 / 3")
        figures.label(utilizations, "", "utilization (%)")
        figures.label(queues, "buffer / B_0", "mean queue / B_0")
        for axes in (utilizations, queues):
            figures.legend(axes)
        return {"corollaries": figure}

    def findings(self, results: Results) -> Sequence[str]:
        sentences = []
        for n_flows, points in grid.points(results, grid.PARETO_BUFFERS).items():
            sentences.append(_corollary_1(n_flows, points[0]))
            minimum = model(n_flows).full_utilization_buffer
            at_least = min(points, key=lambda point: abs(point.buffer_packets - minimum))
            sentences.append(_corollary_2(n_flows, at_least))
        return [*sentences, _WHY]


def _corollary_1(n_flows: int, point: grid.Point) -> str:
    synchronised = model(n_flows).utilization(0)
    desynchronised = model(n_flows, signalled=1).utilization(0)
    place = "between the two"
    if point.utilization < synchronised:
        place = (
            "below both: pairs of packets collide, and a retransmission that is lost costs a "
            "timeout of many round trips, which the fluid model lacks"
        )
    elif point.utilization > desynchronised:
        place = "above both"
    return (
        f"Corollary 1, N = {n_flows}: with a buffer of {point.buffer_packets} packet the link is "
        f"used to {point.utilization:.1%}. The corollary says {synchronised:.1%} for synchronized "
        f"flows and {desynchronised:.1%} when one flow at a time is hit; the measurement lies "
        f"{place}."
    )


def _corollary_2(n_flows: int, point: grid.Point) -> str:
    filled = point.mean_queue_packets / point.buffer_packets
    return (
        f"Corollary 2, N = {n_flows}: at B_0 = {point.buffer_packets} packets the link is used to "
        f"{point.utilization:.2%} (corollary: 100 %) and {filled:.0%} of the buffer is filled on "
        "average (corollary: 33 %)."
    )
