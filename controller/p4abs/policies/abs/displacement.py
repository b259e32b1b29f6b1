"""Drops that the law causes itself: what a falling limit displaces from a full queue.

A limit that falls below the queue drops the difference, whatever the size of the buffer; a law
that takes these drops for a buffer too small brakes itself, or turns, on every way down. They
are forgiven: bytes up to half of what the limit has lost in the last few drain times. Only a fall
well below the limit's recent height counts, so that nothing is forgiven in the steady state, where
the drops due to its swings belong to the loss that the target is about.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Floats, Ints, any_of, choose, exp, maximum, minimum

RECENT_SHARE = 0.75
"""A fall counts below this share of the limit's height since its last low."""

FORGIVEN_SHARE = 0.5
"""Share of a fall that is forgiven: with all of it the way down ends some 15 % too low, because
the senders answer to forgiven drops as well; with none it takes twice as long."""

DRAIN_TIMES = 2.0
"""Drain times after which forgiveness has faded to 1/e."""


@dataclass(frozen=True, slots=True, eq=False)
class Displacement(Columns):
    """`forgiven_bytes` of the next drops are the law's own, below a limit of `low_bytes`."""

    low_bytes: Floats
    forgiven_bytes: Floats = 0.0

    def counted(self, dropped_bytes: Ints) -> Floats:
        """The bytes of an interval's drops that say something about the buffer."""
        return maximum(dropped_bytes - self.forgiven_bytes, 0.0)

    def after(
        self, dropped_bytes: Ints, limit_bytes: Ints, new_limit_bytes: Ints, drain_times: Floats
    ) -> "Displacement":
        """After an interval of so many `drain_times` of the new limit."""
        forgiven = maximum(self.forgiven_bytes - dropped_bytes, 0.0)
        if any_of(forgiven > 0):
            forgiven = forgiven * exp(-drain_times / DRAIN_TIMES)
        rise_bytes = new_limit_bytes - limit_bytes
        fall_bytes = maximum(minimum(self.low_bytes, limit_bytes) - new_limit_bytes, 0.0)
        forgiven = choose(
            rise_bytes > 0,
            maximum(forgiven - rise_bytes, 0.0),
            forgiven + FORGIVEN_SHARE * fall_bytes,
        )
        low_bytes = maximum(
            minimum(self.low_bytes, new_limit_bytes), RECENT_SHARE * new_limit_bytes
        )
        return Displacement(low_bytes, forgiven)
