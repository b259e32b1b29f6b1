"""The control loop: every interval, per port, snapshot -> policy -> limit.

From the ground up:

- `series`: which snapshots end an interval. `idle_time`, `capacity`: what the link did in it.
- `sizer`: a port's policy and its limit. `memory`: memory that ports share.
- `port_control`: one port, from snapshots to limits; a simulation needs no more than this.
- `switch_control`: all ports of a switch, by `per_port` or `batched`; `ways` chooses.
- `loop`: exchanges with a switch, by `schedule`. `stalls`: ports that do not answer.
- `leaving`: limits that are left behind at the end.
- `sample`: what views get. `notices`: messages about a port.
"""

from p4abs.control.leaving import Leaving
from p4abs.control.loop import ControlLoop, LoopStatistics, SwitchSilent
from p4abs.control.memory.lending import MemoryUse, Rank
from p4abs.control.memory.pool import MemoryPool, filled
from p4abs.control.port_control import PortControl
from p4abs.control.sample import Sample, Samples
from p4abs.control.schedule import Schedule, free_phase
from p4abs.control.sizer import Sizing
from p4abs.control.stalls import Stall
from p4abs.control.switch_control import ControlledPort, Hold, SwitchControl
from p4abs.control.ways import switch_control

__all__ = [
    "ControlLoop",
    "ControlledPort",
    "Hold",
    "Leaving",
    "LoopStatistics",
    "MemoryPool",
    "MemoryUse",
    "PortControl",
    "Rank",
    "Sample",
    "Samples",
    "Schedule",
    "Sizing",
    "Stall",
    "SwitchControl",
    "SwitchSilent",
    "filled",
    "free_phase",
    "switch_control",
]
