"""A mean over random seeds and its confidence interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

_STUDENT_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The two-sided quantile of Student's t for a confidence of 95 %, by degrees of freedom from 1."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and half the width of its confidence interval; None where one run says nothing
    about it."""

    mean: float
    half_width: float | None = None

    @property
    def low(self) -> float:
        """The interval's lower end; the mean where there is no interval."""
        return self.mean - (self.half_width or 0.0)

    @property
    def high(self) -> float:
        """The interval's upper end; the mean where there is no interval."""
        return self.mean + (self.half_width or 0.0)

    def distance(self, target: float) -> float:
        """From `target` to the end of the interval that lies further from it."""
        return max(abs(self.low - target), abs(self.high - target))

    def over(self, divisor: float) -> "Estimate":
        """The same in multiples of a positive number."""
        half_width = None if self.half_width is None else self.half_width / divisor
        return Estimate(self.mean / divisor, half_width)


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent runs. Beyond 31 of them the interval is that of 31, a little too
    wide. Raises StatisticsError without any."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean)
    quantile = _STUDENT_T[min(len(values) - 1, len(_STUDENT_T)) - 1]
    return Estimate(mean, quantile * float(np.std(values, ddof=1)) / math.sqrt(len(values)))
