"""A branch: an estimate of the logarithm of the limit that meets one target.

Stochastic approximation (Robbins and Monro 1951): each error moves the estimate by 1/n of itself,
where n counts the events due since the beginning, as in a mean. The mean of the errors, and so the
target, holds whatever the noise is. n ends where the estimate is as precise as is asked for,
so that the estimate can follow slow changes. Nor is n larger than the number of answers that the
sources can have given: behind a limit that has grown a hundredfold in the slow starts of many flows
the many events of the beginning, when queues were short, are as a few.

Evidence of a change (`evidence`) divides n by itself, so that the estimate moves as after a fresh
start.
"""

from dataclasses import dataclass, field, replace
from typing import Self

from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    between,
    choose,
    hypot,
    log1p,
    maximum,
    minimum,
    square,
)
from p4abs.policies.abs.evidence import MIN_EVIDENCE, WholeEvents, evidence

FEWEST_EVENTS = 16.0
"""Events averaged at least, when nothing contradicts the estimate."""

REMEMBERED = 2.0
"""How many times what it averages over a branch remembers to have seen. Where the limit swings by
less, n is the same on the way up and on the way down, and errors weigh alike."""

LARGEST_STEP = 0.25
"""Most that a unit may move the limit, as a share of it, and most that is left for the next one: a
drop event is one observation, however large it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Unit(Columns):
    """What one event is worth: seconds, or offered bytes. At least `drained`, which is in
    proportion to the limit: before so much has passed no answer of the sources can be seen."""

    size: Floats
    drained: Floats

    @classmethod
    def of(cls, shortest: Floats, drained: Floats) -> Self:
        """At least `shortest` and at least `drained`."""
        return cls(hypot(shortest, drained), drained)

    @property
    def elasticity(self) -> Floats:
        """That of `size` over the limit, above 0 and up to 1. Where it is 1 a branch adds its steps
        to the limit and not to its logarithm: errors then weigh alike on the way up and on the
        way down, and their sum, which is what a target is about, is 0."""
        return square(self.drained / self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Columns):
    """`level` is the logarithm of a limit in bytes. `observed` is the amount seen, in seconds or
    offered bytes; `events` is n at its largest, `averaged` after the evidence. `rising` and
    `falling` are evidence of a limit too small and too large, `whole_events` of one too large as
    well; `pending` is what has been seen and not yet been applied; a bound forgets it. `room` is
    how far it may rise at once."""

    level: Floats
    observed: Floats = 0.0
    events: Floats = 1.0
    averaged: Floats = 1.0
    rising: Floats = 0.0
    falling: Floats = 0.0
    pending: Floats = 0.0
    room: Floats = LARGEST_STEP
    whole_events: WholeEvents = field(default_factory=WholeEvents)

    def after(
        self,
        amount: Floats,
        error: Floats,
        unit: Unit,
        spread: Floats,
        precision: Floats,
        within: tuple[Floats, Floats],
        *,
        begins: Flags,
    ) -> "Branch":
        """After an interval of `amount` with this error, in which a drop event may have begun, see
        `Errors`.

        `precision` is the standard deviation of the mean error over which the branch averages.
        """
        enough = maximum(spread / square(precision), FEWEST_EVENTS)
        observed = minimum(self.observed + amount, REMEMBERED * enough * unit.size)
        due, error = amount / unit.size, error / unit.size
        events = minimum(self.events + due, minimum(observed / unit.drained, enough))
        rising = evidence(self.rising, error, due, spread)
        falling = evidence(self.falling, -error, due, spread)
        whole_events = self.whole_events.after(error, due, spread, begins)
        averaged = maximum(events / (1 + self._evidence_beyond_chance), 1.0)
        wanted = between(self.pending + error / averaged, -LARGEST_STEP, LARGEST_STEP)
        # A rise at once absorbs the rest of the burst that it answers.
        room = minimum(self.room + LARGEST_STEP * due, LARGEST_STEP)
        step = between(wanted, -LARGEST_STEP * due, room)
        elasticity = unit.elasticity
        wished = self.level + log1p(elasticity * step) / elasticity
        level = between(wished, *within)
        pending = choose(level == wished, wanted - step, 0.0)
        room = room - maximum(step, 0.0)
        return Branch(
            level, observed, events, averaged, rising, falling, pending, room, whole_events
        )

    @property
    def _evidence_beyond_chance(self) -> Floats:
        """That of the time before: an error must not weigh itself."""
        falling = maximum(self.falling, self.whole_events.falling)
        return maximum(maximum(self.rising, falling) - MIN_EVIDENCE, 0.0)

    def followed(self, level: Floats) -> "Branch":
        """Held no lower than `level`, while the other branch determines the limit."""
        return self.changed(self.level < level, Branch.moved, level)

    def begun_anew(self) -> "Branch":
        """At the same level, with nothing known of it yet."""
        nothing = 0.0 * self.level
        return replace(
            self.moved(self.level),
            observed=nothing,
            events=nothing + 1,
            averaged=nothing + 1,
            room=nothing + LARGEST_STEP,
        )

    def moved(self, level: Floats) -> "Branch":
        """At `level`, with nothing known of it yet."""
        nothing = 0.0 * level
        none = WholeEvents(nothing, nothing, nothing)
        return replace(
            self, level=level, rising=nothing, falling=nothing, pending=nothing, whole_events=none
        )
