"""A port's figures, smoothed for people's eyes and summed up for the summary."""

import math
from collections.abc import Sequence
from typing import Any

from p4abs.agreements import Terms
from p4abs.control import Sample
from p4abs.telemetry.port_agreements import PortAgreements

SMOOTHING_S = 1.0


class PortMeter:
    """Utilization and loss as ratios of sums that fade with a time constant of 1 s.

    The mean of ratios would not be the ratio of sums: loss comes in bursts. `agreements` say how
    those of the port stand.
    """

    def __init__(self, terms: Sequence[Terms] = ()) -> None:
        self.last: Sample | None = None
        self.agreements = PortAgreements(terms)
        self._recent = _Sums()
        self._total = _Sums()

    def add(self, sample: Sample) -> list[str]:
        """Takes the next sample of the port; lines for people, on agreements that it breaks."""
        self.last = sample
        self._recent.fade(math.exp(-sample.interval.duration_s / SMOOTHING_S))
        self._recent.add(sample)
        self._total.add(sample)
        return self.agreements.add(sample)

    @property
    def utilization(self) -> float | None:
        """Of about the last second; None before the first sample and without a known capacity."""
        return self._recent.utilization

    @property
    def idle_share(self) -> float | None:
        """Of about the last second; None where idle time is not measured."""
        if self.last is None or self.last.interval.idle_s is None:
            return None
        return self._recent.idle_share

    @property
    def loss(self) -> float:
        """Of about the last second; 0 before the first sample."""
        return self._recent.loss

    @property
    def marked_share(self) -> float | None:
        """Of the offered bytes of about the last second; None where the target cannot mark."""
        if self.last is None or self.last.interval.marked_bytes is None:
            return None
        return self._recent.marked_share

    def totals(self) -> dict[str, Any]:
        """Over all samples: duration_s, utilization, loss, mean_limit_bytes (by time), agreements
        by name; and the measured_capacity_bps of the last one. None: not known."""
        return {
            "duration_s": self._total.duration_s,
            "utilization": self._total.utilization,
            "loss": self._total.loss,
            "mean_limit_bytes": self._total.mean_limit_bytes,
            "measured_capacity_bps": self.last.measured_capacity_bps if self.last else None,
            "agreements": self.agreements.totals(),
        }


class _Sums:
    def __init__(self) -> None:
        self.duration_s = 0.0
        # With a known utilization, and the idle and the busy part of it.
        self._known_s = 0.0
        self._idle_s = 0.0
        self._busy_s = 0.0
        self._dropped_bytes = 0.0
        self._marked_bytes = 0.0
        self._offered_bytes = 0.0
        self._limit_byte_seconds = 0.0

    def fade(self, factor: float) -> None:
        self.duration_s *= factor
        self._known_s *= factor
        self._idle_s *= factor
        self._busy_s *= factor
        self._dropped_bytes *= factor
        self._marked_bytes *= factor
        self._offered_bytes *= factor
        self._limit_byte_seconds *= factor

    def add(self, sample: Sample) -> None:
        duration_s = sample.interval.duration_s
        self.duration_s += duration_s
        if sample.utilization is not None:
            self._known_s += duration_s
            self._idle_s += sample.interval.idle_s or 0.0
            self._busy_s += sample.utilization * duration_s
        self._dropped_bytes += sample.interval.dropped_bytes
        self._marked_bytes += sample.interval.marked_bytes or 0
        self._offered_bytes += sample.interval.offered_bytes
        self._limit_byte_seconds += sample.limit_bytes * duration_s

    @property
    def utilization(self) -> float | None:
        return self._busy_s / self._known_s if self._known_s else None

    @property
    def idle_share(self) -> float:
        return self._idle_s / (self._known_s or 1)

    @property
    def loss(self) -> float:
        return self._dropped_bytes / (self._offered_bytes or 1)

    @property
    def marked_share(self) -> float:
        return self._marked_bytes / (self._offered_bytes or 1)

    @property
    def mean_limit_bytes(self) -> float:
        return self._limit_byte_seconds / (self.duration_s or 1)
