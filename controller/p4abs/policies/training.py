"""Gain training by swings: what moves on is driven faster, what swings back more slowly.

The level of an integrator (the logarithm of its buffer) travels in legs, from one turning point
to the next; a turn counts once the level has come back by the allowed swing. Kesten's rule and
delta-bar-delta read the sign of successive errors; loss comes in bursts and utilization in
sawtooth periods of 0.1 s to 20 s, so single signs say nothing here. Legs do, without a clock:

* a turn after two long legs is oscillation: the gain shrinks, the more so the longer they are.
  Legs of unequal length are progress as well, so the shorter one counts in the ratio of the two;
* a leg longer than the one before is progress: the gain grows with its further length, of which
  a burst counts no more than an error of 1 would have made;
* otherwise the gain grows slowly, so that it settles where the noise swings the level by about
  the allowed amount - the fastest that the noise admits.

Relative legs make the rule free of scale; the rule knows neither rate nor round-trip times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

PROGRESS_EXPONENT = 5.0
"""ln(gain) gained per unit of ln(buffer) of progress: ten per cent further, gain times 1.6."""

TURN_FACTOR = 0.85
"""What an oscillation that is only just too long leaves of the gain."""

LEAST_TURN_FACTOR = 0.3
"""The most that one turn may take: one burst, a slow start say, must not disarm the law."""


@dataclass(frozen=True, slots=True)
class Leg:
    """The way of a level since its last turning point.

    ``extreme`` is the furthest level of this leg, ``previous_length`` the length of the leg
    before it.
    """

    origin: float
    extreme: float
    previous_length: float
    rising: bool

    @classmethod
    def starting_at(cls, level: float, previous_length: float = 0.0) -> Leg:
        """No way made yet."""
        return cls(level, level, previous_length, rising=False)

    @property
    def length(self) -> float:
        """Distance between the turning point and the extreme."""
        return abs(self.extreme - self.origin)

    def ahead(self, level: float) -> float:
        """How far ``level`` lies beyond the extreme; negative when it came back."""
        return level - self.extreme if self.rising else self.extreme - level


@dataclass(frozen=True, slots=True)
class Training:
    """The rule's parameters.

    ``swing`` is the allowed relative swing of the buffer, ``growth_time_s`` the time in which a
    gain without turns grows e-fold, ``highest_gain`` the bound on a gain in 1/s.
    """

    swing: float
    growth_time_s: float
    highest_gain: float

    def trained(
        self, gain: float, leg: Leg, level: float, duration_s: float, *, free: bool
    ) -> tuple[float, Leg]:
        """Gain and leg after the level has moved to ``level``.

        A level that a bound holds (not ``free``) shows nothing of a gain that may be too small.
        """
        ahead = leg.ahead(level)
        growth = duration_s / self.growth_time_s if free else 0.0
        if ahead > 0:
            if free and leg.length > leg.previous_length:
                growth += PROGRESS_EXPONENT * min(ahead, gain * duration_s)
            leg = Leg(leg.origin, level, leg.previous_length, leg.rising)
        elif -ahead > self.swing:
            gain *= self._turn_factor(leg)
            leg = Leg(leg.extreme, level, leg.length, not leg.rising)
        return min(gain * math.exp(growth), self.highest_gain), leg

    def rested(self, gain: float, first_gain: float, duration_s: float) -> float:
        """The gain after a time in which the level showed nothing of it: the first one again.

        A greater one is given up at once, or the first stall of the sources would be amplified.
        """
        return min(gain * math.exp(duration_s / self.growth_time_s), first_gain)

    def _turn_factor(self, leg: Leg) -> float:
        shorter, longer = sorted((leg.length, leg.previous_length))
        if shorter * shorter <= self.swing * longer:
            return 1.0
        oscillation = shorter * shorter / longer
        return TURN_FACTOR * max(LEAST_TURN_FACTOR, self.swing / oscillation)
