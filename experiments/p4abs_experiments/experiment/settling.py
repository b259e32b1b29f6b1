"""How long a limit takes to settle after a step of the load."""

import math

import numpy as np
import numpy.typing as npt

Series = npt.NDArray[np.float64]

TOLERANCE = 0.10
"""The usual band around the new value."""


def trailing_mean(values: Series, samples: int) -> Series:
    """Mean of each value and the `samples` - 1 before it; of fewer at the beginning."""
    sums = np.cumsum(values, dtype=np.float64)
    sums[samples:] -= sums[:-samples].copy()
    return sums / np.minimum(np.arange(1, len(values) + 1), samples)


def in_seconds(time_s: float) -> str:
    """For a sentence: `2.7 s`, or `never`."""
    return "never" if math.isinf(time_s) else f"{time_s:.1f} s"


def reaching_time_s(time_s: Series, values: Series, goal: float, step_s: float) -> float:
    """Seconds from `step_s` until `values` are within the band around `goal` for the first
    time; infinite when they never are."""
    inside = np.flatnonzero(_within(values, goal, TOLERANCE))
    return float(time_s[inside[0]]) - step_s if inside.size else math.inf


def settling_time_s(
    time_s: Series, values: Series, goal: float, step_s: float, tolerance: float = TOLERANCE
) -> float:
    """Seconds from `step_s` until `values` are within the band around `goal` for good.

    0 when they never leave it; infinite when the last one lies outside.
    """
    outside = np.flatnonzero(~_within(values, goal, tolerance))
    if not outside.size:
        return 0.0
    if outside[-1] == len(values) - 1:
        return math.inf
    return float(time_s[outside[-1] + 1]) - step_s


def _within(values: Series, goal: float, tolerance: float) -> npt.NDArray[np.bool_]:
    return np.abs(values - goal) <= tolerance * goal
