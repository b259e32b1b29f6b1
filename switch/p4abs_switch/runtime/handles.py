"""A table's entries by number, as BMv2 numbers them.

A new entry has the lowest number that is free. The highest eight bits of a handle count how often
its number has been freed. So the handle of a removed entry differs from that of a new one.
"""

import heapq
from collections.abc import Iterable
from typing import TypeVar

from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4r

_Direct = TypeVar("_Direct", p4r.DirectCounterEntry, p4r.DirectMeterEntry)

_VERSION_SHIFT = 24
_VERSIONS = 1 << 8


class UnknownHandle(InputError):
    """No entry has this number."""


class ExpiredHandle(UnknownHandle):
    """No longer."""


class Handles:
    """The numbers of one table's entries, which others may add and remove as well."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._entries: dict[int, p4r.TableEntry] = {}
        self._freed: list[int] = []
        self._versions: list[int] = []

    def add(self, entry: p4r.TableEntry) -> int:
        """The handle of an entry that has just been added."""
        key = key_of(entry)
        if key in self._numbers:  # somebody else has removed that one
            self._free(key)
        return self._new(key, entry)

    def remove(self, entry: p4r.TableEntry) -> None:
        """Takes note that an entry has been removed."""
        self._free(key_of(entry))

    def adopt(self, entries: Iterable[p4r.TableEntry]) -> dict[int, p4r.TableEntry]:
        """The entries that there are, by handle; those that are new get one."""
        present = {key_of(entry): entry for entry in entries}
        for gone in self._numbers.keys() - present.keys():
            self._free(gone)
        for key, entry in present.items():
            if key not in self._numbers:
                self._new(key, entry)
        numbers = sorted((number, key) for key, number in self._numbers.items())
        return {self._handle(number): present[key] for number, key in numbers}

    def of(self, entry: p4r.TableEntry) -> int:
        """The handle of an entry that is there."""
        key = key_of(entry)
        return self._handle(self._numbers[key]) if key in self._numbers else self._new(key, entry)

    def key(self, handle: int) -> p4r.TableEntry:
        """Table, match and priority of an entry. Raises UnknownHandle, ExpiredHandle."""
        number = handle & ((1 << _VERSION_SHIFT) - 1)
        if number not in self._entries:
            raise UnknownHandle(f"no entry has the handle {handle}")
        if handle != self._handle(number):
            raise ExpiredHandle(f"the entry of handle {handle} is gone")
        return key_only(self._entries[number])

    def _new(self, key: bytes, entry: p4r.TableEntry) -> int:
        if not self._freed:
            heapq.heappush(self._freed, len(self._versions))
            self._versions.append(0)
        number = heapq.heappop(self._freed)
        self._numbers[key], self._entries[number] = number, entry
        return self._handle(number)

    def _free(self, key: bytes) -> None:
        number = self._numbers.pop(key)
        del self._entries[number]
        self._versions[number] = (self._versions[number] + 1) % _VERSIONS
        heapq.heappush(self._freed, number)

    def _handle(self, number: int) -> int:
        """As BMv2's signed number of 32 bits."""
        handle = self._versions[number] << _VERSION_SHIFT | number
        return handle - (1 << 32) if handle >> 31 else handle


def key_only(entry: p4r.TableEntry) -> p4r.TableEntry:
    """An entry's table, match and priority."""
    return p4r.TableEntry(table_id=entry.table_id, match=entry.match, priority=entry.priority)


def is_meant(entry: p4r.TableEntry, key: p4r.TableEntry) -> bool:
    """Whether an entry that a read by `key` has found is the one with that key. The key of an entry
    for all packets has no fields, so a read by it finds all entries of the table."""
    return bool(key.match) or (not entry.match and entry.priority == key.priority)


def resource_of(key: p4r.TableEntry, found: Iterable[_Direct]) -> _Direct | None:
    """The resource of the entry with this key, among those that a read by the key has found."""
    return next((each for each in found if is_meant(each.table_entry, key)), None)


def key_of(entry: p4r.TableEntry) -> bytes:
    """What tells an entry from others of its table."""
    fields = sorted([match.SerializeToString() for match in entry.match])
    return b"%d " % entry.priority + b"".join(fields)
