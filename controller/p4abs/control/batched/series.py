"""Snapshots of all ports of a switch in the order of the data plane's time."""

from collections import deque
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from p4abs.columns import ByPort, Flags, Positions, any_of
from p4abs.control.series import REMEMBERED, News, SnapshotSeries, follows, loses_limit
from p4abs.measurements import NOTHING, Snapshot

REMEMBERED_EXCHANGES = 2 * REMEMBERED
"""These contain a port's last `REMEMBERED` snapshots if every other exchange brought one."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The snapshots after an exchange, and the ports that had a new one."""

    exchange: int
    snapshots: Snapshot
    is_new: Flags

    def take(self, ports: Positions) -> Self:
        """Of some of the ports."""
        return replace(self, snapshots=self.snapshots.take(ports), is_new=self.is_new[ports])

    def joined(self, nothing: Snapshot) -> Self:
        """With ports that had no snapshots."""
        none = np.zeros(len(nothing.limit_bytes), np.bool_)
        snapshots = self.snapshots.joined(nothing)
        return replace(self, snapshots=snapshots, is_new=np.append(self.is_new, none))


class SwitchSeries(ByPort):
    """A `SnapshotSeries` for each port.

    Ordinary snapshots are handled for all ports at once. A snapshot that is late, repeated or of a
    new life goes to the port's own series, which is made from the remembered exchanges.
    """

    _by_port = ("last", "has_begun", "_begun_with")

    def __init__(self, ports: int) -> None:
        self.last = Snapshot.batched([NOTHING] * ports)
        """The newest snapshots, see `SnapshotSeries`; NOTHING for ports without one."""
        self.has_begun = np.zeros(ports, np.bool_)
        self._exchange = 0
        self._begun_with = np.zeros(ports, np.int64)
        self._recent: deque[Remembered] = deque(maxlen=REMEMBERED_EXCHANGES)
        self._waiting: dict[int, SnapshotSeries] = {}

    def keep(self, ports: Positions) -> None:
        super().keep(ports)
        self._recent = deque((each.take(ports) for each in self._recent), REMEMBERED_EXCHANGES)
        places = {port: place for place, port in enumerate(ports.tolist())}
        self._waiting = {
            places[port]: series for port, series in self._waiting.items() if port in places
        }

    def join(self, others: "SwitchSeries") -> None:
        """See ByPort; these have no snapshots yet."""
        super().join(others)
        self._recent = deque(
            (each.joined(others.last) for each in self._recent), REMEMBERED_EXCHANGES
        )

    def forget(self) -> None:
        self.has_begun = np.zeros_like(self.has_begun)
        self._recent.clear()
        self._waiting.clear()

    def add(self, snapshots: Snapshot, present: Flags) -> tuple[Flags, Positions]:
        """Takes a snapshot of each port that is `present`.

        Returns the ports for which an interval has ended, and those whose data plane has started
        anew. If an interval has ended, the snapshot before it was `last` until now.
        """
        self._exchange += 1
        known = present & self.has_begun
        if self._waiting:
            known[[*self._waiting]] = False
        first = present & ~self.has_begun
        in_order = known & follows(self.last, snapshots) & ~loses_limit(self.last, snapshots)
        ended = in_order & (snapshots.timestamp_us > self.last.timestamp_us)
        same = in_order & (snapshots.timestamp_us == self.last.timestamp_us)
        unchanged = same & (snapshots.admitted_bytes == self.last.admitted_bytes)
        odd = np.flatnonzero(present & ~(ended | unchanged | first))
        before = self.last
        self.last = _updated(before, snapshots, ended | first, unchanged)
        self._begun_with[first] = self._exchange
        self.has_begun = self.has_begun | first
        restarted = []
        for port in odd.tolist():
            news = self._judge(before, port, snapshots.alone(port))
            if news is News.NEXT:
                ended[port] = True
            if news is News.RESTART:
                restarted.append(port)
                first[port] = True
        self._recent.append(Remembered(self._exchange, self.last, ended | first))
        return ended, np.array(restarted, np.intp)

    def _judge(self, before: Snapshot, port: int, snapshot: Snapshot) -> News:
        series = self._waiting.pop(port, None) or SnapshotSeries(self._recent_of(before, port))
        news = series.add(snapshot)
        assert series.last is not None
        self.last = self.last.put(np.array([port]), Snapshot.batched([series.last]))
        if news is News.RESTART:
            self._begun_with[port] = self._exchange
        if series.is_waiting:
            self._waiting[port] = series
        return news

    def _recent_of(self, before: Snapshot, port: int) -> list[Snapshot]:
        """What is remembered of a port, up to the snapshot before this exchange."""
        recent: list[Snapshot] = []
        for each in self._recent:
            if each.exchange < self._begun_with[port]:
                continue
            if each.is_new[port]:
                recent.append(each.snapshots.alone(port))
            elif recent and recent[-1].limit_bytes != each.snapshots.limit_bytes[port]:
                # It came at the same instant again, with the limit that is in force since.
                recent[-1] = each.snapshots.alone(port)
        last = before.alone(port)
        if recent and recent[-1].timestamp_us == last.timestamp_us:
            recent.pop()
        return [*recent, last]


def _updated(before: Snapshot, snapshots: Snapshot, is_new: Flags, unchanged: Flags) -> Snapshot:
    """The newest snapshots; unchanged ones get the limit that is in force now."""
    if np.count_nonzero(is_new) == len(is_new):
        return snapshots
    ports = np.flatnonzero(is_new)
    updated = before.put(ports, snapshots.take(ports)) if len(ports) else before
    if not any_of(unchanged):
        return updated
    limit_bytes = np.where(unchanged, snapshots.limit_bytes, updated.limit_bytes)
    return replace(updated, limit_bytes=limit_bytes)
