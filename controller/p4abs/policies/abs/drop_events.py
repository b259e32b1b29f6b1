"""Drop events: drops that belong together, because no source can have answered in between.

The sources' sawteeth lie between them. A source learns of a drop when the queue that stood before
it has drained, so a new event begins with a drop after at least one drain time without any.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, choose, maximum

LONGEST_DRAIN_TIMES = 8.0
"""Drops without such a gap are one event for no longer than this."""


@dataclass(frozen=True, slots=True, eq=False)
class DropEvents(Columns):
    """`since_drop_s` and `since_event_s` have passed since the last drop, and since the last event
    began; `begins` tells that one began in the last interval."""

    since_drop_s: Floats = 0.0
    since_event_s: Floats = 0.0
    begins: Flags = False

    def after(self, duration_s: Floats, *, dropped: Flags, drain_time_s: Floats) -> "DropEvents":
        """After an interval with or without a drop; `drain_time_s` is that of the limit."""
        since_event_s = self.since_event_s + duration_s
        answered = self.since_drop_s > maximum(drain_time_s, duration_s)
        is_long = since_event_s >= LONGEST_DRAIN_TIMES * drain_time_s
        begins = dropped & (answered | is_long)
        return DropEvents(
            choose(dropped, 0.0, self.since_drop_s + duration_s),
            choose(begins, 0.0, since_event_s),
            begins,
        )
