"""Bayesian optimization of the limit: where to look, and what is tried next.

Limits are shares of the longest one, which is also the unit of delay in the objective.
"""

from dataclasses import dataclass, replace
from typing import Self

from p4abs_experiments.p4bs.gaussian_process import GaussianProcess, expected_improvement

STEP = 0.0075
"""Between candidates: 1.5 ms of 200 ms."""

LENGTH_SCALE = 0.03525
NOISE_VARIANCE = 1.25e-4

MIN_IMPROVEMENT = 1e-3
"""Of the objective: a search that expects no more of any candidate ends."""

_MARGIN = 1e-5
"""By how much a candidate has to be better (`tradeoff` of the published code)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A limit that was in force, and the objective that was measured under it."""

    share: float
    objective: float


@dataclass(frozen=True, slots=True)
class Search:
    """Candidates from the least to the greatest, and the trials so far."""

    candidates: tuple[float, ...]
    trials: tuple[Trial, ...] = ()

    @classmethod
    def between(cls, minimum: float, maximum: float) -> Self:
        """A range narrower than a step is its lower end."""
        steps = int(max(0.0, maximum - minimum) / STEP + 1e-9)
        return cls(tuple(minimum + STEP * number for number in range(max(1, steps))))

    def after(self, trial: Trial) -> "Search":
        return replace(self, trials=(*self.trials, trial))

    @property
    def best(self) -> Trial:
        """The trial of the least objective; there is at least one."""
        return min(self.trials, key=lambda trial: trial.objective)

    def next_share(self) -> float | None:
        """The candidate of the greatest expected improvement, the least of equals.

        Without a trial that is the least of all; None when nothing is expected any more.
        """
        if not self.trials:
            return self.candidates[0]
        if len(self.candidates) == 1:
            return None
        process = GaussianProcess.of(
            [trial.share for trial in self.trials],
            [-trial.objective for trial in self.trials],
            LENGTH_SCALE,
            NOISE_VARIANCE,
        )
        best = _MARGIN - self.best.objective
        expected = [
            expected_improvement(*process.at(share), best=best) for share in self.candidates
        ]
        maximum = max(expected)
        if maximum <= MIN_IMPROVEMENT:
            return None
        return self.candidates[expected.index(maximum)]
