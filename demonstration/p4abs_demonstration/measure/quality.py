"""Whether the measurements of a phase are a result, or say more about the machine.

Two things show that the demonstration could not keep its schedule: control intervals that were
missed, and packets lost where the program cannot see them. The second is found in the kernel's
counters of drops and, as packet rings and BMv2's input buffer have none, by balancing bytes: what
the senders' links brought must have been admitted or dropped by the program, and what departed must
have been delivered. Both differences also contain the bytes under way. So the loss is the value
below which they never fall again.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from p4abs_demonstration.measure.phases import Phase
from p4abs_demonstration.measure.samples import Sample

MISSED_INTERVALS_MAX = 0.05
# The ends of a measured part are uncertain by this much, because of clocks and a switch that is
# served late.
BALANCE_TOLERANCE = 0.01
BALANCE_TOLERANCE_S = 0.1
# The end of a measured part in which the bytes under way are awaited.
SETTLING_SHARE = 0.1


@dataclass(frozen=True)
class FrameCounts:
    """What the kernel has counted on the demonstration's links up to one moment.

    time_s: seconds since the demonstration's start.
    offered_bytes: brought to the switch by the senders' links.
    delivered_bytes: handed to the receivers' links.
    frames, dropped_frames: passed and dropped by any of the links.
    """

    time_s: float
    offered_bytes: int
    delivered_bytes: int
    frames: int
    dropped_frames: int


@dataclass(frozen=True)
class Quality:
    """How much of a phase's measured part is missing.

    missed_intervals: share of the control intervals without a sample.
    unseen_traffic: share of the traffic that was lost where the program cannot see it, or that
    passed in a time without samples.
    """

    missed_intervals: float
    unseen_traffic: float

    @property
    def disturbed(self) -> bool:
        return self.missed_intervals > MISSED_INTERVALS_MAX or self.unseen_traffic > 0

    def reason(self) -> str:
        """For example `12.0% of intervals missed`; empty where nothing disturbs."""
        reasons = []
        if self.missed_intervals > MISSED_INTERVALS_MAX:
            reasons.append(f"{self.missed_intervals:.1%} of intervals missed")
        if self.unseen_traffic > 0:
            reasons.append(f"{self.unseen_traffic:.2%} of the traffic unseen")
        return ", ".join(reasons)


def assess(
    samples: Sequence[Sample], counts: Sequence[FrameCounts], phase: Phase, interval_s: float
) -> Quality:
    """The quality of a phase's measured part; `counts` in order of time, from all phases."""
    expected = (phase.end_s - phase.start_s) / interval_s
    measured = sum(phase.start_s <= sample.time_s < phase.end_s for sample in samples)
    return Quality(max(0.0, 1 - measured / expected), _unseen_traffic(samples, counts, phase))


def _unseen_traffic(
    samples: Sequence[Sample], counts: Sequence[FrameCounts], phase: Phase
) -> float:
    window = [count for count in counts if phase.start_s <= count.time_s <= phase.end_s]
    if not window or window[-1].offered_bytes == window[0].offered_bytes:
        return 0.0
    offered_bytes = window[-1].offered_bytes - window[0].offered_bytes
    frames = window[-1].frames - window[0].frames
    dropped_frames = window[-1].dropped_frames - window[0].dropped_frames
    times_s = [count.time_s for count in window]
    seen_bytes = _progress(samples, times_s, lambda s: s.admitted_bytes + s.dropped_bytes)
    departed_bytes = _progress(samples, times_s, lambda s: s.departed_bytes)
    unaccounted_bytes = _growth(
        [count.offered_bytes - seen for count, seen in zip(window, seen_bytes, strict=True)]
    ) + _growth(
        [gone - count.delivered_bytes for count, gone in zip(window, departed_bytes, strict=True)]
    )
    unaccounted = unaccounted_bytes / offered_bytes
    tolerance = max(BALANCE_TOLERANCE, BALANCE_TOLERANCE_S / (times_s[-1] - times_s[0]))
    dropped = dropped_frames / frames if frames else 0.0
    return dropped + (unaccounted if unaccounted > tolerance else 0.0)


def _progress(
    samples: Sequence[Sample], times_s: Sequence[float], of: Callable[[Sample], int]
) -> list[float]:
    """Running totals of the samples at given times; evenly within each sample's interval."""
    ends_s = [sample.time_s for sample in samples]
    starts_s = [sample.time_s - sample.duration_s for sample in samples]
    totals = list(accumulate((of(sample) for sample in samples), initial=0))
    # Two clocks: an interval may seem to begin a little before the one before it has ended.
    corners_s = list(
        accumulate((t for both in zip(starts_s, ends_s, strict=True) for t in both), max)
    )
    heights = [total for both in pairwise(totals) for total in both]
    return [float(height) for height in np.interp(times_s, corners_s, heights)]


def _growth(differences: Sequence[float]) -> float:
    """The growth of a difference that sinks when the bytes under way arrive."""
    settled = differences[-math.ceil(SETTLING_SHARE * len(differences)) :]
    return max(0.0, min(settled) - min(differences))
