"""A branch: an estimate of the logarithm of the limit that meets one target.

Stochastic approximation (Robbins and Monro 1951): each error moves the estimate by 1/n of itself,
where n counts the events due since the beginning, as in a mean. The mean of the errors, and so the
target, holds whatever the noise is. n ends where the estimate is as precise as is asked for,
so that the estimate can follow slow changes.

A change is seen by cumulative sums (Page 1954): evidence that the error has the same sign for
longer than noise explains divides n by itself, so that the estimate moves as after a fresh start.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

FEWEST_EVENTS = 16.0
"""Events averaged at least, when nothing contradicts the estimate."""

SHIFT = 1.0
"""The error, in shares of the target, that counts as a change: twice the target, or nothing."""

LEAST_SPREAD = 1.0
LEAST_EVIDENCE, MOST_EVIDENCE = 3.0, 7.0
"""Logarithms of likelihood ratios. Below the one, 20 to 1, a change is a suspicion; what goes
beyond the other is not kept, so that a change is forgotten as soon as it has been followed."""

LARGEST_STEP = 0.25
"""Most that a unit may move the limit, as a share of it, and most that is left for the next one: a
drop event is one observation, however large it is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What one event is worth: seconds, or offered bytes.

    `elasticity`, above 0 and up to 1, is that of `size` over the limit. Where it is 1 a branch
    adds its steps to the limit and not to its logarithm: errors then weigh alike on the way up
    and on the way down, and their sum, which is what a target is about, is 0.
    """

    size: float
    elasticity: float

    @classmethod
    def of(cls, least: float, drained: float) -> Self:
        """At least `least` and at least `drained`, which is in proportion to the limit."""
        size = math.hypot(least, drained)
        return cls(size, (drained / size) ** 2)


@dataclass(frozen=True, slots=True)
class Branch:
    """`level` is the logarithm of a limit in bytes. `events` is n at its largest, `averaged` after
    the evidence. `rising` and `falling` are evidence of a limit too small and too large; `pending`
    is what has been seen and not yet been applied; a bound forgets it. `room` is how far it
    may rise at once."""

    level: float
    events: float = 1.0
    averaged: float = 1.0
    rising: float = 0.0
    falling: float = 0.0
    pending: float = 0.0
    room: float = LARGEST_STEP

    def after(
        self,
        amount: float,
        error: float,
        unit: Unit,
        spread: float,
        precision: float,
        within: tuple[float, float],
    ) -> "Branch":
        """After an interval of `amount` with this error, both counted in `unit`, see `Errors`.

        `precision` is the standard deviation of the mean error over which the branch averages.
        """
        due, error = amount / unit.size, error / unit.size
        rising = self._evidence(self.rising, error, due, spread)
        falling = self._evidence(self.falling, -error, due, spread)
        events = min(self.events + due, max(FEWEST_EVENTS, spread / precision**2))
        # That of the time before: an error must not weigh itself.
        evidence = max(0.0, max(self.rising, self.falling) - LEAST_EVIDENCE)
        averaged = max(1.0, events / (1 + evidence))
        wanted = _between(self.pending + error / averaged, LARGEST_STEP)
        # A rise at once absorbs the rest of the burst that it answers.
        room = min(self.room + LARGEST_STEP * due, LARGEST_STEP)
        step = max(min(wanted, room), -LARGEST_STEP * due)
        wished = self.level + math.log1p(unit.elasticity * step) / unit.elasticity
        level = min(max(wished, within[0]), within[1])
        pending = wanted - step if level == wished else 0.0
        return Branch(level, events, averaged, rising, falling, pending, room - max(0.0, step))

    def followed(self, level: float) -> "Branch":
        """Held no lower than `level`, while the other branch determines the limit."""
        if self.level >= level:
            return self
        return replace(self, level=level, rising=0.0, falling=0.0, pending=0.0)

    def _evidence(self, before: float, error: float, due: float, spread: float) -> float:
        likelihood = SHIFT * (error - SHIFT / 2 * due) / max(spread, LEAST_SPREAD)
        return min(max(0.0, before + likelihood), MOST_EVIDENCE)


def _between(value: float, most: float) -> float:
    return min(max(value, -most), most)
