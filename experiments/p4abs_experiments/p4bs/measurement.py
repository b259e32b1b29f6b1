"""Loss, queueing delay and utilization over some time under one limit."""

from dataclasses import dataclass
from statistics import fmean, pstdev

from p4abs.measurements import Interval

SAMPLES = 50
DEVIATIONS = 10.0
MIN_CHANGE = 1e-4
"""The published code rounds the objective to four decimals."""
_AVERAGING_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Measurement:
    """Sums over intervals: those of the first `settle_s` pass, the others count.

    `backlog_byte_s` is the backlog integrated over time.
    """

    settle_s: float
    passed_s: float = 0.0
    measured_s: float = 0.0
    offered_bytes: int = 0
    dropped_bytes: int = 0
    idle_s: float = 0.0
    backlog_byte_s: float = 0.0

    def extended(self, interval: Interval, capacity_bps: float, limit_bytes: int) -> "Measurement":
        """With one interval more, under `limit_bytes`."""
        # Data planes count microseconds; a sum of seconds may fall short of them by a hair.
        if round(self.passed_s, 6) < self.settle_s:
            return Measurement(self.settle_s, self.passed_s + interval.duration_s)
        backlog_bytes = _mean_backlog_bytes(interval, limit_bytes)
        return Measurement(
            self.settle_s,
            self.passed_s,
            self.measured_s + interval.duration_s,
            self.offered_bytes + interval.offered_bytes,
            self.dropped_bytes + interval.dropped_bytes,
            self.idle_s + interval.idle_time_s(capacity_bps),
            self.backlog_byte_s + backlog_bytes * interval.duration_s,
        )

    def lasted(self, wanted_s: float) -> bool:
        """Whether so much time was measured."""
        return round(self.measured_s, 6) >= wanted_s

    @property
    def loss(self) -> float:
        return self.dropped_bytes / self.offered_bytes if self.offered_bytes else 0.0

    @property
    def utilization(self) -> float:
        return 1 - self.idle_s / self.measured_s

    @property
    def backlog_bytes(self) -> float:
        return self.backlog_byte_s / self.measured_s


def _mean_backlog_bytes(interval: Interval, limit_bytes: int) -> float:
    """The middle of the extremes; where they are not measured, that of a full queue."""
    minimum, maximum = interval.least_backlog_bytes, interval.greatest_backlog_bytes
    return limit_bytes if minimum is None or maximum is None else (minimum + maximum) / 2


@dataclass(frozen=True, slots=True)
class Recent:
    """The latest averages of the objective, at most `SAMPLES` of them, the newest last."""

    averages: tuple[float, ...] = ()

    def after(self, objective: float) -> "Recent":
        """With one sample more, averaged exponentially."""
        average = objective
        if self.averages:
            average = _AVERAGING_WEIGHT * objective + (1 - _AVERAGING_WEIGHT) * self.averages[-1]
        return Recent((*self.averages, average)[-SAMPLES:])

    def is_left_by(self, later: "Recent") -> bool:
        """Whether the newest average of `later` is further from the mean here than `DEVIATIONS`
        standard deviations; never before there are `SAMPLES`."""
        if len(self.averages) < SAMPLES:
            return False
        distance = abs(later.averages[-1] - fmean(self.averages))
        return distance > max(DEVIATIONS * pstdev(self.averages), MIN_CHANGE)
