"""What control keeps as it should be in a switch: how queues share memory, packet by packet
(p4src/adaptive/memory/shared.p4), which packets take which queue (p4src/queue_selection.p4), and
how many packets controllers get (p4src/packet_io/trap.p4)."""

from p4abs.access.tables.memory import MemoryReader, MemoryTables, Share, Sharing
from p4abs.access.tables.packet_ins import PacketInMeter
from p4abs.access.tables.selection import Selected, Selection, SelectionReader, SelectionTable
from p4abs.access.tables.upkeep import Upkeep

__all__ = [
    "MemoryReader",
    "MemoryTables",
    "PacketInMeter",
    "Selected",
    "Selection",
    "SelectionReader",
    "SelectionTable",
    "Share",
    "Sharing",
    "Upkeep",
]
