"""A switch that is inspected."""

from dataclasses import dataclass
from typing import Any

from p4abs.access.capabilities import Capabilities
from p4abs.clock import Clock
from p4abs.config import SwitchSettings


@dataclass(frozen=True)
class Inspected:
    """A switch with its settings, and how it is read.

    `program` is the one that it runs or, unless `is_installed`, the one that is to be pushed.
    Capacities are measured for `watch_s` at most.
    """

    reader: Any
    program: Any
    is_installed: bool
    settings: SwitchSettings
    clock: Clock
    watch_s: float

    @property
    def capabilities(self) -> Capabilities:
        """What the program can do."""
        capabilities: Capabilities = self.program.capabilities()
        return capabilities
