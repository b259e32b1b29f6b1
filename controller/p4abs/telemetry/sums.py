"""What ports did in a stretch of time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from p4abs.control import Samples


class Sums(NamedTuple):
    """Sums over a port's intervals.

    `known_s` is the time with a known utilization, `busy_s` the part of it in which the link was
    not idle; `idle_known_s` and `marks_known_s` are the times in which idle time and marks were
    measured.
    """

    duration_s: float = 0.0
    known_s: float = 0.0
    busy_s: float = 0.0
    idle_known_s: float = 0.0
    idle_s: float = 0.0
    marks_known_s: float = 0.0
    marked_bytes: float = 0.0
    admitted_bytes: float = 0.0
    dropped_bytes: float = 0.0
    departed_bytes: float = 0.0
    limit_byte_seconds: float = 0.0

    @property
    def utilization(self) -> float | None:
        """None: not known."""
        return self.busy_s / self.known_s if self.known_s else None

    @property
    def idle_share(self) -> float | None:
        """Of the known time; None: not measured."""
        return self.idle_s / self.known_s if self.idle_known_s and self.known_s else None

    @property
    def offered_bytes(self) -> float:
        """Admitted and dropped ones."""
        return self.admitted_bytes + self.dropped_bytes

    @property
    def loss(self) -> float:
        """Of the offered bytes; 0 when nothing arrived.

        Of sums that fade, less than a byte is nothing.
        """
        return self.dropped_bytes / max(self.offered_bytes, 1.0)

    @property
    def marked_share(self) -> float | None:
        """Of the offered bytes; None: the target cannot mark."""
        return self.marked_bytes / max(self.offered_bytes, 1.0) if self.marks_known_s else None

    @property
    def mean_limit_bytes(self) -> float:
        """Mean over time."""
        return self.limit_byte_seconds / (self.duration_s or 1)


def no_sums(ports: int) -> NDArray[np.float64]:
    """Of many ports: a row for each of the fields of `Sums`, a column for each port."""
    return np.zeros((len(Sums._fields), ports))


def sums_of(samples: Samples) -> NDArray[np.float64]:
    """What each of the samples adds to its port's sums."""
    intervals = samples.steps.intervals
    duration_s = intervals.duration_s
    is_known, has_idle = samples.utilization == samples.utilization, intervals.idle_s >= 0
    marks = intervals.marked_bytes >= 0
    return np.array(
        [
            duration_s,
            duration_s * is_known,
            np.where(is_known, samples.utilization, 0.0) * duration_s,
            duration_s * has_idle,
            np.where(has_idle, intervals.idle_s, 0.0),
            duration_s * marks,
            intervals.marked_bytes * marks,
            intervals.admitted_bytes,
            intervals.dropped_bytes,
            intervals.departed_bytes,
            samples.steps.limit_bytes * duration_s,
        ]
    )
