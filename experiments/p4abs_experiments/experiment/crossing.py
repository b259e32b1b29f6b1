"""The smallest buffer that meets a target, read from a grid of simulated buffers."""

import math
from collections.abc import Sequence
from dataclasses import replace

from p4abs_experiments.experiment.estimate import Estimate
from p4abs_experiments.experiment.row import Row

_MIN_SHARE = 0.05


def smallest_buffer(buffers: Sequence[float], values: Sequence[float], target: float) -> float:
    """The buffer from which on `values` are at least `target`, both fractions below 1.

    What a value misses of 1 falls steeply with the buffer, so it is interpolated as a logarithm
    over the buffer's; less than a twentieth of what the target misses counts as a twentieth.
    `buffers` ascend and are positive, in any unit. Measured values need not be monotone: every
    grid point beyond the answer meets the target. nan where the largest buffer does not meet it;
    the smallest buffer where all do, which is then an upper bound.
    """
    points = list(zip(buffers, values, strict=True))
    if not points or points[-1][1] < target:
        return math.nan
    while len(points) > 1 and points[-2][1] >= target:
        points.pop()
    if len(points) == 1:
        return points[0][0]

    def excess(value: float) -> float:
        return math.log(max(1 - value, _MIN_SHARE * (1 - target)) / (1 - target))

    (small, below), (large, above) = points[-2:]
    share = excess(below) / (excess(below) - excess(above))
    return float(small * (large / small) ** share)


def needed_in_words(buffer: float, form: str, unit: str = "") -> str:
    """A smallest buffer in a finding, in the number format `form`, before its unit."""
    if math.isnan(buffer):
        return "more than the largest buffer"
    return f"{buffer:{form}} {unit}".rstrip()


def with_optimum(row: Row, optimum_bytes: float | None) -> Row:
    """`row` with a static optimum read from a grid; None and nan count as none."""
    if optimum_bytes is None or math.isnan(optimum_bytes):
        return row
    ratio = Estimate(row.mean_limit_bytes, row.mean_limit_ci_bytes).over(optimum_bytes)
    return replace(
        row, static_optimum_bytes=optimum_bytes, ratio=ratio.mean, ratio_ci=ratio.half_width
    )
