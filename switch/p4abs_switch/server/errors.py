"""What can be wrong with a switch that is to be started, or is running."""


class SwitchError(Exception):
    """The switch cannot be started or go on; the message is one line for the user."""


class InvalidConfig(SwitchError):
    """A setting has a value that is not valid."""


class AddressUnavailable(SwitchError):
    """The gRPC address cannot be listened on."""


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
