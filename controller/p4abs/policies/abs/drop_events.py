"""Drop events: drops that belong together, because no source can have answered in between.

The sources' sawteeth lie between them. A source learns of a drop when the queue that stood before
it has drained, so a new event begins with a drop after at least one drain time without any.
"""

from dataclasses import dataclass

LONGEST_DRAIN_TIMES = 8.0
"""Drops without such a gap are one event for no longer than this."""


@dataclass(frozen=True, slots=True)
class DropEvents:
    """`since_drop_s` and `since_event_s` have passed since the last drop, and since the last event
    began; `begins` tells that one began in the last interval."""

    since_drop_s: float = 0.0
    since_event_s: float = 0.0
    begins: bool = False

    def after(self, duration_s: float, *, dropped: bool, drain_time_s: float) -> "DropEvents":
        """After an interval with or without a drop; `drain_time_s` is that of the limit."""
        since_event_s = self.since_event_s + duration_s
        if not dropped:
            return DropEvents(self.since_drop_s + duration_s, since_event_s)
        answered = self.since_drop_s > max(drain_time_s, duration_s)
        if answered or since_event_s >= LONGEST_DRAIN_TIMES * drain_time_s:
            return DropEvents(begins=True)
        return DropEvents(since_event_s=since_event_s)
