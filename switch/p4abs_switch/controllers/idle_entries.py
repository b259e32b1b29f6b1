"""Table entries that are not hit (P4Runtime 1.5, sections 9.1.8 and 16.4)."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import TypeAlias

from finsy.proto import p4r

from p4abs_switch._engine import TableEntry
from p4abs_switch.messages import entry_messages
from p4abs_switch.program.loaded_program import LoadedProgram

Expired: TypeAlias = list[tuple[str, TableEntry]]
"""Entries that have become idle, by their tables' names."""

# How late a notification may come.
_SCANNING_INTERVAL_S = 0.05


async def scan(report: Callable[[], None]) -> None:
    """Calls `report` again and again, until it is cancelled."""
    while True:
        await asyncio.sleep(_SCANNING_INTERVAL_S)
        report()


def messages(loaded: LoadedProgram, expired: Expired) -> list[p4r.TableEntry]:
    """What P4Runtime tells of idle entries, in tables that it knows."""
    tables = {table.name: table for table in loaded.program.tables.values()}
    return [
        entry_messages.full(tables[name], entry, loaded.entry_metadata, p4r.TableEntry())
        for name, entry in expired
        if name in tables
    ]


def notification(entries: Iterable[p4r.TableEntry]) -> p4r.IdleTimeoutNotification:
    """The message about idle entries."""
    return p4r.IdleTimeoutNotification(table_entry=entries, timestamp=time.time_ns())
