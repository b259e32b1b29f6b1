"""A table's entries by number, as BMv2 numbers them.

A new entry has the lowest number that is free. The highest eight bits of a handle count how often
its number has been freed, so that a handle of an entry that is gone is told from a new one.
"""

import heapq
from collections.abc import Iterable
from typing import TypeAlias

from p4abs_switch.engine_types import Key
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.refusals import TableCode

Place: TypeAlias = tuple[Key, int]
"""Key and priority of an entry."""

_VERSION_SHIFT = 24
_VERSIONS = 1 << 8


class Handles:
    """The numbers of one table's entries, which others may add and remove as well."""

    def __init__(self) -> None:
        self._numbers: dict[Place, int] = {}
        self._places: dict[int, Place] = {}
        self._freed: list[int] = []
        self._versions: list[int] = []

    def add(self, place: Place) -> int:
        """The handle of an entry that has just been added."""
        if place in self._numbers:  # somebody else has removed that one
            self.remove(place)
        if not self._freed:
            heapq.heappush(self._freed, len(self._versions))
            self._versions.append(0)
        number = heapq.heappop(self._freed)
        self._numbers[place], self._places[number] = number, place
        return self._handle(number)

    def remove(self, place: Place) -> None:
        """Takes note that an entry has been removed."""
        number = self._numbers.pop(place)
        del self._places[number]
        self._versions[number] = (self._versions[number] + 1) % _VERSIONS
        heapq.heappush(self._freed, number)

    def adopt(self, places: Iterable[Place]) -> dict[int, Place]:
        """The entries that there are, by handle; those that are new get one."""
        present = list(places)
        for gone in self._numbers.keys() - set(present):
            self.remove(gone)
        handles = {self.of(place): place for place in present}
        return dict(sorted(handles.items(), key=lambda pair: self._numbers[pair[1]]))

    def of(self, place: Place) -> int:
        """The handle of an entry that is there."""
        if place not in self._numbers:
            return self.add(place)
        return self._handle(self._numbers[place])

    def place(self, handle: int) -> Place:
        """The entry of a handle. Raises Refusal INVALID_HANDLE, EXPIRED_HANDLE."""
        number = handle & ((1 << _VERSION_SHIFT) - 1)
        if number not in self._places:
            raise Refusal(TableCode.INVALID_HANDLE, f"no entry has the handle {handle}")
        if handle != self._handle(number):
            raise Refusal(TableCode.EXPIRED_HANDLE, f"the entry of handle {handle} is gone")
        return self._places[number]

    def _handle(self, number: int) -> int:
        """As BMv2's signed number of 32 bits."""
        handle = self._versions[number] << _VERSION_SHIFT | number
        return handle - (1 << 32) if handle >> 31 else handle
