"""Service level agreements on delay and loss, and whether a link's record meets them.

Sommers et al., section 5.2: the record is cut into intervals of 10 s; those that use the link to
70 % or more do not count. Coarse-grained reporting averages the scores of all intervals that
count, fine-grained reporting lets no interval pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from statistics import fmean

import numpy as np

from p4abs_experiments.papers.sla_perspective import published
from p4abs_experiments.simulation.result import LinkSeries


@dataclass(frozen=True, slots=True)
class Agreement:
    """The largest mean delay in the buffer in s, and the largest loss, a fraction."""

    delay_s: float
    loss: float


@dataclass(frozen=True, slots=True)
class Score:
    """What one interval measured; delay as the mean over bytes."""

    utilization: float
    loss: float
    delay_s: float


class State(IntEnum):
    """Of one threshold."""

    MET = 0
    NEAR = 1
    VIOLATED = 2


def scores(
    series: LinkSeries,
    capacity_bps: float,
    from_s: float,
    interval_s: float = published.SLA_INTERVAL_S,
) -> list[Score]:
    """The intervals that count, from `from_s` on; an incomplete last one is left out."""
    starts = np.arange(from_s, series.time_s[-1] - interval_s + 1e-6, interval_s)
    every = (_score(series, capacity_bps, start, start + interval_s) for start in starts)
    return [score for score in every if score.utilization < published.SLA_LARGEST_UTILIZATION]


def coarse(intervals: Sequence[Score], agreement: Agreement) -> str:
    """The verdict on the mean over the intervals: see `verdict`; "-" when none counts."""
    if not intervals:
        return "-"
    return verdict(
        _state(fmean(score.delay_s for score in intervals), agreement.delay_s),
        _state(fmean(score.loss for score in intervals), agreement.loss),
    )


def fine(intervals: Sequence[Score], agreement: Agreement) -> str:
    """The verdict on the worst of the intervals: see `verdict`; "-" when none counts."""
    if not intervals:
        return "-"
    return verdict(
        max(_state(score.delay_s, agreement.delay_s) for score in intervals),
        max(_state(score.loss, agreement.loss) for score in intervals),
    )


def verdict(delay: State, loss: State) -> str:
    """The paper's letters: D, L, B violate delay, loss, both; an N before them: nearly; "" met."""
    worst = max(delay, loss)
    if worst is State.MET:
        return ""
    letter = "B" if delay is loss else "D" if delay > loss else "L"
    return f"N{letter}" if worst is State.NEAR else letter


def _state(score: float, threshold: float) -> State:
    if score > threshold:
        return State.VIOLATED
    return State.NEAR if score >= (1 - published.SLA_NEAR) * threshold else State.MET


def _score(series: LinkSeries, capacity_bps: float, start_s: float, end_s: float) -> Score:
    first, last = np.searchsorted(series.time_s, [start_s + 1e-9, end_s + 1e-9])
    admitted = series.admitted_bytes[first:last]
    dropped = series.dropped_bytes[first:last].sum()
    offered = admitted.sum() + dropped
    # What a byte finds before it: between the queue at the sample before and at this one.
    found = (series.occupancy_bytes[first - 1 : last - 1] + series.occupancy_bytes[first:last]) / 2
    queued = (found * admitted).sum() / max(admitted.sum(), 1.0)
    return Score(
        utilization=float(
            8 * series.departed_bytes[first:last].sum() / (capacity_bps * (end_s - start_s))
        ),
        loss=float(dropped / max(offered, 1.0)),
        delay_s=float(8 * queued / capacity_bps),
    )
