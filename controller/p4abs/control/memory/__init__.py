"""The memory that the queues of a switch share, by limits whose sum stays within it.

pool      the memory, and how it is divided among ports that want more
queues    what stood in the queues after an exchange
lending   how high each port's limit may be
"""

from p4abs.control.memory.lending import UNRANKED, Lending, MemoryUse, Rank
from p4abs.control.memory.pool import MemoryPool, filled
from p4abs.control.memory.queues import Queues

__all__ = ["UNRANKED", "Lending", "MemoryPool", "MemoryUse", "Queues", "Rank", "filled"]
