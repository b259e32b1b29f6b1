"""The ports' queues from one exchange to the next."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from p4abs.columns import Flags, Ints
from p4abs.control.series import follows, is_later
from p4abs.measurements import Snapshot, signed_advance, told_advance


@dataclass(frozen=True, slots=True)
class Queues:
    """What stood in them after an exchange, in arrays over the ports.

    `limit_bytes` are those in force, `occupancy_bytes` what is queued now, `peak_bytes` the longest
    queue since the exchange before. `is_silent`: nothing has arrived since. `turns_away`: packets
    were dropped or marked. `is_stuck`: nothing has left since. For ports that have not answered,
    these are the last known values. `is_news`: the answer is of a later instant than all before it;
    otherwise it may be late or a repeat. `is_changed`: it tells of another limit at the same
    instant, or is the first of all.
    """

    limit_bytes: Ints
    occupancy_bytes: Ints
    peak_bytes: Ints
    is_silent: Flags
    turns_away: Flags
    is_stuck: Flags
    answered: Flags
    is_news: Flags
    is_changed: Flags

    @classmethod
    def between(
        cls,
        before: Snapshot,
        had: Flags,
        after: Snapshot,
        has: Flags,
        answered: Flags,
    ) -> Self:
        """From the snapshots before an exchange, which ports `had`, and those after it."""
        known = had & has
        occupancy_bytes = np.where(has, np.maximum(0, after.occupancy_bytes), 0)
        dropped_bytes = signed_advance(before.dropped_bytes, after.dropped_bytes)
        marks = told_advance(before.marked_bytes, after.marked_bytes) > 0
        admits = after.admitted_bytes != before.admitted_bytes
        turns_away = known & ((dropped_bytes > 0) | marks)
        stays = after.departed_bytes == before.departed_bytes
        peak_bytes = np.where(known, after.greatest_backlog_bytes, 0)
        return cls(
            limit_bytes=np.where(has, after.limit_bytes, 0),
            occupancy_bytes=occupancy_bytes,
            peak_bytes=np.maximum(occupancy_bytes, peak_bytes),
            is_silent=answered & ~(known & (admits | turns_away)),
            turns_away=turns_away,
            is_stuck=known & answered & stays,
            answered=answered,
            is_news=known & answered & is_later(before, after),
            is_changed=answered & _is_changed(before, had, after, has),
        )


def _is_changed(before: Snapshot, had: Flags, after: Snapshot, has: Flags) -> Flags:
    is_same_instant = (after.timestamp_us == before.timestamp_us) & follows(before, after)
    is_other_limit = after.limit_bytes != before.limit_bytes
    return has & (~had | (is_same_instant & is_other_limit))
