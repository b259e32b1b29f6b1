"""What ports did in a stretch of time."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Floats, choose, maximum
from p4abs.control import Samples
from p4abs.measurements import COUNTERS, Measurement, is_told

OPTIONAL_COUNTERS = tuple(each for each in COUNTERS if not each.is_needed)


class Sums(NamedTuple):
    """Sums over a port's intervals.

    `known_s` is the time with a known utilization, `busy_s` the part of it in which the link was
    not idle; `idle_known_s` is the time in which idle time was measured. `counted` are the advances
    of counters by name, `told_s` the times in which those that not all targets have were told.
    """

    counted: Mapping[str, Floats]
    told_s: Mapping[str, Floats]
    duration_s: Floats
    known_s: Floats
    busy_s: Floats
    idle_known_s: Floats
    idle_s: Floats
    limit_byte_seconds: Floats

    @classmethod
    def of(cls, rows: Sequence[Floats]) -> Self:
        """In the order of `sums_of`."""
        count, begin = len(COUNTERS), len(COUNTERS) + len(OPTIONAL_COUNTERS)
        counted = {each.name: row for each, row in zip(COUNTERS, rows[:count], strict=True)}
        optional = zip(OPTIONAL_COUNTERS, rows[count:begin], strict=True)
        return cls(counted, {each.name: row for each, row in optional}, *rows[begin:])

    def known(self, counter: Measurement) -> Floats | None:
        """What a counter of one port has counted; None: it was never told."""
        is_told = self.told_s.get(counter.name, 1.0) > 0
        return self.counted[counter.name] if is_told else None

    @property
    def utilization(self) -> float | None:
        return self.busy_s / self.known_s if self.known_s else None

    @property
    def idle_share(self) -> float | None:
        """Of the known time; None: not measured."""
        return self.idle_s / self.known_s if self.idle_known_s and self.known_s else None

    @property
    def dropped_bytes(self) -> Floats:
        """Turned away by the queue limit."""
        return self.counted["dropped_bytes"]

    @property
    def offered_bytes(self) -> Floats:
        """Admitted and dropped ones."""
        return self.counted["admitted_bytes"] + self.dropped_bytes

    @property
    def loss(self) -> Floats:
        """Of the offered bytes; 0 when nothing arrived.

        Of sums that fade, less than a byte is nothing.
        """
        return self.dropped_bytes / maximum(self.offered_bytes, 1.0)

    def share(self, counter: Measurement) -> Floats:
        """Of the offered bytes; NaN: the target does not tell it."""
        share = self.counted[counter.name] / maximum(self.offered_bytes, 1.0)
        return choose(self.told_s[counter.name] > 0, share, nan)

    def mean(self, counter: Measurement) -> Floats:
        """Over time, of what a counter of microseconds counts by its time; NaN: it was not told."""
        told_s = self.told_s[counter.name]
        return choose(told_s > 0, self.counted[counter.name] / 1e6 / maximum(told_s, 1e-9), nan)

    @property
    def round_trip_s(self) -> Floats:
        """The mean by what flows sent; NaN: of no packet was it known.

        Of sums that fade, less than a byte is nothing.
        """
        timed_bytes = self.counted["timed_bytes"]
        mean = self.counted["timed_byte_us"] / 1e6 / maximum(timed_bytes, 1.0)
        return choose(timed_bytes >= 1, mean, nan)

    @property
    def mean_limit_bytes(self) -> float:
        mean: float = self.limit_byte_seconds / (self.duration_s or 1)
        return mean


def no_sums(ports: int) -> NDArray[np.float64]:
    """Of many ports: a row for each of the sums, a column for each port."""
    return np.zeros((len(Sums._fields) - 2 + len(COUNTERS) + len(OPTIONAL_COUNTERS), ports))


def sums_of(samples: Samples) -> NDArray[np.float64]:
    """What each of the samples adds to its port's sums."""
    intervals = samples.steps.intervals
    duration_s, idle_s = intervals.duration_s, intervals.idle_s
    has_utilization, has_idle = is_told(samples.utilization), is_told(idle_s)
    counted = [getattr(intervals, each.name) for each in COUNTERS]
    told = [is_told(getattr(intervals, each.name)) for each in OPTIONAL_COUNTERS]
    return np.array(
        [
            *(np.maximum(each, 0) for each in counted),
            *(duration_s * each for each in told),
            duration_s,
            duration_s * has_utilization,
            np.where(has_utilization, samples.utilization, 0.0) * duration_s,
            duration_s * has_idle,
            np.where(has_idle, idle_s, 0.0),
            samples.steps.limit_bytes * duration_s,
        ]
    )
