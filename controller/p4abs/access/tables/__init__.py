"""Tables of entries that control keeps: how a program lets queues share memory, packet by packet
(p4src/adaptive/memory/shared.p4), and which packets take which queue (p4src/queue_selection.p4)."""

from p4abs.access.tables.memory import MemoryReader, MemoryTables, Share, Sharing
from p4abs.access.tables.selection import Selected, Selection, SelectionReader, SelectionTable
from p4abs.access.tables.upkeep import Upkeep

__all__ = [
    "MemoryReader",
    "MemoryTables",
    "Selected",
    "Selection",
    "SelectionReader",
    "SelectionTable",
    "Share",
    "Sharing",
    "Upkeep",
]
