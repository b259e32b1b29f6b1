"""Who gets first of the memory that ports share, and who gives it back.

Ports of a higher priority take their turn first. What their policies ask for beyond what is left,
ports of lower ones are made to give back: those of the lowest priority first, each in proportion to
what it has above its least limit. Equal ones do not give to each other.

Memory is there once the queue of who gave it has drained. By then a law that asks at drops only
has ceased to ask, so what was asked for is claimed: lower ones do not get it until it asks again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from p4abs.columns import Flags, Ints, Positions
from p4abs.control.memory_pool import MemoryPool

_YIELDS_NOTHING = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Rank:
    """A port's priority, and the limit down to which it gives memory back; None: it gives none."""

    priority: int = 0
    least_limit_bytes: int | None = None


UNRANKED = Rank()


@dataclass
class Holdings:
    """The ports' limits, what they hold (see `MemoryPool`), and what some go on holding, in bytes.

    `stuck_bytes` stand in queues that do not drain. Of ports that have not answered nothing is
    expected.
    """

    limit_bytes: Ints
    held_bytes: Ints
    stuck_bytes: Ints
    answered: Flags

    @property
    def coming_bytes(self) -> int:
        """What limits that have fallen will leave to others."""
        remaining_bytes = np.maximum(self.limit_bytes, self.stuck_bytes)
        return int(np.maximum(0, self.held_bytes - remaining_bytes)[self.answered].sum())

    def decide(self, ports: Positions | int, limit_bytes: Ints) -> None:
        """Ports have other limits."""
        self.limit_bytes[ports] = limit_bytes
        self.held_bytes[ports] = np.maximum(self.held_bytes[ports], limit_bytes)


_NONE = np.zeros(0, np.int64)
NOTHING_HELD = Holdings(_NONE, _NONE, _NONE, _NONE)
"""Where memory is not shared nobody asks."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Ports of one priority, and the memory less what those of higher ones claim.

    `yielded_bytes` is, of all ports, by how much a limit has to fall. `claims`: whether there are
    ports of lower priorities.
    """

    ports: Positions
    pool: MemoryPool
    yielded_bytes: Ints
    claims: bool

    def left_bytes(self, port: int, held_bytes: Ints) -> int | None:
        """See `MemoryPool`, of one of these ports; negative where its limit has to fall."""
        if self.pool.size_bytes is None:
            return None
        left_bytes = max(0, self.pool.size_bytes - int(held_bytes.sum()))
        return left_bytes - int(self.yielded_bytes[port])

    def left_in_turn(
        self, ports: Positions, new_limit_bytes: Ints, held_bytes: Ints
    ) -> Ints | None:
        """See `MemoryPool`, of several of these ports."""
        own_bytes = held_bytes[ports]
        others_bytes = int(held_bytes.sum() - own_bytes.sum())
        left_bytes = self.pool.left_in_turn(own_bytes, new_limit_bytes, others_bytes)
        return None if left_bytes is None else left_bytes - self.yielded_bytes[ports]


class Priorities:
    """The priorities of a switch's ports and what each port claims, by position."""

    def __init__(self, ranks: Sequence[Rank]) -> None:
        self._priority = np.zeros(len(ranks), np.int64)
        self._least_bytes = np.zeros(len(ranks), np.int64)
        self._claimed_bytes = np.zeros(len(ranks), np.int64)
        self._nothing = np.zeros(len(ranks), np.int64)
        self.begin(range(len(ranks)), ranks)

    def begin(self, positions: Sequence[int], ranks: Sequence[Rank]) -> None:
        """Ports begin, or begin anew; they claim nothing yet."""
        for position, rank in zip(positions, ranks, strict=True):
            least_bytes = rank.least_limit_bytes
            self._least_bytes[position] = _YIELDS_NOTHING if least_bytes is None else least_bytes
            self._claimed_bytes[position] = 0
        self.change(positions, [rank.priority for rank in ranks])

    def forget(self, positions: Sequence[int]) -> None:
        """Ports claim nothing any more."""
        self._claimed_bytes[[*positions]] = 0

    def change(self, positions: Sequence[int], priorities: Sequence[int]) -> None:
        """Ports go on with other priorities."""
        self._priority[[*positions]] = priorities
        self._present = sorted({*self._priority.tolist()}, reverse=True)

    def turns(self, ports: Positions, pool: MemoryPool, holdings: Holdings) -> Iterator[Turn]:
        """These ports by priority, the highest first; before the next turn, `holdings` know it."""
        if pool.size_bytes is None or len(self._present) == 1:
            yield Turn(ports, pool, self._nothing, claims=False)
            return
        for priority in self._present:
            own, above = self._priority == priority, self._priority > priority
            claims_bytes = np.maximum(0, self._claimed_bytes - holdings.limit_bytes)
            pool_left = MemoryPool(pool.size_bytes - int(claims_bytes[above].sum()))
            yielded_bytes = self._yielded(priority, pool_left, holdings)
            yield Turn(ports[own[ports]], pool_left, yielded_bytes, priority > self._present[-1])

    def claim(
        self, ports: Positions | int, before_bytes: Ints, wanted_bytes: Ints, limit_bytes: Ints
    ) -> None:
        """Ports had limits, wanted others of all memory, and have got these.

        Who asks for more claims that until it asks again, but never more than a third above its
        limit: who has let go of so much does not need what it once did.
        """
        kept_bytes = np.minimum(self._claimed_bytes[ports], limit_bytes * 4 // 3)
        asks = wanted_bytes > before_bytes
        self._claimed_bytes[ports] = np.where(asks, wanted_bytes, kept_bytes)

    def _yielded(self, priority: int, pool: MemoryPool, holdings: Holdings) -> Ints:
        """By how much the limits of a priority have to fall to meet the claims above."""
        assert pool.size_bytes is not None
        spare_bytes = np.maximum(0, holdings.limit_bytes - self._least_bytes)
        spare_bytes = np.where(holdings.answered, spare_bytes, 0)
        lower_bytes = int(spare_bytes[self._priority < priority].sum())
        expected_bytes = pool.size_bytes - int(holdings.held_bytes.sum()) + holdings.coming_bytes
        own_bytes = np.where(self._priority == priority, spare_bytes, 0)
        return _in_proportion(-expected_bytes - lower_bytes, own_bytes)


def _in_proportion(missing_bytes: int, spare_bytes: Ints) -> Ints:
    """What each gives of what it can spare; rounded up, lest the last bytes be never given."""
    total_bytes = int(spare_bytes.sum())
    given_bytes = min(missing_bytes, total_bytes)
    if given_bytes <= 0:
        return np.zeros_like(spare_bytes)
    # Products of sizes do not fit into 64 bits.
    return np.array([-(-given_bytes * each // total_bytes) for each in spare_bytes.tolist()])


def shares(
    pool: MemoryPool,
    wanted: Mapping[int, int],
    lowest: Mapping[int, int],
    priorities: Mapping[int, int],
) -> dict[int, int]:
    """`MemoryPool.shares`, of which ports of higher priorities get theirs first."""
    if pool.size_bytes is None:
        return dict(wanted)
    got: dict[int, int] = {}
    for priority in sorted(set(priorities.values()), reverse=True):
        of_others = sum(got.values()) + sum(
            lowest[port] for port in wanted if priorities[port] < priority
        )
        own = [port for port in wanted if priorities[port] == priority]
        got |= MemoryPool(pool.size_bytes - of_others).shares(
            {port: wanted[port] for port in own}, {port: lowest[port] for port in own}
        )
    return {port: got[port] for port in wanted}
