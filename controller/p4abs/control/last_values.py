"""The last values of something measured, in memory that is bounded from the beginning."""

from array import array
from collections.abc import Iterator
from math import nan


class LastValues:
    """Up to `most` numbers, the oldest first. One thread appends; others may read meanwhile.

    They take 8 bytes each, all of them at once; a deque would grow to five times as much.
    """

    def __init__(self, most: int) -> None:
        self._values = array("d", [nan]) * most
        self._count = 0

    def append(self, value: float) -> None:
        """Takes the next value, in place of the oldest one."""
        self._values[self._count % len(self._values)] = value
        self._count += 1

    def last(self, most: int) -> list[float]:
        """The newest values, at most so many."""
        end, length = self._count, len(self._values)
        begin = max(0, end - min(most, length))
        return [self._values[number % length] for number in range(begin, end)]

    def __len__(self) -> int:
        return min(self._count, len(self._values))

    def __iter__(self) -> Iterator[float]:
        return iter(self.last(len(self._values)))
