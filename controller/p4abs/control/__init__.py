"""The control loop: every interval, per port, snapshot -> policy -> limit."""

from p4abs.control.adjustable_port import AdjustablePort
from p4abs.control.loop import ControlLoop, LoopStatistics, SwitchSilent
from p4abs.control.memory_pool import MemoryPool
from p4abs.control.port_control import PortControl
from p4abs.control.sample import Sample
from p4abs.control.schedule import Schedule

__all__ = [
    "AdjustablePort",
    "ControlLoop",
    "LoopStatistics",
    "MemoryPool",
    "PortControl",
    "Sample",
    "Schedule",
    "SwitchSilent",
]
