"""In which of two ways a switch is controlled; what a port gets does not depend on it."""

from collections.abc import Sequence

from p4abs.control.by_turns import PortsByTurns
from p4abs.control.switch_control import ControlledPort, SwitchControl
from p4abs.control.together import PortsTogether

FEW_PORTS = 12
"""So few are faster by turns: numpy takes as long for one number as for a hundred."""


def switch_control(ports: Sequence[ControlledPort]) -> SwitchControl:
    """The control of these ports."""
    return PortsByTurns(ports) if len(ports) <= FEW_PORTS else PortsTogether(ports)
