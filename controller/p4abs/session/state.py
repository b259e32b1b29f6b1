"""The state of control of a switch."""

from enum import StrEnum


class SwitchState(StrEnum):
    """Shown to people as it is."""

    CONNECTING = "connecting"
    """The controller has not reached the switch yet."""
    BACKUP = "backup, another controller is primary"
    """Another controller is the switch's primary. This one takes over if it fails."""
    CONTROLLING = "in control"
    """This controller is the primary and sizes the buffers."""
    LOST = "lost, reconnecting"
    """The switch does not answer; the controller keeps trying."""
    STOPPED = "stopped"
    """Control of this switch has ended."""
