"""The control of a switch: from its ports' snapshots to intervals to limits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from p4abs.columns import Flags, Ints, Positions
from p4abs.control.capacity import FULL_FRAME_BYTES
from p4abs.control.memory import UNRANKED, Lending, MemoryUse, Rank
from p4abs.control.memory.pool import MemoryPool
from p4abs.control.memory.queues import Queues
from p4abs.control.sample import Steps
from p4abs.control.sizer import Sizing
from p4abs.measurements import Snapshot
from p4abs.policies import Binding, Policy
from p4abs.policies.policy import number_of


@dataclass(frozen=True, slots=True)
class Hold:
    """A port's limit stays what it is, whatever its policy decides.

    `limit_bytes` is that limit; None: nothing is written, and the port keeps what the switch has.
    """

    limit_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ControlledPort:
    """A port of a switch, its policy, and the limit at which the policy begins, see `PortControl`.

    `rank` is the port's rank among ports that share memory, `mtu_bytes` its longest frame. `hold`:
    decisions are shown but not written. `shares_link`: it is one of several queues of a port. Then
    `capacity_bps` is the link's, and the queue's own capacity is what it gets of it.
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
    shares_link: bool = False


class PortOfSwitch(Protocol):
    """A port of a switch under control."""

    @property
    def limit_bytes(self) -> int:
        """The limit that the port should have; 0: none."""

    @property
    def measured_capacity_bps(self) -> int | None:
        """The link's capacity as measured; None while it is not known."""


class SwitchControl(ABC):
    """Holds the ports' sizing policies, their snapshots and the limits that they should have.

    Where ports share memory, a port's limit may be less than its policy asks for, see `Lending`.
    """

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        self.numbers = tuple(port.port for port in ports)
        self._positions = {number: position for position, number in enumerate(self.numbers)}
        self._ranks = [port.rank for port in ports]
        self._lending: Lending | None = None
        self._memory: MemoryUse | None = None
        self._restarted: list[int] = []
        self._lines: list[str] = []
        # Ports whose limits are unknown; the memory that other controllers gave to them together
        # stays reserved.
        self._unread: set[int] = set()
        self._unread_bytes = 0
        self._held = {port.port: port.hold for port in ports if port.hold is not None}
        self._observed_at: dict[int, int | None] = dict.fromkeys(self._held)

    @property
    def memory(self) -> MemoryUse | None:
        """Who held the memory at the last snapshots; None: it is not shared."""
        return self._memory

    @abstractmethod
    def port(self, number: int) -> PortOfSwitch:
        """One of the ports."""

    def limits(self) -> dict[int, int]:
        """The limits in bytes that the ports should have, by port; 0: none."""
        decided = dict(zip(self.numbers, self._limits(), strict=True))
        return {**decided, **{number: self._held_bytes(number) for number in self._held}}

    def limits_to_write(self) -> dict[int, int]:
        """The limits to write, by port: all but those that the switch is known to have already."""
        limits = self._decided_to_write()
        for number in self._unread:
            limits.pop(number, None)
        for number, hold in self._held.items():
            limits.pop(number, None)
            if hold.limit_bytes not in (None, self.limit_in_force(number)):
                limits[number] = self._held_bytes(number)
        return limits

    def is_beside(self, number: int) -> bool:
        """Whether nothing is written to a port."""
        hold = self._held.get(number)
        return hold is not None and hold.limit_bytes is None

    def take_moved(self) -> dict[int, int]:
        """Limits that other controllers have changed at ports to which nothing is written, by
        port."""
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

    def may_hold(self) -> dict[int, int]:
        """The most that ports may hold of a shared memory, in bytes, by port. It is more than their
        limits while queues drain, and until answers show that limits have fallen."""
        if self._lending is None:
            return {}
        presumed: list[int] = self._lending.presumed_bytes.tolist()
        return dict(zip(self.numbers, presumed, strict=True))

    def own_limits(self) -> dict[int, int]:
        """The limits in bytes that the policies ask for, by port; 0: none."""
        return dict(zip(self.numbers, self._own_limits(), strict=True))

    def _limits(self) -> list[int]:
        if self._lending is None:
            return self._own_limits()
        limits: list[int] = self._lending.limit_bytes.tolist()
        return limits

    def _limit_bytes(self) -> Ints:
        return self._own_limit_bytes() if self._lending is None else self._lending.limit_bytes

    @abstractmethod
    def _own_limits(self) -> list[int]:
        """The limits that the policies ask for, in the order of `numbers`."""

    @abstractmethod
    def capacities(self) -> dict[int, int | None]:
        """The links' capacities in bit/s, measured or else declared, by port; None: not known."""

    def adopt(self, ports: Sequence[ControlledPort]) -> None:
        """From now on, ports have these policies, which begin at these limits.

        Snapshots, intervals and the measured capacity go on. The next exchange writes the limits,
        except to ports on hold.
        """
        self.rank({port.port: port.rank for port in ports})
        for port in ports:
            self._held.pop(port.port, None)
            if port.hold is not None:
                self._held[port.port] = port.hold
                self._observed_at[port.port] = self.limit_in_force(port.port)
        self._adopt(ports)
        self._lend_from({port.port: port.limit_bytes for port in ports})

    def replace(self, gone: Collection[int], come: Sequence[ControlledPort]) -> None:
        """Ports leave, by number, and others come; a port that does both begins anew.

        Nothing changes for the rest, although the order of ports may change.
        """
        staying = [place for place, number in enumerate(self.numbers) if number not in gone]
        self._replace(np.array(staying, np.intp), come)
        if self._lending is not None:
            self._lending.keep(np.array(staying, np.intp))
            if come:
                self._lending.join(_min_lent(come))
            if self._memory is not None:
                self._memory = self._lending.use(self._memory.size_bytes)
        self._unread.difference_update(gone)
        for number in gone:
            self._held.pop(number, None)
            self._observed_at.pop(number, None)
        self._ranks = [self._ranks[place] for place in staying] + [port.rank for port in come]
        kept = (self.numbers[place] for place in staying)
        self.numbers = (*kept, *(port.port for port in come))
        self._positions = {number: position for position, number in enumerate(self.numbers)}
        held = {port.port: port.hold for port in come if port.hold is not None}
        self._held |= held
        self._observed_at |= dict.fromkeys(held)

    @abstractmethod
    def _replace(self, staying: Positions, come: Sequence[ControlledPort]) -> None:
        """Replaces the ports, see `replace`."""

    def begin_at(self, limits: Mapping[int, int]) -> None:
        """Ports begin at these limits in bytes, by port, with the policies that they have.

        All else is as with adopt().
        """
        self._begin_at(limits)
        self._lend_from(limits)

    def rank(self, ranks: Mapping[int, Rank]) -> None:
        """Gives ports other ranks, by port; all else goes on."""
        positions = [self._positions[number] for number in ranks]
        for position, rank in zip(positions, ranks.values(), strict=True):
            self._ranks[position] = rank
        if self._lending is not None:
            self._lending.rank(positions, [*ranks.values()])

    def share(self, pool: MemoryPool) -> None:
        """Brings the limits within the memory, before the next snapshots."""
        if pool.size_bytes is None:
            self._lending = self._memory = None
        elif self._lending is None:
            self._lending = Lending(self._ranks, self._own_limit_bytes(), pool.size_bytes)
        else:
            self._lending.fit(pool.size_bytes)

    def _own_limit_bytes(self) -> Ints:
        return np.array(self._own_limits(), np.int64)

    @abstractmethod
    def _adopt(self, ports: Sequence[ControlledPort]) -> None:
        """Takes the policies and limits, see `adopt`."""

    @abstractmethod
    def _begin_at(self, limits: Mapping[int, int]) -> None:
        """Sets the limits and begins the policies' states anew, see `begin_at`."""

    def lend(self, limits: Mapping[int, int]) -> None:
        """These limits are in force, in bytes, by port: less than the policies ask for."""
        if self._lending is not None:
            positions = [self._positions[number] for number in limits]
            self._lending.lend(positions, np.array([*limits.values()], np.int64))

    def presume(
        self, taken: Mapping[int, Snapshot], limits: Mapping[int, int], pool: MemoryPool
    ) -> None:
        """Call this before the first exchange.

        `taken` are the first snapshots, `limits` those in bytes (0: none) that may be in force at
        ports that cannot be read. If memory is shared, these ports keep their limits until they
        answer: together the limits fit into the memory, but they would not if one rises while
        another one refuses to fall.
        """
        self._unread.clear()
        if self._lending is not None and pool.size_bytes is not None:
            self._unread |= {port for port, limit_bytes in limits.items() if limit_bytes}
            self._unread_bytes = sum(limits.values())
            held = dict(limits) | {
                port: max(now.limit_bytes, now.occupancy_bytes) for port, now in taken.items()
            }
            in_force = dict(limits) | {port: now.limit_bytes for port, now in taken.items()}
            held_bytes, in_force_bytes = (
                np.array([each.get(port, 0) for port in self.numbers], np.int64)
                for each in (held, in_force)
            )
            self._lending.presume(range(len(self.numbers)), held_bytes)
            self._lending.rise_within(pool.size_bytes, in_force_bytes, held_bytes)

    def _find(self, limits: Mapping[int, int]) -> None:
        """Ports that could not be read have answered with these limits. The unread ports share what
        is left of the memory that was presumed for all of them."""
        self._unread -= limits.keys()
        self._unread_bytes = max(0, self._unread_bytes - sum(limits.values()))
        if self._lending is None:
            return
        positions = [self._positions[number] for number in limits]
        self._lending.find(positions, np.array([*limits.values()], np.int64))
        if self._unread:
            positions = [self._positions[number] for number in self._unread]
            each_bytes = self._unread_bytes // len(positions)
            self._lending.presume(positions, np.full(len(positions), each_bytes))

    def _lend_from(self, limits: Mapping[int, int]) -> None:
        if self._lending is not None:
            positions = [self._positions[number] for number in limits]
            self._lending.begin_at(positions, np.array([*limits.values()], np.int64))

    @abstractmethod
    def _decided_to_write(self) -> dict[int, int]:
        """The limits of the ports, on hold or not, except those that the switch is known to
        have."""

    @abstractmethod
    def forget(self) -> None:
        """Starts new series of snapshots, after a time without access to the switch."""

    def decide(self, taken: Mapping[int, Snapshot], pool: MemoryPool) -> Steps | None:
        """Takes the next snapshots, by port; the decisions are also the new limits."""
        if found := self._unread & taken.keys():
            self._find({port: taken[port].limit_bytes for port in found})
        if pool.size_bytes is None or self._lending is None:
            self.share(pool)
        lending = self._lending
        if lending is None or pool.size_bytes is None:
            return self._decide(taken, None, None)[0]
        room_bytes = lending.room_bytes(self._own_limit_bytes())
        steps, queues = self._decide(taken, room_bytes, lending.waits)
        lending.share(pool.size_bytes, self._asked_bytes(), queues())
        self._memory = lending.use(pool.size_bytes)
        return None if steps is None else self._within_memory(steps, lending)

    def _asked_bytes(self) -> Ints:
        """The limits that ports should have with memory for all; on hold, those in force."""
        asked_bytes = self._own_limit_bytes().copy()
        for number in self._held:
            position = self._positions[number]
            min_bytes = self._ranks[position].min_limit_bytes
            asked_bytes[position] = self._held_bytes(number) or min_bytes
        return asked_bytes

    def _within_memory(self, steps: Steps, lending: Lending) -> Steps:
        """The steps with the limits that the memory allows."""
        decided, ports = steps.decisions, steps.ports
        is_held_down = (lending.is_short | lending.waits)[ports]
        limit_bytes = lending.limit_bytes[ports]
        if self._held:
            is_on_hold = np.isin(ports, [self._positions[number] for number in self._held])
            limit_bytes = np.where(is_on_hold, decided.limit_bytes, limit_bytes)
            is_held_down &= ~is_on_hold
        binding = np.where(is_held_down, number_of(Binding.MEMORY), decided.binding)
        decided = replace(decided, limit_bytes=limit_bytes, binding=binding)
        return replace(steps, decisions=decided, memory=self._memory)

    @abstractmethod
    def _decide(
        self, taken: Mapping[int, Snapshot], room_bytes: Ints | None, waits: Flags | None
    ) -> tuple[Steps | None, Callable[[], Queues]]:
        """The policies' steps, and what stood in the queues.

        `room_bytes`, by position, is by how much the policies' limits may rise; negative: must
        fall. Policies of ports that `waits` are not stepped. None: memory is not shared.
        """

    def take_restarted(self) -> list[int]:
        """The ports whose data plane has started anew since the last call."""
        ports, self._restarted = self._restarted, []
        return ports

    def take_notices(self) -> list[str]:
        """What people should know and have not been told yet, in one line each."""
        lines, self._lines = self._lines, []
        return lines


def _min_lent(come: Sequence[ControlledPort]) -> Lending:
    """The memory of ports that come: their min-limits, until they need more."""
    min_bytes = np.array([port.rank.min_limit_bytes for port in come], np.int64)
    lending = Lending([port.rank for port in come], min_bytes, int(min_bytes.sum()))
    lending.lend(range(len(come)), min_bytes)
    return lending
