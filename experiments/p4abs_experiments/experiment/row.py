"""Rows of the result tables: one per cell and sized link."""

from collections.abc import Iterable
from dataclasses import dataclass

from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import CellResult


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. Units in the names, fractions for utilization and loss; None where
    there is nothing to print. `ratio` = mean_limit_bytes / static_optimum_bytes."""

    scenario: str
    policy: str
    n_flows: int
    capacity_bps: int
    seed: int
    mean_limit_bytes: float
    static_optimum_bytes: float | None
    ratio: float | None
    utilization: float
    loss: float
    queue_delay_p50_s: float
    queue_delay_p99_s: float
    paper_limit_packets: float | None
    paper_utilization: float | None
    paper_loss: float | None


def row_of(
    cell: Cell, result: CellResult, optimum: Optimum | None = None, link: str | None = None
) -> Row:
    """The row of one link (by default the first) of one cell; other links than the first carry
    their name in the scenario's."""
    measured = result.link(link)
    limit = None if optimum is None or optimum.binding == "none" else optimum.limit_bytes
    first = measured.name == cell.scenario.link().name
    return Row(
        scenario=cell.scenario.name if first else f"{cell.scenario.name} {measured.name}",
        policy=cell.policy_label,
        n_flows=cell.scenario.n_flows,
        capacity_bps=measured.capacity_bps,
        seed=cell.seed,
        mean_limit_bytes=measured.mean_limit_bytes,
        static_optimum_bytes=limit,
        ratio=None if limit is None else measured.mean_limit_bytes / limit,
        utilization=measured.utilization,
        loss=measured.loss,
        queue_delay_p50_s=measured.queue_delay_p50_s,
        queue_delay_p99_s=measured.queue_delay_p99_s,
        paper_limit_packets=cell.paper.limit_packets,
        paper_utilization=cell.paper.utilization,
        paper_loss=cell.paper.loss,
    )


def optimum_rows(optimum: Optimum) -> Iterable[Row]:
    """The rows of policy "optimum": what the static optimum's nearest measured limit gave."""
    for cell, result in optimum.measured:
        yield row_of(cell, result, optimum, optimum.link)
