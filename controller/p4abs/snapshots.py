"""The snapshots of a switch's ports, in arrays until somebody looks at one port."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from p4abs.columns import Flags
from p4abs.measurements import NOTHING, Snapshot


class SnapshotsByPort(Mapping[int, Snapshot]):
    """Snapshots, which are in arrays, by the ports' numbers."""

    def __init__(self, numbers: list[int], together: Snapshot) -> None:
        self.numbers = numbers
        self.together = together

    def __getitem__(self, number: int) -> Snapshot:
        return self.together.alone(self._positions[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, number: object) -> bool:
        return number in self._positions

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {number: position for position, number in enumerate(self.numbers)}


def snapshots_at(numbers: Sequence[int], taken: Mapping[int, Snapshot]) -> tuple[Snapshot, Flags]:
    """A snapshot for each of these ports, and whether one was taken: else it means nothing."""
    if isinstance(taken, SnapshotsByPort) and taken.numbers == [*numbers]:
        return taken.together, np.ones(len(numbers), np.bool_)
    present = np.array([number in taken for number in numbers])
    return Snapshot.together([taken.get(number, NOTHING) for number in numbers]), present
