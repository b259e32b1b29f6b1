"""The figures that the paper prints in its table (section III.A) and text, and how they are read
from a simulation.

200 Mb/s, 1000 TCP users with RTT U[40, 440] ms, packets of 1500 bytes.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from statistics import fmean

from p4abs_experiments.papers.dumbbell import segment_bytes
from p4abs_experiments.simulation.result import CellResult


@dataclass(frozen=True, slots=True)
class Discipline:
    """One row. `fairness` is Jain's index of the users' goodput; `utilization`, `loss` and
    `goodput` are fractions, the last of the capacity, in whole frames: the paper's simulator
    has no headers."""

    utilization: float
    loss: float
    mean_delay_s: float
    fairness: float
    goodput: float


def jain_index(values: Sequence[float]) -> float:
    """(sum x)^2 / (n sum x^2): 1 for equal values, 1/n for a single one that is not 0."""
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 1.0


def discipline_of(result: CellResult, packet_bytes: int) -> Discipline:
    """The first link, and the first traffic entry, whose packets are of `packet_bytes`."""
    link, users = result.link(), result.traffic[0]
    frames = packet_bytes / segment_bytes(packet_bytes)
    return Discipline(
        utilization=link.utilization,
        loss=link.loss,
        mean_delay_s=link.queue_delay_mean_s,
        fairness=jain_index([flow.goodput_bps for flow in users.flows]),
        goodput=users.goodput_bps * frames / link.capacity_bps,
    )


def mean_of(disciplines: Sequence[Discipline]) -> Discipline:
    return Discipline(*(fmean(column) for column in zip(*map(astuple, disciplines), strict=True)))


PACKET_BYTES = 1500
UTILIZATION = 0.99
DROP_TAIL_PACKETS = 500

TABLE = {
    "drop-tail": Discipline(0.9999, 0.0473, 0.02378, 0.58, 0.9875),
    "adt": Discipline(0.9903, 0.0487, 0.00666, 0.56, 0.9772),
    "adaptive RED": Discipline(1.0000, 0.0490, 0.01799, 0.79, 0.9892),
    "adt, both ways": Discipline(0.9904, 0.0473, 0.01714, 0.70, 0.9454),
}
"""The last: 1000 connections in each direction, ADT at both queues."""

FIGURE_3_MANY_USERS_PACKETS = 40
FIGURE_3_FEW_USERS_PACKETS = 400
"""Section III.C: below the first for 500 users, over the second for 10."""
