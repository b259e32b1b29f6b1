"""Memory that the queues of a switch share in the data plane, as its settings ask.

`shared_memory` keeps the switch's tables so; `congestion` is what ABM counts.
"""

from p4abs.sharing.congestion import Congestion
from p4abs.sharing.shared_memory import SharedMemory, sharing_of

__all__ = ["Congestion", "SharedMemory", "sharing_of"]
