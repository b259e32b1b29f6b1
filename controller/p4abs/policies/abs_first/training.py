"""Gain training: errors that agree raise the gain, swings that cancel lower it.

An integrator needs a high gain while its target is far and a low one while there is nothing but
noise. Both show in what it already has, its errors and its level:

* The *tracking signal* (Trigg and Leach, 1967) is the mean error over the mean size of the
  errors: near 0 when they cancel, near 1 when they agree. The gain grows with its square.
* The level travels in *legs* from one turning point to the next; a turn counts once it has come
  back by the allowed swing. A turn after two long legs is oscillation and lowers the gain, the
  more so the longer the legs are and the less the errors agree.

The gain settles where the noise swings the level by about the allowed amount, and it leaves that
place within seconds of a change of load, by as many orders of magnitude as the change asks for.
Single errors say nothing here: loss comes in bursts and utilization in sawtooth periods, so the
memory of the tracking signal has to span some of them.
"""

import math
from dataclasses import dataclass, replace

GROWTH = 40.0
"""e-folds of the gain within one memory of errors that all agree."""

FASTEST_GROWTH = 1.0
"""Most e-folds of the gain in a second."""

MEMORY_DRAIN_TIMES = 5.0
"""Drain times added to the memory: errors within a round trip are one and the same."""

CLEAR_SIGNAL = 0.5
"""A tracking signal above which no turn counts as oscillation."""

TURN_FACTOR = 0.85
"""What an oscillation that is only just too long leaves of the gain."""

LEAST_TURN_FACTOR = 0.5
"""The most that one turn may take, times `TURN_FACTOR`: one burst must not disarm the law."""

SHRINKING_PER_PERIOD = 1 / 6
"""Most of the buffer, as a logarithm, that an error of -1 takes within a period of the noise."""

RESTING_GAIN = 0.1
"""Most that a gain keeps, in 1/s, while another branch determines the limit."""


@dataclass(frozen=True, slots=True)
class Course:
    """What the training remembers of a level and its errors.

    `origin` is the last turning point, `extreme` the furthest level since, `previous_length`
    the length of the leg before. `mean_error` and `mean_size` are relative errors.
    """

    origin: float
    extreme: float
    previous_length: float = 0.0
    rising: bool = False
    mean_error: float = 0.0
    mean_size: float = 0.0

    @property
    def length(self) -> float:
        """Distance between the turning point and the extreme."""
        return abs(self.extreme - self.origin)

    @property
    def signal(self) -> float:
        """The tracking signal, in [0, 1]."""
        return abs(self.mean_error) / self.mean_size if self.mean_size else 0.0

    def ahead(self, level: float) -> float:
        """How far `level` lies beyond the extreme; negative when it came back."""
        return level - self.extreme if self.rising else self.extreme - level

    def joined(self, level: float, distance: float) -> "Course":
        """This course, going on at `level` after the level was moved there by others."""
        return replace(self, origin=level, extreme=level, previous_length=distance, rising=False)


@dataclass(frozen=True, slots=True)
class Training:
    """The parameters for one branch.

    `swing` is the allowed relative swing of the buffer, `memory_s` the memory of the tracking
    signal, `highest_gain` the bound on the gain in 1/s.
    """

    swing: float
    memory_s: float
    highest_gain: float

    def trained(
        self,
        gain: float,
        course: Course,
        level: float,
        error_s: float,
        duration_s: float,
        *,
        free: bool,
        period_s: float = 0.0,
    ) -> tuple[float, Course]:
        """Gain and course after `error_s`, summed over `duration_s`, moved to `level`.

        A level that a bound holds (not `free`) shows nothing of a gain that may be too small.
        `period_s`, if known, is that of the errors' noise: a gain that follows it is too high.
        """
        memory_s = self.memory_s + MEMORY_DRAIN_TIMES * math.exp(level)
        weight = min(1.0, duration_s / memory_s)
        error = error_s / duration_s
        course = replace(
            course,
            mean_error=course.mean_error + weight * (error - course.mean_error),
            mean_size=course.mean_size + weight * (abs(error) - course.mean_size),
        )
        ahead = course.ahead(level)
        if ahead > 0:
            course = replace(course, extreme=level)
        elif -ahead > self.swing:
            gain *= self._turn_factor(course)
            course = replace(
                course,
                origin=course.extreme,
                extreme=level,
                previous_length=course.length,
                rising=not course.rising,
            )
        if free:
            growth = min(FASTEST_GROWTH, GROWTH / memory_s * course.signal**2)
            gain *= math.exp(growth * duration_s)
        return min(gain, self._highest_gain(period_s)), course

    def _highest_gain(self, period_s: float) -> float:
        return min(self.highest_gain, SHRINKING_PER_PERIOD / period_s if period_s else math.inf)

    def _turn_factor(self, course: Course) -> float:
        """Legs of unequal length are progress as well: the shorter counts in their ratio."""
        shorter, longer = sorted((course.length, course.previous_length))
        if shorter * shorter <= self.swing * longer:
            return 1.0
        factor = TURN_FACTOR * max(LEAST_TURN_FACTOR, self.swing * longer / (shorter * shorter))
        return float(factor ** max(0.25, 1 - course.signal / CLEAR_SIGNAL))
