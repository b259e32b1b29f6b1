"""A port's figures, smoothed for people's eyes and summed up for the summary."""

import math

from p4abs.control import Sample

SMOOTHING_S = 1.0


class PortMeter:
    """Utilization and loss as ratios of sums that fade with a time constant of 1 s.

    The mean of ratios would not be the ratio of sums: loss comes in bursts.
    """

    def __init__(self, capacity_bps: int) -> None:
        self.last: Sample | None = None
        self._capacity_bps = capacity_bps
        self._recent = _Sums()
        self._total = _Sums()

    def add(self, sample: Sample) -> None:
        """Takes the next sample of the port."""
        self.last = sample
        self._recent.fade(math.exp(-sample.interval.duration_s / SMOOTHING_S))
        self._recent.add(sample)
        self._total.add(sample)

    @property
    def utilization(self) -> float:
        """Of about the last second; 0 before the first sample."""
        return self._recent.utilization(self._capacity_bps)

    @property
    def loss(self) -> float:
        """Of about the last second; 0 before the first sample."""
        return self._recent.loss

    def totals(self) -> dict[str, float]:
        """Over all samples: duration_s, utilization, loss, mean_limit_bytes (by time)."""
        return {
            "duration_s": self._total.duration_s,
            "utilization": self._total.utilization(self._capacity_bps),
            "loss": self._total.loss,
            "mean_limit_bytes": self._total.mean_limit_bytes,
        }


class _Sums:
    def __init__(self) -> None:
        self.duration_s = 0.0
        self._departed_bytes = 0.0
        self._dropped_bytes = 0.0
        self._offered_bytes = 0.0
        self._limit_byte_seconds = 0.0

    def fade(self, factor: float) -> None:
        self.duration_s *= factor
        self._departed_bytes *= factor
        self._dropped_bytes *= factor
        self._offered_bytes *= factor
        self._limit_byte_seconds *= factor

    def add(self, sample: Sample) -> None:
        self.duration_s += sample.interval.duration_s
        self._departed_bytes += sample.interval.departed_bytes
        self._dropped_bytes += sample.interval.dropped_bytes
        self._offered_bytes += sample.interval.offered_bytes
        self._limit_byte_seconds += sample.limit_bytes * sample.interval.duration_s

    def utilization(self, capacity_bps: int) -> float:
        return 8 * self._departed_bytes / (capacity_bps * self.duration_s or 1)

    @property
    def loss(self) -> float:
        return self._dropped_bytes / (self._offered_bytes or 1)

    @property
    def mean_limit_bytes(self) -> float:
        return self._limit_byte_seconds / (self.duration_s or 1)
