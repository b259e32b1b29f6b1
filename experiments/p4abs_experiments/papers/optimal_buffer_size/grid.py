"""Which buffers are simulated for which number of flows, and what they gave: shared by the
figures, so that each pair is simulated once."""

from collections.abc import Mapping
from dataclasses import dataclass

from p4abs_experiments.experiment import Results
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.optimal_buffer_size import published
from p4abs_experiments.papers.optimal_buffer_size.dumbbell import (
    SMALLEST_BUFFER_PACKETS,
    static_cell,
)

PARETO_BUFFERS: Mapping[int, tuple[int, ...]] = {
    5: (SMALLEST_BUFFER_PACKETS, 4, 10, 20, 40, 70, 90, 120, 150, 200, 250),
    20: (SMALLEST_BUFFER_PACKETS, 4, 10, 20, 34, 48, 62, 70, 85, 100, 120, 150),
}
"""Packets, of the two numbers of flows in Figure 7: from nothing past B_0, which is among them."""

SUFFICIENT_BUFFERS: Mapping[int, tuple[int, ...]] = {
    1: (106, 125, 150, 180, 212),
    2: (106, 125, 150, 180, 212),
    5: tuple(buffer for buffer in PARETO_BUFFERS[5] if buffer >= 70),
    10: (57, 80, 95, 113, 130, 150),
    20: tuple(buffer for buffer in PARETO_BUFFERS[20] if buffer >= 62),
    40: (28, 40, 57, 70, 85, 100, 120),
}
"""Packets, around the least buffer of full utilization, of the numbers of flows in Figure 8."""


@dataclass(frozen=True, slots=True)
class Point:
    """A fixed buffer and what it gave: packets, and packets as the mean over time."""

    buffer_packets: int
    mean_queue_packets: float
    utilization: float


def cells(buffers: Mapping[int, tuple[int, ...]]) -> list[Cell]:
    return [static_cell(n_flows, each) for n_flows, column in buffers.items() for each in column]


def points(results: Results, buffers: Mapping[int, tuple[int, ...]]) -> dict[int, list[Point]]:
    """By number of flows, in ascending order of the buffer."""
    return {
        n_flows: [_point(results, n_flows, buffer) for buffer in column]
        for n_flows, column in buffers.items()
    }


def _point(results: Results, n_flows: int, buffer: int) -> Point:
    scenario = static_cell(n_flows, buffer).scenario
    queue_bytes = results.mean(scenario, lambda r: r.link().mean_occupancy_bytes)
    return Point(
        buffer_packets=buffer,
        mean_queue_packets=queue_bytes / published.PACKET_BYTES,
        utilization=results.utilization(scenario),
    )
