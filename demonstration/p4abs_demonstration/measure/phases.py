"""The schedule of a demonstration, and what was measured in each of its phases."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from p4abs_demonstration.measure.samples import Sample


@dataclass(frozen=True)
class Phase:
    """A stretch of the demonstration; statistics leave out its start, from begin_s to start_s.

    Times in seconds since the demonstration's start. `changes_load`: flows leave or return as it
    begins.
    """

    name: str
    title: str
    begin_s: float
    start_s: float
    end_s: float
    half_load: bool = False
    changes_load: bool = False


DISTURBANCE_LEAD_LENGTHS = 3

# (name, title, share of the duration, share of the phase that is transient, half of the flows)
_PLAN = (
    ("before", "oversized buffer", 0.12, 0.50, False),
    ("{policy}", "{policy} takes over", 0.40, 0.60, False),
    ("half-load", "half of the flows leave", 0.18, 0.50, True),
    ("full-load", "they return", 0.30, 0.40, False),
)


def schedule(duration_s: float, policy: str) -> tuple[Phase, ...]:
    """Divides the duration among the phases."""
    phases: list[Phase] = []
    begin_s = 0.0
    for name, title, share, transient, half_load in _PLAN:
        length_s = share * duration_s
        start_s = round(begin_s + transient * length_s, 3)
        end_s = round(begin_s + length_s, 3)
        changes_load = bool(phases) and phases[-1].half_load != half_load
        names = name.format(policy=policy), title.format(policy=policy)
        phases.append(Phase(*names, begin_s, start_s, end_s, half_load, changes_load))
        begin_s = end_s
    return tuple(phases)


def disturbance_begin_s(phase: Phase, length_s: float) -> float:
    """When a phase is disturbed for `length_s`: three lengths before its measured part.

    In seconds since the demonstration's start; never where the length is 0.
    """
    return phase.start_s - DISTURBANCE_LEAD_LENGTHS * length_s if length_s > 0 else math.inf


SOON_S = 3.0
"""This long after a change of the load, the limit should be where it stays."""
_SOON_WIDTH_S = 0.2


class NoSamples(Exception):
    """Nothing was measured in a phase."""


@dataclass(frozen=True)
class Statistics:
    """One port over one phase: ratios of sums, time-weighted means, percentiles of samples.

    soon_limit_ratio: the limit SOON_S after the phase began, in multiples of its mean; None: no
    sample of that time.
    binding: the constraint that determined the limit most often.
    unreachable: a target that no buffer can meet, in the policy's last words; empty: none is known.
    """

    utilization: float
    loss: float
    mean_limit_bytes: float
    max_limit_bytes: int
    soon_limit_ratio: float | None
    queue_delay_p50_s: float
    queue_delay_p99_s: float
    binding: str
    unreachable: str


def measure(samples: Sequence[Sample], phase: Phase, capacity_bps: float) -> Statistics:
    """The statistics of a phase's measured window. Raises NoSamples."""
    window = [sample for sample in samples if phase.start_s <= sample.time_s < phase.end_s]
    duration_s = sum(sample.duration_s for sample in window)
    if duration_s <= 0:
        raise NoSamples(f"no samples from {phase.start_s:.1f} s to {phase.end_s:.1f} s")
    dropped = sum(sample.dropped_bytes for sample in window)
    offered = dropped + sum(sample.admitted_bytes for sample in window)
    departed = sum(sample.departed_bytes for sample in window)
    mean_limit_bytes = sum(s.limit_bytes * s.duration_s for s in window) / duration_s
    soon_s = phase.begin_s + SOON_S
    soon = [s.limit_bytes for s in samples if abs(s.time_s - soon_s) <= _SOON_WIDTH_S / 2]
    delays_s = [sample.queue_delay_s(capacity_bps) for sample in window]
    return Statistics(
        utilization=8 * departed / (capacity_bps * duration_s),
        loss=dropped / offered if offered else 0.0,
        mean_limit_bytes=mean_limit_bytes,
        max_limit_bytes=max(sample.limit_bytes for sample in window),
        soon_limit_ratio=fmean(soon) / mean_limit_bytes if soon else None,
        queue_delay_p50_s=percentile(delays_s, 0.50),
        queue_delay_p99_s=percentile(delays_s, 0.99),
        binding=Counter(sample.binding for sample in window).most_common(1)[0][0],
        unreachable=window[-1].unreachable,
    )


def percentile(values: Sequence[float], fraction: float) -> float:
    """The smallest value that at least `fraction` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(math.ceil(fraction * len(ordered)) - 1, 0)]
