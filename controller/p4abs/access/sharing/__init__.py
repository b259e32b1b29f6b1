"""How a program lets queues share memory, packet by packet (p4src/adaptive/memory/shared.p4)."""

from p4abs.access.sharing.tables import MemoryReader, MemoryTables, PortShare, Sharing

__all__ = ["MemoryReader", "MemoryTables", "PortShare", "Sharing"]
