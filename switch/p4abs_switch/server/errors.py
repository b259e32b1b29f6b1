"""What can be wrong with a switch that is to be started, or is running."""

import errno
import os

_WHAT_TO_DO = {
    os.strerror(errno.EADDRINUSE): "something listens there; give another port",
    os.strerror(errno.EADDRNOTAVAIL): "no interface of this machine has this address",
    os.strerror(errno.EACCES): "ports below 1024 are for root",
}


class SwitchError(Exception):
    """The switch cannot be started or go on; the message is one line for the user."""


class InvalidConfig(SwitchError):
    """A setting has a value that is not valid."""


class AddressUnavailable(SwitchError):
    """An address cannot be listened on."""

    @classmethod
    def at(cls, address: str, reason: object) -> "AddressUnavailable":
        """With the system's reason, and what to do if there is something."""
        hint = _WHAT_TO_DO.get(str(reason))
        return cls(f"{address}: {reason}" + (f": {hint}" if hint else ""))


class TooFewDescriptors(SwitchError):
    """The process may open too few files to serve."""


class ProgramUnavailable(SwitchError):
    """The program or its P4Info cannot be read, or cannot be run."""


class PortsUnavailable(SwitchError):
    """The ports contradict each other, or a network interface cannot be used."""


class ObservationUnavailable(SwitchError):
    """A trace or a capture cannot be written."""


class SwitchDied(SwitchError):
    """A part of a running switch has died, and the switch with it."""
