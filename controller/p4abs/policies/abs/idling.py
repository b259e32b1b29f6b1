"""Which idle time counts, and when.

Sources that a drop has slowed down leave the link idle first and fill its queue later. So idle time
beyond the target waits for the next drop, less the busy time that has made up for it by then. Busy
time that exceeds it counts at once, because it needs no drop to prove it.

What has waited for one drop is one observation. Of an outlier, such as a pause of all sources, only
a bounded part is believed, and as much again is carried over to later drops. The rest is forgotten,
so that busy time need not make up for it. If long idle times return, they become typical and are
believed.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, choose, minimum

BELIEVED_UNITS = 4.0
"""The most idle time that counts at one drop, in typical events."""


@dataclass(frozen=True, slots=True, eq=False)
class Idling(Columns):
    """`waiting_s` is the excess idle time since the last drop, and what was carried over."""

    waiting_s: Floats = 0.0

    def after(self, error_s: Floats, unit_s: Floats, *, dropped: Flags) -> tuple[Floats, "Idling"]:
        """The error that counts now, in seconds, after an interval with the error `error_s`."""
        balance_s = self.waiting_s + error_s
        most_s = BELIEVED_UNITS * unit_s
        counted_s = minimum(balance_s, choose(dropped, most_s, 0.0))
        kept_s = choose(dropped, most_s, 2 * most_s)
        return counted_s, Idling(minimum(balance_s - counted_s, kept_s))
