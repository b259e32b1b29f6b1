"""Drops that the law causes itself: what a falling limit displaces from a full queue.

When a limit falls below its queue, the difference is dropped, whatever the size of the buffer. If
the law took these drops as a sign of a small buffer, it would slow down or turn around whenever the
limit falls. So some of them are forgiven: as many bytes as half of the limit's fall in the last few
drain times. Only a fall well below the limit's recent height counts. So nothing is forgiven in the
steady state, where drops due to swings of the limit are part of the loss that the target bounds.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Floats, Ints, any_of, choose, exp, maximum, minimum

RECENT_SHARE = 0.75
"""A fall counts below this share of the limit's height since its last low."""

FORGIVEN_SHARE = 0.5
"""Share of a fall that is forgiven. With the whole fall, the limit ends some 15 % too low, because
senders react to forgiven drops, too. With nothing, the way down takes twice as long."""

DRAIN_TIMES = 2.0
"""Drain times after which forgiveness has faded to 1/e."""


@dataclass(frozen=True, slots=True, eq=False)
class Displacement(Columns):
    """The next `forgiven_bytes` of drops are the law's own. A fall of the limit counts below
    `low_bytes`."""

    low_bytes: Floats
    forgiven_bytes: Floats = 0.0

    def counted(self, dropped_bytes: Ints) -> Floats:
        """The dropped bytes of an interval that are not forgiven."""
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
