"""The policies over the grid of the ABS paper's Tables 2 and 3, a line each, for the front page."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from p4abs_experiments.experiment.goal import Verdict
from p4abs_experiments.experiment.judgement import Judgement
from p4abs_experiments.experiment.row import OPTIMUM
from p4abs_experiments.report.collect import Record

GRID = ("seed000-table2", "seed000-table3")


@dataclass(frozen=True, slots=True)
class PolicySummary:
    """One policy over all cells that have a static optimum."""

    policy: str
    cells: Sequence[Judgement]

    def count(self, verdict: str) -> int:
        """The cells of which this is the verdict on both targets."""
        return sum(each.target == verdict for each in self.cells)

    @property
    def ratios(self) -> list[float]:
        """Mean limit over static optimum, ascending."""
        return sorted(each.ratio.mean for each in self.cells if each.ratio is not None)

    @property
    def ratio(self) -> float:
        return median(self.ratios)


def compare(records: Sequence[Record]) -> list[PolicySummary]:
    """The policies of the grid's results, those that keep both targets most often first.

    A link of both tables counts once, as it is in the first.
    """
    by_policy: dict[str, dict[str, Judgement]] = {}
    for record in records:
        for row in record.rows if record.name in GRID else ():
            if row.ratio is not None and row.policy != OPTIMUM:
                by_policy.setdefault(row.policy, {}).setdefault(row.scenario, Judgement(row))
    summaries = [PolicySummary(name, [*cells.values()]) for name, cells in by_policy.items()]
    return sorted(
        summaries, key=lambda each: (-each.count(Verdict.MET) / len(each.cells), each.ratio)
    )
