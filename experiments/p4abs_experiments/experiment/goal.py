"""Findings that say whether a goal of the project was reached; the report collects them."""

from dataclasses import dataclass

MET = "Goal met: "
MISSED = "Goal missed: "


def goal(met: bool, sentence: str) -> str:
    """The finding for a goal: which one, what was measured and, if missed, why."""
    return f"{MET if met else MISSED}{sentence}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A field of the report's map: a figure of merit of a scenario as text, and whether its goal
    is met (None: it has none)."""

    scenario: str
    figure: str
    text: str
    met: bool | None


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How far from ideal still counts as a goal met.

    `utilization` and `loss`: from the target that binds, as a fraction and relative to the target.
    `ratio`: the mean limit over the static optimum. `oscillation`: the limit's standard deviation
    over its mean; None where it is no goal.
    """

    utilization: float = 0.003
    loss: float = 0.03
    ratio: float = 1.10
    oscillation: float | None = None


WIDE = Tolerances()
"""For any scenario."""

NARROW = Tolerances(utilization=0.001, loss=0.01, ratio=1.05, oscillation=0.10)
"""For the ABS paper's Tables 2 and 3."""
