"""The simulator `_ns3`, or one line on what it lacks."""

from p4abs.errors import UserError, one_line

try:
    from p4abs_experiments._ns3 import (
        CONGESTION_CONTROLS,
        MINIMUM_PACKET_BYTES,
        NS3_VERSION,
        Flow,
        FlowSet,
        Port,
        SharedMemory,
        Simulation,
    )
except ImportError as error:
    raise UserError(
        "the simulator cannot be loaded: install the Debian package libns3-dev, then make setup"
        f" ({one_line(str(error))})"
    ) from error

__all__ = [
    "CONGESTION_CONTROLS",
    "MINIMUM_PACKET_BYTES",
    "NS3_VERSION",
    "Flow",
    "FlowSet",
    "Port",
    "SharedMemory",
    "Simulation",
]
