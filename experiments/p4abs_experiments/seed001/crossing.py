"""The smallest buffer that meets a target, read from a grid of simulated buffers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from p4abs_experiments.row import Row


def smallest_buffer(buffers: Sequence[float], values: Sequence[float], target: float) -> float:
    """The buffer from which on ``values`` are at least ``target``, interpolated on log(buffer).

    ``buffers`` ascend and are positive, in any unit. Measured values need not be monotone: every
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
    (small, below), (large, above) = points[-2:]
    share = (target - below) / (above - below)
    return float(small * (large / small) ** share)


def with_optimum(row: Row, optimum_bytes: float | None) -> Row:
    """``row`` with a static optimum read from a grid; None and nan count as none."""
    if optimum_bytes is None or math.isnan(optimum_bytes):
        return row
    ratio = row.mean_limit_bytes / optimum_bytes
    return replace(row, static_optimum_bytes=optimum_bytes, ratio=ratio)
