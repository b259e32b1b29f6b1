"""Chooses one of two ways to control a switch. Ports get the same limits in both."""

from collections.abc import Sequence

from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.control.switch_control import ControlledPort, SwitchControl

FEW_PORTS = 12
"""This few ports are faster one by one: numpy takes as long for one number as for a hundred."""


def switch_control(ports: Sequence[ControlledPort]) -> SwitchControl:
    """The control of these ports."""
    return PerPortControl(ports) if len(ports) <= FEW_PORTS else BatchedControl(ports)
