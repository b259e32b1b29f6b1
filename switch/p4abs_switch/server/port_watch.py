"""Tells the engine which ports are up, for groups whose members watch them (section 9.2.2)."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

from p4abs_switch._engine import PortConfig, Switch

_INTERVAL_S = 0.2
_INTERFACES = Path("/sys/class/net")


def has_carrier(interface: str) -> bool:
    """Whether a Linux interface is up and connected."""
    try:
        return (_INTERFACES / interface / "carrier").read_text().strip() == "1"
    except OSError:
        # The kernel does not tell while the interface is switched off, or when it is gone.
        return False


class PortWatch:
    """The ports that are interfaces, and which of them were up at last; all are at first."""

    def __init__(
        self,
        switch: Switch,
        ports: Iterable[PortConfig],
        is_up: Callable[[str], bool] = has_carrier,
    ) -> None:
        self._switch = switch
        self._is_up = is_up
        self._interfaces = {port.port: port.interface for port in ports if port.interface}
        self._down: set[int] = set()

    async def run(self) -> None:
        """Watches until it is cancelled."""
        while True:
            self.look()
            await asyncio.sleep(_INTERVAL_S)

    def look(self) -> None:
        """Tells the engine what has changed."""
        down = {port for port, name in self._interfaces.items() if not self._is_up(name)}
        for port in down ^ self._down:
            self._switch.set_port_up(port, port not in down)
        self._down = down
