"""A standstill: a queue stands, and nothing leaves it.

The link is down, or the switch has stalled. Such time is neither idle nor busy, and no sawtooth
passes in it: it says nothing about the buffer. A link that works sends a frame at least once in the
drain time of its limit.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, choose


@dataclass(frozen=True, slots=True, eq=False)
class Standstill(Columns):
    """`standing_s` has passed since a frame left or the link was idle."""

    standing_s: Floats = 0.0

    def after(self, duration_s: Floats, *, moves: Flags) -> "Standstill":
        """After an interval; `moves`: a frame has left in it, or the link was idle."""
        return Standstill(choose(moves, 0.0, self.standing_s + duration_s))

    def has_lasted(self, drain_time_s: Floats) -> Flags:
        """Whether it has lasted for longer than a link that works needs to send a frame;
        `drain_time_s` is that of the limit."""
        return self.standing_s > drain_time_s
