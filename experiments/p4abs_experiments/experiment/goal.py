"""Goals of the project: met, missed or undecided, by one criterion for every experiment."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from p4abs_experiments.experiment.estimate import Estimate

TOLERANCE = 0.05
"""By how much idle time and loss may exceed what a target allows, as a share of that."""

LARGEST_RATIO = 1.10
"""Of the mean limit to the static optimum."""


class Verdict(StrEnum):
    """What an interval says about a bound; undecided where the bound lies in it."""

    MET = "met"
    UNDECIDED = "undecided"
    MISSED = "missed"

    @classmethod
    def of(cls, met: bool) -> Self:
        """Of what has no interval."""
        return cls.MET if met else cls.MISSED


def at_most(value: Estimate, bound: float) -> Verdict:
    """Whether a value is at most `bound`; without an interval its mean decides."""
    if value.high <= bound:
        return Verdict.MET
    return Verdict.MISSED if value.low > bound else Verdict.UNDECIDED


def at_least(value: Estimate, bound: float) -> Verdict:
    """Whether a value is at least `bound`."""
    return at_most(Estimate(-value.mean, value.half_width), -bound)


def close_to_one(ratio: Estimate, tolerance: float) -> Verdict:
    """Whether a ratio differs from 1 by at most `tolerance`."""
    return together((at_most(ratio, 1 + tolerance), at_least(ratio, 1 - tolerance)))


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """Missed where one is missed, met where all are met."""
    found = set(verdicts)
    if Verdict.MISSED in found:
        return Verdict.MISSED
    return Verdict.UNDECIDED if Verdict.UNDECIDED in found else Verdict.MET


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, and in a sentence what was measured."""

    verdict: Verdict
    sentence: str


def over_cells(sentence: str, cells: Iterable[tuple[Verdict, str]]) -> Goal:
    """One goal over several cells, each with its verdict and its name and figures. The sentence
    says in how many cells it is met, and names the others."""
    by_verdict: dict[Verdict, list[str]] = {each: [] for each in Verdict}
    for verdict, described in cells:
        by_verdict[verdict].append(described)
    total = sum(map(len, by_verdict.values()))
    exceptions = "".join(
        f"; {word}: {'; '.join(by_verdict[word])}"
        for word in (Verdict.MISSED, Verdict.UNDECIDED)
        if by_verdict[word]
    )
    met = f"{sentence} in {len(by_verdict[Verdict.MET])} of {total} cells{exceptions}."
    return Goal(together(word for word, those in by_verdict.items() if those), met)
