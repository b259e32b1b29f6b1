"""How a switch and its controller stand to each other."""

from enum import StrEnum


class SwitchState(StrEnum):
    """Shown to people as it is."""

    CONNECTING = "connecting"
    BACKUP = "backup, another controller is primary"
    CONTROLLING = "in control"
    LOST = "lost, reconnecting"
    STOPPED = "stopped"
