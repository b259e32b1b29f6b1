"""Family *intervals*: the control interval T from 1 ms to 1 s.

Reno, 16 flows at 20 Mb/s with round-trip times from 100 to 160 ms, u* = 98 %, p* = 2 %. Up to
half the shortest round-trip time, 50 ms, T must not matter; beyond, it is shown. Round-trip times
are drawn for each random seed, and what a link needs with them: limits are compared seed by seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from p4abs_experiments.experiment import Results
from p4abs_experiments.experiment.estimate import Estimate, estimate
from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.seeds import MANY_SEEDS
from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.families.family import Family
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.sized import sizing_of

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.10, 0.16), n_flows=16, min_window_s=120.0)
INTERVALS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)

LARGEST_DIFFERENCE = 0.10
"""Between the mean limits of any two T that are short enough."""


@dataclass(frozen=True, kw_only=True)
class Intervals(Family):
    """Judges whether the mean limit is the same for all short intervals."""

    def goals(self, results: Results) -> Sequence[Goal]:
        short = replace(results, cells=[cell for cell in results.cells if _is_short(cell)])
        means = [each.mean_limit_bytes.mean for each in short.samples()]
        shares = _shares(short)
        low, high = min(each.low for each in shares), max(each.high for each in shares)
        difference = high / low - 1
        sentence = (
            f"For every interval T up to {1e3 * BASE.rtt_s[0] / 2:g} ms the mean limit should be "
            f"the same within {100 * LARGEST_DIFFERENCE:g} %: it is {min(means) / 1e3:.1f} to "
            f"{max(means) / 1e3:.1f} kB, {fmean(means) / 1e3:.1f} kB on average. With confidence "
            f"intervals, this is {low:.3f} to {high:.3f} times the mean over these T."
        )
        surely = max(each.low for each in shares) / min(each.high for each in shares) - 1
        if difference <= LARGEST_DIFFERENCE:
            return [Goal(Verdict.MET, sentence)]
        is_sure = surely > LARGEST_DIFFERENCE
        return [Goal(Verdict.MISSED if is_sure else Verdict.UNDECIDED, sentence)]

    def judged_by(self, sample: Sample) -> str | None:
        return super().judged_by(sample) if _is_short(sample.cell) else None


def _shares(results: Results) -> list[Estimate]:
    """For every T the mean limit over that of all T with the same random seed."""
    limits = [[link.mean_limit_bytes for link in each.links] for each in results.samples()]
    by_seed = [fmean(each) for each in zip(*limits, strict=True)]
    return [
        estimate([limit / mean for limit, mean in zip(each, by_seed, strict=True)])
        for each in limits
    ]


def _is_short(cell: Cell) -> bool:
    """Whether T is short enough that it must not matter."""
    return sizing_of(cell.scenario).interval_s <= BASE.rtt_s[0] / 2


FAMILY = Intervals(
    name="families-intervals",
    title="Control intervals from 1 ms to 1 s",
    claim="The mean limit is the same within 10 % for every control interval up to half the "
    "shortest round-trip time.",
    seeds=MANY_SEEDS,
    scenarios=tuple(
        BASE.scenario(f"T = {1e3 * each:g} ms", BASE.sizing(interval_s=each))
        for each in INTERVALS_S
    ),
)
