"""Rows of the result tables: one per cell and sized link, over its random seeds."""

from dataclasses import dataclass, replace

from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import Sizing
from p4abs_experiments.network.policies import fixed_limit_bytes


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. Units in the names, fractions for utilization and loss; None where
    there is nothing to print.

    Figures are means over `seeds` runs; `*_ci*` is half the width of the mean's 95 % confidence
    interval. The limit's standard deviation and quantiles are means of those within a run, its
    maximum is that of all runs. `target_*` are what the link's sizing asks for, `binding` which of
    them decides the static optimum; `ratio` = mean_limit_bytes / static_optimum_bytes (its interval
    takes the optimum as exact).
    """

    scenario: str
    policy: str
    n_flows: int
    capacity_bps: int
    seeds: int
    mean_limit_bytes: float
    mean_limit_ci_bytes: float | None
    std_limit_bytes: float
    limit_p50_bytes: float
    limit_p99_bytes: float
    limit_max_bytes: float
    static_optimum_bytes: float | None
    binding: str | None
    ratio: float | None
    ratio_ci: float | None
    utilization: float
    utilization_ci: float | None
    loss: float
    loss_ci: float | None
    target_utilization: float | None
    target_loss: float | None
    queue_delay_p50_s: float
    queue_delay_p99_s: float
    paper_limit_packets: float | None
    paper_utilization: float | None
    paper_loss: float | None


def row_of(sample: Sample, optimum: Optimum | None = None) -> Row:
    """The row of one link of one cell; other links than the first carry their name in the
    scenario's."""
    cell = sample.cell
    targets = _targets(sample, optimum)
    limit, used, lost = sample.mean_limit_bytes, sample.utilization, sample.loss
    unknown = optimum is None or optimum.binding == "none"
    minimum = None if optimum is None or unknown else optimum.limit_bytes
    ratio = None if minimum is None else limit.over(minimum)
    return Row(
        scenario=_name(sample),
        policy=cell.policy_label,
        n_flows=cell.scenario.n_flows,
        capacity_bps=sample.links[0].capacity_bps,
        seeds=len(sample.runs),
        mean_limit_bytes=limit.mean,
        mean_limit_ci_bytes=limit.half_width,
        std_limit_bytes=sample.estimate(lambda link: link.std_limit_bytes).mean,
        limit_p50_bytes=sample.estimate(lambda link: link.limit_p50_bytes).mean,
        limit_p99_bytes=sample.estimate(lambda link: link.limit_p99_bytes).mean,
        limit_max_bytes=max(link.limit_max_bytes for link in sample.links),
        static_optimum_bytes=minimum,
        binding=None if optimum is None else optimum.binding,
        ratio=(None if ratio is None else ratio.mean),
        ratio_ci=None if ratio is None else ratio.half_width,
        utilization=used.mean,
        utilization_ci=used.half_width,
        loss=lost.mean,
        loss_ci=lost.half_width,
        target_utilization=None if targets is None else targets.utilization,
        target_loss=None if targets is None else targets.loss,
        queue_delay_p50_s=sample.estimate(lambda link: link.queue_delay_p50_s).mean,
        queue_delay_p99_s=sample.estimate(lambda link: link.queue_delay_p99_s).mean,
        paper_limit_packets=cell.paper.limit_packets,
        paper_utilization=cell.paper.utilization,
        paper_loss=cell.paper.loss,
    )


def optimum_row(optimum: Optimum, name: str) -> Row:
    """The row of policy "optimum": what the static optimum's nearest measured limit gave.

    `name` is that of a scenario which has this optimum: several may share it.
    """
    cells, runs = zip(*optimum.measured, strict=True)
    cell = replace(cells[0], scenario=replace(cells[0].scenario, name=name))
    return row_of(Sample(cell, runs, optimum.link), optimum)


def _name(sample: Sample) -> str:
    scenario = sample.cell.scenario
    if sample.link == scenario.link().name:
        return scenario.name
    return f"{scenario.name} {sample.link}"


def _targets(sample: Sample, optimum: Optimum | None) -> Sizing | None:
    """None for a limit that nobody measures by targets."""
    link = sample.cell.scenario.link(sample.link)
    idle = optimum is None and link.sizing is not None and fixed_limit_bytes(link) is not None
    return None if idle else link.sizing
