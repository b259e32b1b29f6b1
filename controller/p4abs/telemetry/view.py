"""What watches a running controller."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from p4abs.config import Settings
from p4abs.session import SwitchController
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.summary import Summary


@dataclass(frozen=True)
class Watched:
    """A running controller with its settings and a meter per port."""

    settings: Settings
    controller: SwitchController
    meters: Mapping[int, PortMeter]


class View(Protocol):
    """Shows a running controller to people."""

    def start(self) -> None:
        """Called once, before anything else."""

    def stop(self) -> None:
        """Called once, at the end."""

    def announce(self, line: str) -> None:
        """Shows a message on standard error."""

    def update(self, watched: Watched, now: bool = False) -> None:
        """Shows the present figures if it is time to, or because something happened `now`."""

    def conclude(self, summary: Summary) -> None:
        """Shows how the run went, after `stop`."""
