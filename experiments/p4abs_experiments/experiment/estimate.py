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

    @property
    def relative(self) -> float | None:
        """The half width in multiples of the mean."""
        return None if self.half_width is None else self.half_width / self.mean

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
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Estimate(mean, _quantile(len(values)) * error)


def jackknife(whole: float, leaving_out: Sequence[float]) -> Estimate:
    """What all runs give together, with an interval from what they give without each of them
    (Tukey 1958). Few runs have few resamples, so a bootstrap's interval would be too narrow. No
    interval with less than two."""
    count = len(leaving_out)
    if count < 2:
        return Estimate(whole)
    error = (count - 1) / math.sqrt(count) * float(np.std(leaving_out, ddof=1))
    return Estimate(whole, _quantile(count) * error)


def in_words(value: Estimate, form: str = ".2f") -> str:
    """A mean and half the width of its confidence interval, in a number format."""
    text = format(value.mean, form)
    return f"{text} ± {value.half_width:{form}}" if value.half_width else text


def _quantile(runs: int) -> float:
    return _STUDENT_T[min(runs - 1, len(_STUDENT_T)) - 1]
