"""The snapshots of a switch's ports, in arrays until somebody looks at one port."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Flags
from p4abs.measurements import (
    EXTREMES,
    MEASUREMENTS,
    NOTHING,
    UNKNOWN_BYTES,
    Snapshot,
    in_arrays,
    unmeasured,
)


class SnapshotsByPort(Mapping[int, Snapshot]):
    """Snapshots, which are in arrays, by the ports' numbers."""

    def __init__(self, numbers: list[int], batched: Snapshot) -> None:
        self.numbers = numbers
        self.batched = batched

    def __getitem__(self, number: int) -> Snapshot:
        return self.batched.alone(self._positions[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, number: object) -> bool:
        return number in self._positions

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {number: position for position, number in enumerate(self.numbers)}


def snapshots_of(
    ports: list[int], told: Mapping[str, NDArray[Any]], covered: Flags
) -> SnapshotsByPort:
    """Snapshots of what is told of the ports, by the measurements' names.

    Extremes of the backlog are believed where `covered`: what they are of is the interval.
    """
    columns = {
        each.name: in_arrays(each, told[each.name])
        if each.name in told
        else unmeasured(each, len(ports))
        for each in MEASUREMENTS
    }
    for each in EXTREMES:
        columns[each.name] = np.where(covered, columns[each.name], UNKNOWN_BYTES)
    return SnapshotsByPort(ports, Snapshot(**columns))


def snapshots_at(numbers: Sequence[int], taken: Mapping[int, Snapshot]) -> tuple[Snapshot, Flags]:
    """A snapshot for each of these ports, and whether one was taken; without one, its numbers mean
    nothing."""
    if isinstance(taken, SnapshotsByPort) and taken.numbers == [*numbers]:
        return taken.batched, np.ones(len(numbers), np.bool_)
    present = np.array([number in taken for number in numbers])
    return Snapshot.batched([taken.get(number, NOTHING) for number in numbers]), present
