"""Snapshots of one port in the order of the data plane's time: which of them end an interval."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from itertools import pairwise

from p4abs.columns import Flags
from p4abs.measurements import COUNTER_MODULUS, Snapshot, advance

REMEMBERED = 64
_WENT_BACKWARDS = COUNTER_MODULUS // 2


class News(Enum):
    """What a snapshot means for the series."""

    FIRST = "there was none before it"
    NEXT = "an interval has ended"
    NONE = "repeated or late, or no time has passed: the interval goes on"
    RESTART = "the data plane has started anew, and with it the series"


class SnapshotSeries:
    """Tells a data plane that has started anew from a snapshot that comes late or twice.

    In both cases, time or counters go backwards. But a late snapshot of the same life repeats an
    earlier one, or fits between two earlier ones in its time, in every counter, and in its limit.
    The last 64 snapshots are remembered, more than can be on their way. A snapshot that is older
    than all of these is of a new life.

    The first snapshots of a new life may fit, too, if it repeats the first steps of the old one.
    But they move from gap to gap, exchange by exchange. Overtaken snapshots do not: they would have
    to come one by one, in order, while nothing new comes. So if a second unknown snapshot lies
    beyond the gap of the first one, it is of a new life.

    Only a new life loses a limit that was in force, because controllers in charge never write 0. So
    a new life is noticed on ports without traffic, too, whose counters stay 0.
    """

    def __init__(self, recent: Iterable[Snapshot] = ()) -> None:
        """Continues the series of these snapshots."""
        self._recent: deque[Snapshot] = deque(recent, maxlen=REMEMBERED)
        self._same_instant: Snapshot | None = None
        self._overtaken: Snapshot | None = None

    @property
    def last(self) -> Snapshot | None:
        """The newest snapshot, with the extremes of the backlog of the interval that it ended."""
        return self._recent[-1] if self._recent else None

    @property
    def is_waiting(self) -> bool:
        """Whether there were snapshots after `last` that matter for what comes next."""
        return self._same_instant is not None or self._overtaken is not None

    def forget(self) -> None:
        self._recent.clear()
        self._same_instant = self._overtaken = None

    def add(self, snapshot: Snapshot) -> News:
        """Takes a snapshot. If it is NEXT, the snapshot before it was `last` until now."""
        last = self.last
        if last is None:
            self._recent.append(snapshot)
            return News.FIRST
        if loses_limit(last, snapshot):
            return self._begin_anew(snapshot)
        if is_later(last, snapshot):
            self._recent.append(_joined(self._same_instant, snapshot))
            self._same_instant = self._overtaken = None
            return News.NEXT
        if snapshot.timestamp_us == last.timestamp_us and follows(last, snapshot):
            self._take_same_instant(last, snapshot)
            return News.NONE
        if self._is_late(snapshot):
            return News.NONE
        return self._begin_anew(snapshot)

    def _begin_anew(self, snapshot: Snapshot) -> News:
        self.forget()
        self._recent.append(snapshot)
        return News.RESTART

    def _take_same_instant(self, last: Snapshot, snapshot: Snapshot) -> None:
        # The counters of the interval's start, with the limit that is in force now.
        self._recent[-1] = replace(last, limit_bytes=snapshot.limit_bytes)
        if snapshot.admitted_bytes != last.admitted_bytes:
            self._same_instant = _joined(self._same_instant, snapshot)

    def _is_late(self, snapshot: Snapshot) -> bool:
        if any(_is_same(each, snapshot) for each in self._recent):
            return True
        overtaken, before = self._overtaken, self._before(snapshot)
        if before is None or (overtaken is not None and is_later(overtaken, before)):
            return False
        self._overtaken = snapshot
        return True

    def _before(self, snapshot: Snapshot) -> Snapshot | None:
        """The first of two between which this one fits."""
        gaps = pairwise(self._recent)
        return next((before for before, after in gaps if _fits(before, snapshot, after)), None)


def _is_same(one: Snapshot, other: Snapshot) -> bool:
    """Whether the data plane was asked at one instant; extremes and limits may have been joined."""
    is_same: bool = (
        one.timestamp_us == other.timestamp_us
        and one.admitted_bytes == other.admitted_bytes
        and one.dropped_bytes == other.dropped_bytes
        and one.departed_bytes == other.departed_bytes
    )
    return is_same


def _fits(before: Snapshot, snapshot: Snapshot, after: Snapshot) -> bool:
    """Whether it may have been taken between two others."""
    min_bytes, most_bytes = sorted((before.limit_bytes, after.limit_bytes))
    return (
        before.timestamp_us <= snapshot.timestamp_us <= after.timestamp_us
        and min_bytes <= snapshot.limit_bytes <= most_bytes
        and bool(follows(before, snapshot) and follows(snapshot, after))
    )


def _joined(before: Snapshot | None, snapshot: Snapshot) -> Snapshot:
    """The snapshot, with the extremes of the backlog of both snapshots together."""
    if before is None:
        return snapshot
    return replace(
        snapshot,
        least_backlog_bytes=_known(min, before.least_backlog_bytes, snapshot.least_backlog_bytes),
        greatest_backlog_bytes=_known(
            max, before.greatest_backlog_bytes, snapshot.greatest_backlog_bytes
        ),
    )


def _known(choose: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else choose(one, other)


def follows(before: Snapshot, after: Snapshot) -> Flags:
    """Whether no counter went backwards."""
    return (
        (advance(before.admitted_bytes, after.admitted_bytes) < _WENT_BACKWARDS)
        & (advance(before.dropped_bytes, after.dropped_bytes) < _WENT_BACKWARDS)
        & (advance(before.departed_bytes, after.departed_bytes) < _WENT_BACKWARDS)
    )


def loses_limit(before: Snapshot, after: Snapshot) -> Flags:
    """Whether there was a limit, and there is none."""
    return (before.limit_bytes != 0) & (after.limit_bytes == 0)


def is_later(before: Snapshot, after: Snapshot) -> Flags:
    """Whether a snapshot is of the same life and of a later instant."""
    return (after.timestamp_us > before.timestamp_us) & follows(before, after)
