"""One target's errors, drop event by drop event: their typical size, and how irregular they are.

The typical size is the clock of a branch. When the target is met, one event of this size is due in
just as much time (utilization) or offered bytes (loss), whatever the sources, their round-trip
times and the rate are. It is a geometric mean, in which one outlier among eight events counts
little.

The spread decides over how many events a branch must average. It is Allan's variance of sums over
events: the differences of neighboring groups, which do not depend on the distance from the target.

If two events in a row are each larger than all remembered ones together, the remembered ones belong
to another time, such as the slow starts of a few long flows. Then the memory begins anew with these
two.
"""

import math
from dataclasses import dataclass, replace

from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    between,
    choose,
    is_known,
    maximum,
    minimum,
    power,
    square,
)

MEMORY_EVENTS = 8
"""Events in the geometric mean, and groups in the variance."""

SMALLEST_SHARE, LARGEST_SHARE = 0.1, 10.0
"""An event counts as at least and as at most this share of the typical one."""

GROUP_EVENTS = 4
"""Events in a group. Groups, because neighboring events of one source depend on each other."""

LARGEST_SPREAD = 4.0
"""Most that a pair of groups may add to the variance."""

ASSUMED_GROUPS = 3
"""The variance begins at 1, that of independent events, with the weight of this many groups."""

SHRINKING = 0.9
"""When an event is shorter than expected, the expected size shrinks to no less than this share."""

NO_EVENT = -1.0
"""The value of `group_events` while no event goes on."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors(Columns):
    """Amounts and errors are in seconds or offered bytes.

    `nuisance` and `amount` belong to the event that goes on; a nuisance is idle time or lost bytes,
    divided by what the target allows. `typical` is the typical size of an event, `previous` the
    size of the last event, `spread` the variance per event in units of the typical size. What
    passes while no event goes on, such as an idle night before the first drop, belongs to no event.
    """

    nuisance: Floats = 0.0
    amount: Floats = 0.0
    typical: Floats = 0.0
    previous: Floats = 0.0
    events: Floats = 0.0
    group_error: Floats = 0.0
    group_events: Floats = NO_EVENT
    previous_group_error: Floats = math.nan
    spread: Floats = 1.0
    groups: Floats = 0.0

    @property
    def is_event(self) -> Flags:
        return self.group_events > NO_EVENT

    def after(self, amount: Floats, nuisance: Floats, unit: Floats, *, begins: Flags) -> "Errors":
        """After an interval, in which a drop event may have begun; errors are in `unit`."""
        now = Errors(
            self.nuisance + nuisance,
            self.amount + amount,
            self.typical,
            self.previous,
            self.events,
            self.group_error + (nuisance - amount) / unit,
            self.group_events,
            self.previous_group_error,
            self.spread,
            self.groups,
        )
        now = now.changed(self.group_events == NO_EVENT, Errors.interrupted)
        return now.changed(begins, Errors._with_event)

    def interrupted(self) -> "Errors":
        """The event that goes on is discarded."""
        nothing = 0.0 * self.amount
        return replace(
            self,
            nuisance=nothing,
            amount=nothing,
            group_error=nothing,
            group_events=nothing + NO_EVENT,
        )

    def expecting(self, size: Floats, *, at_most: Flags) -> "Errors":
        """Forgets everything, and expects events of this size.

        `at_most`: the size may be far too large. Then shorter events reduce it, until an event has
        a size of its own. Otherwise a limit that is too large, which causes no errors, would come
        down too slowly.
        """
        nothing = 0.0 * size
        return replace(
            self.interrupted(),
            typical=size,
            previous=choose(at_most, nothing, size),
            events=nothing + 1,
            previous_group_error=nothing + math.nan,
            spread=nothing + 1,
            groups=nothing,
        )

    def _with_event(self) -> "Errors":
        # Far below the optimum every event is larger than what is due until the next one.
        size = minimum(self.nuisance, self.amount)
        now = self.changed(size > 0, Errors._with_size, size)
        is_expected = self.is_event & (now.events > 0) & (now.previous == 0)
        now = now.changed(is_expected, Errors._with_length)
        now = replace(now, amount=0.0 * now.amount, group_events=now.group_events + 1)
        return now.changed(now.group_events >= GROUP_EVENTS, Errors._with_group)

    def _with_size(self, size: Floats) -> "Errors":
        events = minimum(self.events + 1, MEMORY_EVENTS)
        typical = choose(self.typical > 0, self.typical, size)
        growth = power(between(size / typical, SMALLEST_SHARE, LARGEST_SHARE), 1 / events)
        now = replace(
            self,
            nuisance=0.0 * size,
            typical=typical * growth,
            previous=size,
            events=events,
        )
        both = minimum(size, self.previous)
        return now.changed(both > MEMORY_EVENTS * typical, Errors._begun_anew, both)

    def _with_length(self) -> "Errors":
        shorter = maximum(self.amount, SHRINKING * self.typical)
        return replace(self, typical=minimum(self.typical, shorter))

    def _begun_anew(self, size: Floats) -> "Errors":
        return replace(self, typical=size, events=0.0 * size + 2)

    def _with_group(self) -> "Errors":
        nothing = 0.0 * self.group_error
        now = self.changed(is_known(self.previous_group_error), Errors._with_pair)
        return replace(
            now, group_error=nothing, group_events=nothing, previous_group_error=self.group_error
        )

    def _with_pair(self) -> "Errors":
        difference = self.group_error - self.previous_group_error
        seen = minimum(square(difference) / (2 * GROUP_EVENTS), LARGEST_SPREAD)
        groups = minimum(self.groups + 1, MEMORY_EVENTS)
        spread = self.spread + (seen - self.spread) / (groups + ASSUMED_GROUPS)
        return replace(self, spread=spread, groups=groups)
