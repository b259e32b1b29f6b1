"""Drop events: drops that belong together, because no source can have reacted in between.

The sources' sawteeth lie between the events. A source learns of a drop when the queue in front of
it has drained. So a drop begins a new event if no packet was dropped for at least one drain time.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, choose, maximum

LONGEST_DRAIN_TIMES = 8.0
"""Without such a gap, the first drop after so many drain times begins a new event."""


@dataclass(frozen=True, slots=True, eq=False)
class DropEvents(Columns):
    """`since_drop_s` has passed since the last drop, `since_event_s` since the last event began.
    `begins`: an event began in the last interval."""

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
