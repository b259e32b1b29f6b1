"""Rows of the result tables: one per cell and sized link, over its random seeds."""

import math
from dataclasses import dataclass, replace
from statistics import fmean

from p4abs_experiments.experiment.estimate import Estimate, jackknife
from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import Sizing
from p4abs_experiments.network.policies import fixed_limit_bytes

OURS = "abs"
"""The policy whose bounds are goals."""

OPTIMUM = "optimum"
"""The policy of a static optimum's row."""

TARGETS, LOSS_ONLY = "both targets", "loss"
"""What a row may be judged by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table. Units in the names, fractions for utilization and loss; None where
    there is nothing to print.

    Figures are means over `seeds` runs; `*_ci*` is half the width of the mean's 95 % confidence
    interval. The limit's standard deviation and quantiles are means of those within a run, its
    maximum is that of all runs. `target_*` are what the link's sizing asks for, `binding` which of
    them decides the static optimum; `ratio` = mean_limit_bytes / static_optimum_bytes. Its interval
    is the joint one of both; where `static_optimum_ci_bytes` is unknown it takes the optimum as
    exact. `judged_by`: TARGETS or LOSS_ONLY, the bounds that it is held against.
    """

    scenario: str
    policy: str
    n_flows: int
    capacity_bps: int
    seeds: int
    mean_limit_bytes: float
    mean_limit_ci_bytes: float | None = None
    std_limit_bytes: float
    limit_p50_bytes: float
    limit_p99_bytes: float
    limit_max_bytes: float
    static_optimum_bytes: float | None = None
    static_optimum_ci_bytes: float | None = None
    binding: str | None = None
    ratio: float | None = None
    ratio_ci: float | None = None
    utilization: float
    utilization_ci: float | None = None
    loss: float
    loss_ci: float | None = None
    target_utilization: float | None = None
    target_loss: float | None = None
    queue_delay_p50_s: float
    queue_delay_p99_s: float
    paper_limit_packets: float | None = None
    paper_utilization: float | None = None
    paper_loss: float | None = None
    judged_by: str | None = None

    @property
    def is_ours(self) -> bool:
        """Whether its bounds are goals of the project; a policy's name may go on after a blank."""
        return self.judged_by is not None and self.policy.partition(" ")[0] == OURS


def row_of(sample: Sample, optimum: Optimum | None = None, judged_by: str | None = None) -> Row:
    """The row of one link of one cell; queues of a link, and other links than the first, carry
    their name in the scenario's."""
    cell = sample.cell
    targets = _targets(sample, optimum)
    limit, used, lost = sample.mean_limit_bytes, sample.utilization, sample.loss
    minimum = None if optimum is None or optimum.binding == "none" else optimum.limit
    ratio = None if optimum is None or minimum is None else _ratio(sample, optimum)
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
        static_optimum_bytes=None if minimum is None else minimum.mean,
        static_optimum_ci_bytes=None if minimum is None else minimum.half_width,
        binding=None if optimum is None else optimum.binding,
        ratio=None if ratio is None else ratio.mean,
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
        judged_by=None if targets is None else judged_by,
    )


def optimum_row(optimum: Optimum, name: str) -> Row:
    """The row of policy "optimum": what the static optimum's nearest measured limit gave.

    `name` is that of a scenario which has this optimum: several may share it.
    """
    cells, runs = zip(*optimum.measured, strict=True)
    cell = replace(cells[0], scenario=replace(cells[0].scenario, name=name))
    return row_of(Sample(cell, runs, optimum.link), optimum)


def _ratio(sample: Sample, optimum: Optimum) -> Estimate:
    """Of the mean limit to the optimum. Runs with the seeds of its search share their chances."""
    limits, found = [link.mean_limit_bytes for link in sample.links], optimum.leaving_out_bytes
    ratio = fmean(limits) / optimum.limit_bytes
    if len(limits) == len(found):
        rest = [(sum(limits) - each) / (len(limits) - 1) for each in limits] if found else []
        return jackknife(ratio, [one / other for one, other in zip(rest, found, strict=True)])
    widths = (sample.mean_limit_bytes.relative, optimum.limit.relative)
    known = [each for each in widths if each is not None]
    return Estimate(ratio, ratio * math.hypot(*known) if known else None)


def _name(sample: Sample) -> str:
    scenario = sample.cell.scenario
    if scenario.is_queue(sample.link):
        return f"{scenario.name}, {sample.link}"
    if sample.link == scenario.link().name:
        return scenario.name
    return f"{scenario.name} {sample.link}"


def _targets(sample: Sample, optimum: Optimum | None) -> Sizing | None:
    """None for a limit that nobody measures by targets."""
    link = sample.cell.scenario.link(sample.link)
    idle = optimum is None and link.sizing is not None and fixed_limit_bytes(link) is not None
    return None if idle else link.sizing
