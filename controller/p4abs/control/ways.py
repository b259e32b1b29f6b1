"""In which of two ways a switch is controlled; what a port gets does not depend on it."""

from collections.abc import Sequence

from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.control.switch_control import ControlledPort, SwitchControl

FEW_PORTS = 12
"""So few are faster by turns: numpy takes as long for one number as for a hundred."""


def switch_control(ports: Sequence[ControlledPort]) -> SwitchControl:
    """The control of these ports."""
    return PerPortControl(ports) if len(ports) <= FEW_PORTS else BatchedControl(ports)
