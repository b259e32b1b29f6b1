"""Moves ports from their present limits to those that they are left with, within a shared
memory."""

from collections.abc import Mapping

import numpy as np

from p4abs.control.batched.series import SwitchSeries
from p4abs.control.memory.lending import Lending, Rank
from p4abs.control.memory.queues import Queues
from p4abs.measurements import Snapshot
from p4abs.snapshots import snapshots_at

_KEEPS_ALL = Rank(is_fixed=True)


class Leaving:
    """Limits fall at once, and rise only into memory that no port holds, see `Lending`.

    `limits` are those to be left, `held_bytes` is what ports may hold now: both in bytes, by port.
    """

    def __init__(
        self, limits: Mapping[int, int], held_bytes: Mapping[int, int], size_bytes: int
    ) -> None:
        self._numbers = [*limits]
        self._size_bytes = size_bytes
        self._left_bytes = np.array([*limits.values()], np.int64)
        held = np.array([held_bytes.get(port, limits[port]) for port in limits], np.int64)
        self._lending = Lending([_KEEPS_ALL] * len(limits), self._left_bytes, size_bytes)
        self._lending.presume(range(len(limits)), held)
        self._lending.rise_within(size_bytes, np.minimum(self._left_bytes, held), held)
        self._series = SwitchSeries(len(limits))

    @property
    def limits(self) -> dict[int, int]:
        """The limits to write now, in bytes, by port."""
        return dict(zip(self._numbers, self._lending.limit_bytes.tolist(), strict=True))

    @property
    def is_done(self) -> bool:
        """Whether all limits are those to be left."""
        return bool((self._lending.limit_bytes == self._left_bytes).all())

    @property
    def is_known(self) -> bool:
        """Whether the answers show what all ports hold."""
        return bool((self._lending.presumed_bytes <= self._lending.held_bytes).all())

    def look(self, taken: Mapping[int, Snapshot]) -> None:
        """Takes the first snapshots, by port, before anything is written."""
        self._series.add(*snapshots_at(self._numbers, taken))

    def observe(self, taken: Mapping[int, Snapshot]) -> None:
        """Takes the snapshots that came after the `limits` were written."""
        snapshots, answered = snapshots_at(self._numbers, taken)
        before, had = self._series.last, self._series.has_begun
        self._series.add(snapshots, answered)
        after, has = self._series.last, self._series.has_begun
        queues = Queues.between(before, had, after, has, answered)
        self._lending.share(self._size_bytes, self._left_bytes, queues)
