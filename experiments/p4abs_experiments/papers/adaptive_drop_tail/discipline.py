"""What the paper's table says of a queue discipline, and how it is read from a simulation."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from statistics import fmean

from p4abs_experiments.papers.packet_sizing import segment_bytes
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
