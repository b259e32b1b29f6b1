"""Table entries that are not hit (P4Runtime 1.5, sections 9.1.8 and 16.4)."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import TypeAlias

from p4abs_switch._engine import P4Runtime, TableEntry
from p4abs_switch.protobuf import p4r

Expired: TypeAlias = list[tuple[str, TableEntry]]
"""Entries that have become idle, by their tables' names."""

# How late a notification may come.
_SCANNING_INTERVAL_S = 0.05


async def scan(report: Callable[[], None]) -> None:
    """Calls `report` again and again, until it is cancelled."""
    while True:
        await asyncio.sleep(_SCANNING_INTERVAL_S)
        report()


def messages(p4runtime: P4Runtime, expired: Expired) -> list[p4r.TableEntry]:
    """What P4Runtime tells of idle entries, in tables that it knows."""
    told = [p4runtime.table_entry(name, entry) for name, entry in expired]
    return [p4r.TableEntry.FromString(entry) for entry in told if entry is not None]


def notification(entries: Iterable[p4r.TableEntry]) -> p4r.IdleTimeoutNotification:
    """The message about idle entries."""
    return p4r.IdleTimeoutNotification(table_entry=entries, timestamp=time.time_ns())
