"""A branch: an estimate of the logarithm of the limit that meets one target.

Stochastic approximation (Robbins and Monro 1951): each error moves the estimate by 1/n of itself,
where n counts the events due since the beginning, as in a mean. The mean of the errors, and so the
target, holds whatever the noise is. n ends where the estimate is as precise as is asked for,
so that the estimate can follow slow changes.

A change is seen by cumulative sums (Page 1954): evidence that the error has the same sign for
longer than noise explains divides n by itself, so that the estimate moves as after a fresh start.
"""

from dataclasses import dataclass, replace
from typing import Self

from p4abs.columns import Columns, Floats, between, choose, greatest, hypot, least, log1p, square

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


@dataclass(frozen=True, slots=True, eq=False)
class Unit(Columns):
    """What one event is worth: seconds, or offered bytes.

    `elasticity`, above 0 and up to 1, is that of `size` over the limit. Where it is 1 a branch
    adds its steps to the limit and not to its logarithm: errors then weigh alike on the way up
    and on the way down, and their sum, which is what a target is about, is 0.
    """

    size: Floats
    elasticity: Floats

    @classmethod
    def of(cls, shortest: Floats, drained: Floats) -> Self:
        """At least `shortest` and at least `drained`, which is in proportion to the limit."""
        size = hypot(shortest, drained)
        return cls(size, square(drained / size))


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Columns):
    """`level` is the logarithm of a limit in bytes. `events` is n at its largest, `averaged` after
    the evidence. `rising` and `falling` are evidence of a limit too small and too large; `pending`
    is what has been seen and not yet been applied; a bound forgets it. `room` is how far it
    may rise at once."""

    level: Floats
    events: Floats = 1.0
    averaged: Floats = 1.0
    rising: Floats = 0.0
    falling: Floats = 0.0
    pending: Floats = 0.0
    room: Floats = LARGEST_STEP

    def after(
        self,
        amount: Floats,
        error: Floats,
        unit: Unit,
        spread: Floats,
        precision: Floats,
        within: tuple[Floats, Floats],
    ) -> "Branch":
        """After an interval of `amount` with this error, both counted in `unit`, see `Errors`.

        `precision` is the standard deviation of the mean error over which the branch averages.
        """
        due, error = amount / unit.size, error / unit.size
        rising = self._evidence(self.rising, error, due, spread)
        falling = self._evidence(self.falling, -error, due, spread)
        enough = greatest(spread / square(precision), FEWEST_EVENTS)
        events = least(self.events + due, enough)
        # That of the time before: an error must not weigh itself.
        evidence = greatest(greatest(self.rising, self.falling) - LEAST_EVIDENCE, 0.0)
        averaged = greatest(events / (1 + evidence), 1.0)
        wanted = between(self.pending + error / averaged, -LARGEST_STEP, LARGEST_STEP)
        # A rise at once absorbs the rest of the burst that it answers.
        room = least(self.room + LARGEST_STEP * due, LARGEST_STEP)
        step = between(wanted, -LARGEST_STEP * due, room)
        wished = self.level + log1p(unit.elasticity * step) / unit.elasticity
        level = between(wished, *within)
        pending = choose(level == wished, wanted - step, 0.0)
        room = room - greatest(step, 0.0)
        return Branch(level, events, averaged, rising, falling, pending, room)

    def followed(self, level: Floats) -> "Branch":
        """Held no lower than `level`, while the other branch determines the limit."""
        return self.changed(self.level < level, Branch._raised, level)

    def _raised(self, level: Floats) -> "Branch":
        nothing = 0.0 * level
        return replace(self, level=level, rising=nothing, falling=nothing, pending=nothing)

    def _evidence(self, before: Floats, error: Floats, due: Floats, spread: Floats) -> Floats:
        likelihood = SHIFT * (error - SHIFT / 2 * due) / greatest(spread, LEAST_SPREAD)
        return between(before + likelihood, 0.0, MOST_EVIDENCE)
