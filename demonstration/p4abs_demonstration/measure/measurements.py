"""Everything that a demonstration has measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from p4abs_demonstration.measure.phases import NoSamples, Phase, Statistics, measure
from p4abs_demonstration.measure.quality import FrameCounts, Quality, assess
from p4abs_demonstration.measure.samples import Sample


@dataclass(frozen=True)
class Result:
    """The outcome of a phase.

    statistics: None if the phase was disturbed, because its measurements are no result.
    """

    phase: Phase
    quality: Quality
    statistics: Statistics | None


@dataclass(frozen=True)
class Measurements:
    """Samples in order of time, a result per phase, and how well the controller kept time."""

    samples: list[Sample]
    results: list[Result]
    control_loop: dict[str, Any]


def conclude(
    samples: Sequence[Sample],
    counts: Sequence[FrameCounts],
    phase: Phase,
    capacity_bps: float,
    interval_s: float,
) -> Result:
    """The result of a phase, unless it was disturbed."""
    quality = assess(samples, counts, phase, interval_s)
    try:
        statistics = None if quality.disturbed else measure(samples, phase, capacity_bps)
    except NoSamples:
        statistics = None
    return Result(phase, quality, statistics)
