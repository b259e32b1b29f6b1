"""How far a limit goes from its steady mean after a disturbance, and when it is back."""

import math
from dataclasses import dataclass

import numpy as np

from p4abs_experiments.network.times import Span
from p4abs_experiments.simulation.result import LinkSeries

TOLERANCE = 0.10
"""Of the steady mean: what counts as back."""

LOOK_AHEAD = 5
"""The limit is back when its mean over as many sawteeth is: a single one is noise."""


@dataclass(frozen=True, slots=True)
class Return:
    """`highest`: the greatest limit after the disturbance began, over the steady mean before it.
    `sawteeth`: how many after its end the limit is back; infinite where it never is."""

    highest: float
    sawteeth: float


def returning(series: LinkSeries, steady_from_s: float, span: Span, sawtooth_s: float) -> Return:
    """Of one run with a disturbance in `span`, steady from `steady_from_s` until it begins."""
    time_s, limit = series.time_s, series.limit_bytes
    begin_s, end_s = span
    steady = float(limit[(time_s > steady_from_s) & (time_s <= begin_s)].mean())
    highest = float(limit[time_s > begin_s].max()) / steady
    samples = max(1, round(sawtooth_s / float(time_s[0])))
    after = limit[time_s > end_s]
    sums = np.concatenate(([0.0], np.cumsum(after)))
    ahead = LOOK_AHEAD * samples
    means = (sums[ahead:] - sums[:-ahead]) / ahead if len(after) >= ahead else np.empty(0)
    inside = np.flatnonzero(np.abs(means / steady - 1) <= TOLERANCE)
    return Return(highest, float(inside[0]) / samples if inside.size else math.inf)
