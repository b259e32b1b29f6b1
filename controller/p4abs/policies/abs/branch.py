"""A branch: an estimate of the logarithm of the limit that meets one target.

Stochastic approximation (Robbins and Monro 1951): each error moves the estimate by 1/n of itself,
where n counts the events due since the beginning, as in a mean. So the mean error is 0 and the
target is met, whatever the noise is. n has two bounds:

* It stops growing when the estimate is as precise as asked for. So the estimate can follow slow
  changes.
* It is at most the number of reactions that the sources can have shown. If the slow starts of many
  flows have raised the limit a hundredfold, the many events of the beginning, when queues were
  short, count as a few.

Evidence of a change (`evidence`) divides n, so that the estimate moves as after a fresh start.
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
"""A branch averages over at least so many events, unless there is evidence of a change."""

REMEMBERED = 2.0
"""A branch remembers the amount that it has seen, up to this many times the amount that it averages
over. While the limit swings by a smaller factor, n is the same on the way up and on the way down,
and errors weigh the same."""

LARGEST_STEP = 0.25
"""The most that one unit may move the limit, as a share of it, and the most that is left for the
next unit. A drop event is one observation, however large it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Unit(Columns):
    """The size of one event, in seconds or in offered bytes. It is at least `drained`, which is
    proportional to the limit: no reaction of the sources can be seen sooner."""

    size: Floats
    drained: Floats

    @classmethod
    def of(cls, shortest: Floats, drained: Floats) -> Self:
        """At least `shortest` and at least `drained`."""
        return cls(hypot(shortest, drained), drained)

    @property
    def elasticity(self) -> Floats:
        """The elasticity of `size` with respect to the limit, above 0 and at most 1. At 1 a branch
        adds its steps to the limit, not to its logarithm. Then errors weigh the same on the way up
        and on the way down, and their sum is 0, which is what a target asks for."""
        return square(self.drained / self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Columns):
    """`level` is the logarithm of a limit in bytes. `observed` is the amount seen, in seconds or
    offered bytes. `events` is n without evidence, `averaged` is n divided by the evidence. `rising`
    is evidence that the limit is too small, `falling` and `whole_events` that it is too large.
    `pending` is the part of a step that has not been applied yet; at a bound it is forgotten.
    `room` is how far the level may rise at once."""

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
        """After an interval of `amount` with this error. `begins`: a drop event has begun in it.

        `spread` is that of `Errors`. `precision` is the standard deviation that the mean of the
        averaged errors may have.
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
        # After a rise there is less room for the next: it answers the rest of the same burst, too.
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
        """Only evidence of earlier intervals: an error must not decide its own weight."""
        falling = maximum(self.falling, self.whole_events.falling)
        return maximum(maximum(self.rising, falling) - MIN_EVIDENCE, 0.0)

    def followed(self, level: Floats) -> "Branch":
        """Held no lower than `level`, while the other branch determines the limit."""
        return self.changed(self.level < level, Branch.moved, level)

    def at(self, level: Floats) -> "Branch":
        """At `level`, with all that is known."""
        return replace(self, level=level)

    def begun_anew(self) -> "Branch":
        """At the same level, but everything else is forgotten."""
        nothing = 0.0 * self.level
        return replace(
            self.moved(self.level),
            observed=nothing,
            events=nothing + 1,
            averaged=nothing + 1,
            room=nothing + LARGEST_STEP,
        )

    def moved(self, level: Floats) -> "Branch":
        """At `level`, without evidence and without pending steps; n stays."""
        nothing = 0.0 * level
        none = WholeEvents(nothing, nothing, nothing)
        return replace(
            self, level=level, rising=nothing, falling=nothing, pending=nothing, whole_events=none
        )
