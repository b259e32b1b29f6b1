"""Whether the traffic has changed: an objective far from its recent mean."""

from dataclasses import dataclass
from statistics import fmean, pstdev

SAMPLES = 50
DEVIATIONS = 10.0
MIN_CHANGE = 1e-4
"""The published code rounds the objective to four decimals."""

_AVERAGING_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Recent:
    """The latest averages of the objective, at most `SAMPLES` of them, the newest last."""

    averages: tuple[float, ...] = ()

    def after(self, objective: float) -> "Recent":
        """With one sample more, averaged exponentially."""
        average = objective
        if self.averages:
            average = _AVERAGING_WEIGHT * objective + (1 - _AVERAGING_WEIGHT) * self.averages[-1]
        return Recent((*self.averages, average)[-SAMPLES:])

    def is_left_by(self, later: "Recent") -> bool:
        """Whether the newest average of `later` is further from the mean here than `DEVIATIONS`
        standard deviations; never before there are `SAMPLES`."""
        if len(self.averages) < SAMPLES:
            return False
        distance = abs(later.averages[-1] - fmean(self.averages))
        return distance > max(DEVIATIONS * pstdev(self.averages), MIN_CHANGE)
