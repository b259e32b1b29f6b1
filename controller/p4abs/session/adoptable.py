"""Which settings may change while a switch stays under control, and which ports begin anew."""

from p4abs.config import PortSettings, SwitchSettings

_OF_SWITCH = ("memory", "memory_sharing", "port")
_OF_LINK = ("capacity", "mtu", "utilization_from")


def is_adoptable(before: SwitchSettings, after: SwitchSettings) -> bool:
    """Whether the switch can take these settings without a new session."""
    return all(
        getattr(before, key) == getattr(after, key)
        for key in SwitchSettings.model_fields
        if key not in _OF_SWITCH
    )


def begun_ports(before: SwitchSettings, after: SwitchSettings) -> set[int]:
    """The numbers of the ports that come, and of those whose link, or share in it, is another one
    now."""
    links = {port.index: _link(port) for port in before.port}
    return {port.index for port in after.port if links.get(port.index) != _link(port)}


def _link(port: PortSettings) -> tuple[object, ...]:
    return port.queue is None, *(getattr(port, key) for key in _OF_LINK)
