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
class Hold:
    """A port's limit stays what it is, whatever its policy decides.

    `limit_bytes` is that limit; None: whatever the switch has, to which nothing is written.
    """

    limit_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ControlledPort:
    """A port of a switch, its policy and the limit that it has at first, see `PortControl`.

    `rank` is its own among the ports that share memory, `mtu_bytes` its longest frame. `hold`:
    decisions are shown and not written.
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
    hold: Hold | None = None


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
        self._held = {port.port: port.hold for port in ports if port.hold is not None}
        self._observed_at: dict[int, int | None] = dict.fromkeys(self._held)

    @abstractmethod
    def port(self, number: int) -> PortOfSwitch:
        """One of the ports."""

    def limits(self) -> dict[int, int]:
        """The limits in bytes that the ports should have, by port; 0: none."""
        return {**self._decided(), **{number: self._held_bytes(number) for number in self._held}}

    def limits_to_write(self) -> dict[int, int]:
        """The limits by port, but for those that the switch is known to have already."""
        limits = self._decided_to_write()
        for number, hold in self._held.items():
            limits.pop(number, None)
            if hold.limit_bytes not in (None, self.limit_in_force(number)):
                limits[number] = self._held_bytes(number)
        return limits

    def take_moved(self) -> dict[int, int]:
        """The limits in bytes of ports to which nothing is written that others have changed."""
        moved = {}
        for number, hold in self._held.items():
            in_force = self.limit_in_force(number)
            if hold.limit_bytes is None and in_force is not None:
                before, self._observed_at[number] = self._observed_at[number], in_force
                if before not in (None, in_force):
                    moved[number] = in_force
        return moved

    def _held_bytes(self, number: int) -> int:
        limit_bytes = self._held[number].limit_bytes
        return (self.limit_in_force(number) or 0) if limit_bytes is None else limit_bytes

    @abstractmethod
    def limit_in_force(self, number: int) -> int | None:
        """The limit that a port had at the last snapshot, in bytes; None: there is none."""

    @abstractmethod
    def _decided(self) -> dict[int, int]:
        """The limits in bytes that the policies have decided, by port; 0: none."""

    @abstractmethod
    def capacities(self) -> dict[int, int | None]:
        """The links' capacities in bit/s, measured or else declared, by port; None: not known."""

    def adopt(self, ports: Sequence[ControlledPort]) -> None:
        """Sizes ports by these policies from now on, which begin at these limits.

        Snapshots, intervals and the measured capacity go on. The next exchange writes the limits,
        but for those of ports on hold.
        """
        positions = [self._positions[port.port] for port in ports]
        self._priorities.begin(positions, [port.rank for port in ports])
        for port in ports:
            self._held.pop(port.port, None)
            if port.hold is not None:
                self._held[port.port] = port.hold
                self._observed_at[port.port] = self.limit_in_force(port.port)
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
    def _decided_to_write(self) -> dict[int, int]:
        """Those of them by port, but for those that the switch is known to have already."""

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
