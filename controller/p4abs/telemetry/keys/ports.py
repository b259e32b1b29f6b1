"""Ports as viewers call them."""

from collections.abc import Iterable

from p4abs.config import PortSettings
from p4abs.telemetry.fleet import WatchedSwitch


def ports_called(
    text: str, switches: Iterable[WatchedSwitch]
) -> list[tuple[WatchedSwitch, PortSettings]]:
    """Those whose number or name it is, `2` or `Ethernet4`; of one switch alone: `leaf-1 2`."""
    name, _, called = text.strip().rpartition(" ")
    return [
        (switch, port)
        for switch in switches
        if name.strip() in ("", switch.name)
        for port in switch.settings.port
        if called in (str(port.number), port.name)
    ]
