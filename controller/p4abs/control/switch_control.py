"""The control of a switch: from its ports' snapshots to intervals to limits."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from p4abs.control.capacity import FULL_FRAME_BYTES
from p4abs.control.memory_pool import MemoryPool
from p4abs.control.priorities import UNRANKED, Priorities, Rank
from p4abs.control.sizer import Sizing
from p4abs.control.steps import Steps
from p4abs.policies import Policy
from p4abs.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ControlledPort:
    """A port of a switch, its policy and the limit that it has at first, see `PortControl`.

    `rank` is its own among the ports that share memory, `mtu_bytes` its longest frame.
    """

    port: int
    capacity_bps: int | None
    policy: Policy[Any] | None
    limit_bytes: int
    longest_interval_s: float = 1.0
    sizing: Sizing | None = None
    measures_idle: bool = True
    rank: Rank = UNRANKED
    mtu_bytes: int = FULL_FRAME_BYTES


class PortOfSwitch(Protocol):
    """A port of a switch under control."""

    @property
    def limit_bytes(self) -> int:
        """The limit that the port should have; 0: none."""

    @property
    def measured_capacity_bps(self) -> int | None:
        """The link's capacity as measured; None while it is not known."""


class SwitchControl(ABC):
    """Holds the ports' sizing policies, their snapshots and the limits that they should have."""

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        self.numbers = tuple(port.port for port in ports)
        self._positions = {number: position for position, number in enumerate(self.numbers)}
        self._priorities = Priorities([port.rank for port in ports])
        self._restarted: list[int] = []
        self._lines: list[str] = []

    @abstractmethod
    def port(self, number: int) -> PortOfSwitch:
        """One of the ports."""

    @abstractmethod
    def limits(self) -> dict[int, int]:
        """The limits in bytes that the ports should have, by port; 0: none."""

    @abstractmethod
    def capacities(self) -> dict[int, int | None]:
        """The links' capacities in bit/s, measured or else declared, by port; None: not known."""

    def adopt(self, ports: Sequence[ControlledPort]) -> None:
        """Sizes ports by these policies from now on, which begin at these limits.

        Snapshots, intervals and the measured capacity go on. The next exchange writes the limits.
        """
        positions = [self._positions[port.port] for port in ports]
        self._priorities.begin(positions, [port.rank for port in ports])
        self._adopt(ports)

    def begin_at(self, limits: Mapping[int, int]) -> None:
        """Ports begin at these limits in bytes, by port, with the policies that they have.

        All else is as with adopt().
        """
        self._priorities.forget([self._positions[number] for number in limits])
        self._begin_at(limits)

    def prioritize(self, priorities: Mapping[int, int]) -> None:
        """Gives ports other priorities, by port; all else goes on."""
        positions = [self._positions[number] for number in priorities]
        self._priorities.change(positions, [*priorities.values()])

    @abstractmethod
    def _adopt(self, ports: Sequence[ControlledPort]) -> None:
        """The policies and limits, see `adopt`."""

    @abstractmethod
    def _begin_at(self, limits: Mapping[int, int]) -> None:
        """The limits and the policies' states, see `begin_at`."""

    @abstractmethod
    def limits_to_write(self) -> dict[int, int]:
        """The limits by port, but for those that the switch is known to have already."""

    @abstractmethod
    def forget(self) -> None:
        """Starts new series of snapshots, after a time without access to the switch."""

    @abstractmethod
    def observe(self, taken: Mapping[int, Snapshot], pool: MemoryPool) -> Steps | None:
        """Takes the next snapshots, by port; the decisions are also the new limits."""

    def take_restarted(self) -> list[int]:
        """The ports whose data plane has started anew since the last call."""
        ports, self._restarted = self._restarted, []
        return ports

    def take_notices(self) -> list[str]:
        """What people should know and have not been told yet, in one line each."""
        lines, self._lines = self._lines, []
        return lines
