"""Switches that only tests of the testers need."""

from collections.abc import Sequence
from typing import Any

from p4abs_switch import PortConfig, Switch
from p4abs_switch._engine import PORT_LIMIT


class Differing:
    """As machine code it loses all frames."""

    verify = Switch.verify

    def __init__(self, ports: Sequence[PortConfig]) -> None:
        self._switch = Switch(ports)
        self._loses = False

    def load(self, json: bytes, machine_code: bool = False) -> None:
        self._loses = machine_code
        self._switch.load(json)

    def inject(self, port: int, frame: bytes, at_ns: int) -> None:
        if not self._loses:
            self._switch.inject(port, frame, at_ns)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._switch, name)


class EngineForBmv2:
    """The engine in BMv2's place."""

    forgets = False

    def load(self, json: bytes) -> None:
        self._switch = Switch([PortConfig(port, queues=1) for port in range(PORT_LIMIT)])
        self._switch.load(json)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._switch, name)
