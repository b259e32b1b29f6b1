"""Which settings may change while a switch stays under control."""

from p4abs.config import PortSettings, SwitchSettings

_OF_SWITCH = ("memory", "memory_sharing", "port")
_NOT_OF_PORT = ("number", "capacity", "mtu", "utilization_from")


def is_adoptable(before: SwitchSettings, after: SwitchSettings) -> bool:
    """Whether control goes on with these; else the switch has to begin anew."""
    return all(
        getattr(before, key) == getattr(after, key)
        for key in SwitchSettings.model_fields
        if key not in _OF_SWITCH
    ) and _kept(before.port) == _kept(after.port)


def _kept(ports: tuple[PortSettings, ...]) -> set[tuple[object, ...]]:
    """What cannot change of ports that go on."""
    return {tuple(getattr(port, key) for key in _NOT_OF_PORT) for port in ports}
