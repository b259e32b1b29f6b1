"""How much of a shared memory each port of a switch may have.

A policy says which limit its port needs. The port gets it while its queue uses it:

    busy       lately, packets were dropped or marked, or the queue passed half of its limit: it
               needs the policy's limit
    light      it needs twice its longest recent queue, at least its min-limit
    silent     nothing arrives and nothing is queued: it needs its min-limit

Memory that a port does not need is lent to ports that need it, by priority and max-min fairness
(`filled`). Memory that no port needs stays with the ports that were busy last. When a lender
becomes busy again, the borrowers' limits fall at once, and its own limit rises as their queues
drain. A limit rises only into memory that no port holds. A port holds memory by its limit, by a
higher limit that may still be in force, or by packets that a higher limit has admitted.

docs/design/memory-that-serves.md has the reasons.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from p4abs.columns import ByPort, Flags, Ints
from p4abs.control.memory.pool import filled
from p4abs.control.memory.queues import Queues
from p4abs.units import format_size

REMEMBERED_EXCHANGES = 64
"""Exchanges that count as recent: at least this many and at most twice as many, which is as long as
the control remembers snapshots.

Longer sawteeth raise the limit in time, because it is twice the queue.
"""

KEPT_EXCHANGES = 3000
"""How long a port that was busy keeps memory that nobody else needs, in case its traffic comes
back."""

ANSWERS_UNTIL_SURE = 2
"""A late answer may show an earlier limit. So a limit that has fallen is held until this many
answers, each of a later instant, have come; without answers it is held for as long."""

GROWTH = 4 / 3
"""How far above its limit a policy may ask in an interval, where other ports must give the
memory."""

RETURNED = 3 / 4
"""A policy waits while less than this share of its limit is in force, because it would judge
another limit."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A port's priority, and what it keeps of the memory in any case: its min-limit.

    `is_fixed`: the port keeps all of its limit and lends nothing.
    """

    priority: int = 0
    min_limit_bytes: int = 0
    is_fixed: bool = False


UNRANKED = Rank()


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Who holds the memory: `held_bytes` by position."""

    size_bytes: int
    held_bytes: Ints

    def words(self, position: int) -> str:
        """Who holds the memory that this port could have, such as '31 ports hold 970kB of 1MB'."""
        others_bytes = np.delete(self.held_bytes, position)
        count = int(np.count_nonzero(others_bytes))
        holders = "1 port holds" if count == 1 else f"{count} ports hold"
        held, size = format_size(int(others_bytes.sum())), format_size(self.size_bytes)
        return f"{holders} {held} of {size}"


class Lending(ByPort):
    """The limits in force of a switch's ports, `limit_bytes`, within the memory.

    All arrays are over the ports, by position.
    """

    _by_port = (
        "limit_bytes",
        "may_grow_to_bytes",
        "waits",
        "is_short",
        "held_bytes",
        "_priority",
        "_min_bytes",
        "_is_fixed",
        "_since_busy",
        "_peak_bytes",
        "_peak_before_bytes",
        "_fallen_bytes",
        "presumed_bytes",
    )

    def __init__(self, ranks: Sequence[Rank], limit_bytes: Ints, size_bytes: int) -> None:
        """Begins with these limits, or with less, where they are more than the memory."""
        count = len(ranks)
        self.limit_bytes = limit_bytes.copy()
        self.may_grow_to_bytes = limit_bytes.copy()
        """The highest limits that the policies may ask for in the next interval."""
        self.waits = np.zeros(count, np.bool_)
        """Ports whose lent memory is coming back: the policy's limit is not in force yet."""
        self.is_short = np.zeros(count, np.bool_)
        self.held_bytes = limit_bytes.copy()
        self._priority = np.zeros(count, np.int64)
        self._min_bytes = np.zeros(count, np.int64)
        self._is_fixed = np.zeros(count, np.bool_)
        # Ports keep their first limits until it is known which ports are silent.
        self._since_busy = np.full(count, KEPT_EXCHANGES - REMEMBERED_EXCHANGES)
        self._peak_bytes = np.zeros(count, np.int64)
        self._peak_before_bytes = np.zeros(count, np.int64)
        self._fallen_bytes = np.zeros((ANSWERS_UNTIL_SURE, count), np.int64)
        self.presumed_bytes = limit_bytes.copy()
        """What ports may hold: more than `held_bytes` until answers show that limits fell."""
        self._exchanges = 0
        self.rank(range(count), ranks)
        self.limit_bytes[limit_bytes == 0] = size_bytes
        self.fit(size_bytes)

    def rank(self, positions: Sequence[int], ranks: Sequence[Rank]) -> None:
        """Gives ports other ranks."""
        for position, each in zip(positions, ranks, strict=True):
            self._priority[position] = each.priority
            self._min_bytes[position] = each.min_limit_bytes
            self._is_fixed[position] = each.is_fixed

    def begin_at(self, positions: Sequence[int], limit_bytes: Ints) -> None:
        """Ports begin anew at these limits."""
        self.limit_bytes = self.limit_bytes.copy()
        self.limit_bytes[[*positions]] = limit_bytes
        self.may_grow_to_bytes[[*positions]] = limit_bytes

    def lend(self, positions: Sequence[int], limit_bytes: Ints) -> None:
        """These limits are in force at ports, which get their own again when they need them."""
        self.limit_bytes = self.limit_bytes.copy()
        self.limit_bytes[[*positions]] = limit_bytes
        self._since_busy[[*positions]] = KEPT_EXCHANGES

    def presume(self, positions: Sequence[int], held_bytes: Ints) -> None:
        """Until the next answers, ports may hold this much, by a limit in force or in a queue."""
        min_bytes = np.zeros_like(self.limit_bytes)
        min_bytes[[*positions]] = held_bytes
        self._fallen_bytes = np.maximum(self._fallen_bytes, min_bytes)
        self.presumed_bytes = np.maximum(self.presumed_bytes, min_bytes)

    def rise_within(self, size_bytes: int, in_force_bytes: Ints, held_bytes: Ints) -> None:
        """The first limits may be higher than those in force (0: none), but only by memory that no
        port is presumed to hold, because the switch may refuse to lower a limit."""
        base_bytes = np.maximum(in_force_bytes, self._min_bytes)
        held_bytes = np.maximum(base_bytes, held_bytes)
        free_bytes = max(0, size_bytes - int(held_bytes.sum()))
        self.limit_bytes = self._risen(base_bytes, self.limit_bytes, free_bytes)

    def find(self, positions: Sequence[int], limit_bytes: Ints) -> None:
        """Sets the limits in force of ports for which others were presumed. Where a port has none
        (0), it begins with its min-limit."""
        self.limit_bytes = self.limit_bytes.copy()
        ports = np.array(positions)
        self.limit_bytes[ports] = np.where(limit_bytes > 0, limit_bytes, self._min_bytes[ports])
        self._fallen_bytes[:, ports] = 0
        self.presumed_bytes[ports] = self.limit_bytes[ports]

    def fit(self, size_bytes: int) -> None:
        """Lowers limits at once if they exceed the memory; queues drain later."""
        min_bytes = np.where(self._is_fixed, self.limit_bytes, self._min_bytes)
        self.limit_bytes = np.minimum(
            self.limit_bytes, filled(size_bytes, self.limit_bytes, min_bytes, self._priority)
        )

    def room_bytes(self, own_bytes: Ints) -> Ints:
        """By how much the policies' limits may rise in an interval; negative: by how much they must
        fall."""
        return self.may_grow_to_bytes - own_bytes

    def share(self, size_bytes: int, own_bytes: Ints, queues: Queues) -> None:
        """Takes the limits that the policies ask for; 0 (no limit) asks for all memory."""
        own_bytes = np.where(own_bytes > 0, own_bytes, size_bytes)
        used_bytes = self._follow(queues)
        is_busy = self._is_fixed | (self._since_busy < REMEMBERED_EXCHANGES)
        is_silent = ~self._is_fixed & queues.is_silent & (queues.occupancy_bytes == 0)
        need_bytes = np.where(is_busy, own_bytes, np.minimum(own_bytes, 2 * used_bytes))
        need_bytes[is_silent] = 0
        min_bytes = self._kept(own_bytes, queues)
        share_bytes = filled(size_bytes, need_bytes, min_bytes, self._priority)
        self._let_grow(size_bytes, own_bytes, share_bytes, min_bytes, is_busy & ~is_silent)
        keeps = is_busy | (self._since_busy < KEPT_EXCHANGES)
        kept_bytes = np.where(keeps, own_bytes, 0)
        share_bytes = filled(size_bytes, kept_bytes, share_bytes, self._priority)
        self._move(size_bytes, np.minimum(own_bytes, share_bytes), queues)
        self.is_short = is_busy & ~is_silent & (share_bytes < own_bytes)
        self.waits = is_busy & ~self.is_short & (queues.limit_bytes < RETURNED * own_bytes)

    def use(self, size_bytes: int) -> MemoryUse:
        """Who holds the memory now."""
        return MemoryUse(size_bytes, self.held_bytes)

    def _let_grow(
        self,
        size_bytes: int,
        own_bytes: Ints,
        share_bytes: Ints,
        min_bytes: Ints,
        is_busy: Flags,
    ) -> None:
        """Policies may ask for all free memory. Policies of busy ports may also ask for memory that
        others must give. A port that lends memory still knows what it needs when it is busy
        again."""
        free_bytes = size_bytes - int(share_bytes.sum())
        more_bytes = np.where(is_busy, GROWTH * own_bytes, share_bytes).astype(np.int64)
        given_bytes = filled(size_bytes, more_bytes, min_bytes, self._priority)
        grown_bytes = np.maximum(share_bytes + free_bytes, given_bytes)
        self.may_grow_to_bytes = np.where(is_busy, grown_bytes, np.maximum(own_bytes, grown_bytes))

    def _follow(self, queues: Queues) -> Ints:
        """Returns the longest recent queues."""
        is_busy = queues.turns_away | (2 * queues.peak_bytes > queues.limit_bytes)
        self._since_busy = np.where(is_busy & queues.answered, 0, self._since_busy + 1)
        peak_bytes = np.where(queues.answered, queues.peak_bytes, 0)
        self._peak_bytes = np.maximum(self._peak_bytes, peak_bytes)
        used_bytes: Ints = np.maximum(self._peak_bytes, self._peak_before_bytes)
        self._exchanges += 1
        if self._exchanges % REMEMBERED_EXCHANGES == 0:
            self._peak_before_bytes, self._peak_bytes = self._peak_bytes, peak_bytes
        return used_bytes

    def _kept(self, own_bytes: Ints, queues: Queues) -> Ints:
        """What ports keep in any case, including memory that no write can take and queues that do
        not drain."""
        min_bytes = np.where(self._is_fixed, own_bytes, self._min_bytes)
        stuck_bytes = np.where(queues.is_stuck, queues.occupancy_bytes, 0)
        presumed_bytes = np.where(queues.answered, 0, self.presumed_bytes)
        return np.maximum(np.maximum(min_bytes, stuck_bytes), presumed_bytes)

    def _move(self, size_bytes: int, target_bytes: Ints, queues: Queues) -> None:
        """Limits fall at once, and rise into memory that no port holds."""
        let_in_bytes = np.maximum(queues.limit_bytes, queues.occupancy_bytes)
        before_bytes = self.limit_bytes
        self._confirm(queues)
        held_bytes = np.maximum(before_bytes, let_in_bytes)
        held_bytes = np.maximum(held_bytes, self._fallen_bytes.max(axis=0))
        free_bytes = size_bytes - int(held_bytes.sum())
        if free_bytes < 0:
            self.limit_bytes = np.minimum(target_bytes, before_bytes)
        else:
            self.limit_bytes = self._risen(held_bytes, target_bytes, free_bytes)
        self.held_bytes = np.maximum(self.limit_bytes, let_in_bytes)
        self.presumed_bytes = np.maximum(self.limit_bytes, held_bytes)
        self._fallen_bytes = np.where(
            queues.is_news,
            np.vstack([before_bytes, self._fallen_bytes[:-1]]),
            np.maximum(self._fallen_bytes, held_bytes),
        )

    def _risen(self, base_bytes: Ints, target_bytes: Ints, free_bytes: int) -> Ints:
        """The limits that rise from a base towards their targets by free memory."""
        more_bytes = np.maximum(0, target_bytes - base_bytes)
        granted_bytes = filled(free_bytes, more_bytes, np.zeros_like(more_bytes), self._priority)
        return np.minimum(target_bytes, base_bytes + granted_bytes)

    def _confirm(self, queues: Queues) -> None:
        """The time of some switches stands still without traffic. Their answer is new if it is the
        first to show the limit that was written."""
        is_sure = queues.is_changed & (queues.limit_bytes == self.limit_bytes)
        self._fallen_bytes = np.where(is_sure, 0, self._fallen_bytes)
