"""The policies over the grid of the ABS paper's Tables 2 and 3, a line each, for the front page."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from p4abs_experiments.report.collect import Record
from p4abs_experiments.report.table import Run

GRID = ("seed000-table2", "seed000-table3")

# The targets of both tables, and how far off still counts as met (the goals of the project).
MIN_UTILIZATION = 0.98 - 0.003
LARGEST_LOSS = 0.02 * 1.03


@dataclass(frozen=True, slots=True)
class PolicySummary:
    """One policy over all cells. `ratios`: mean limit over static optimum, ascending."""

    policy: str
    runs: int
    meeting: int
    ratios: Sequence[float]
    utilization: float
    loss: float

    @property
    def ratio(self) -> float:
        return median(self.ratios)


def compare(records: Sequence[Record]) -> list[PolicySummary]:
    """The policies of the grid's results, those that meet the targets most often first."""
    by_policy: dict[str, list[Run]] = {}
    for record in records:
        for run in record.runs if record.name in GRID else ():
            if run["ratio"]:
                by_policy.setdefault(run["policy"], []).append(run)
    summaries = [_summary(policy, runs) for policy, runs in by_policy.items()]
    return sorted(summaries, key=lambda each: (-each.meeting / each.runs, each.ratio))


def _summary(policy: str, runs: Sequence[Run]) -> PolicySummary:
    pairs = [(float(run["utilization"]), float(run["loss"])) for run in runs]
    met = [used >= MIN_UTILIZATION and lost <= LARGEST_LOSS for used, lost in pairs]
    return PolicySummary(
        policy=policy,
        runs=len(runs),
        meeting=sum(met),
        ratios=sorted(float(run["ratio"]) for run in runs),
        utilization=min(used for used, _ in pairs),
        loss=max(lost for _, lost in pairs),
    )
