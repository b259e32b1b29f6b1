"""The targets' interface with faults: what a switch can do to its controller.

One ChaosTarget serves all controllers and switches of a world (world.py), which says by address
whose session with which switch is meant.
"""

import asyncio
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Self

import grpc
from p4abs.access.connection import PrimacyLost, Role
from p4abs.access.discovery import Discovered, tried
from p4abs.access.election import Election
from p4abs.access.program import Program, load_program
from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot
from p4abs.targets import Target

from controller.tests.chaos.model import ModelPort, ModelSwitch

PROGRAM = load_program("queue")
LATENCY_S = (0.0005, 0.002)
TIMEOUT_S = 0.5
TOLD_S = 0.01
GONE = RpcError("stream", grpc.StatusCode.UNAVAILABLE, "the connection is cut")


@dataclass
class PortFaults:
    """What is wrong with a port now."""

    is_lost: bool = False
    is_repeated: bool = False
    is_reordered: bool = False
    is_refused: bool = False
    is_gone: bool = False

    @property
    def is_well(self) -> bool:
        return not any(vars(self).values())


@dataclass
class SwitchFaults:
    """What is wrong with a switch now. `late_s` is by how much longer an exchange takes."""

    ports: dict[int, PortFaults]
    late_s: float = 0.0
    is_silent: bool = False
    is_unfit: bool = False
    raises: list[Exception] = field(default_factory=list)


@dataclass
class Link:
    """A controller's way to a switch. `deliver` hands what arrives to the controller's process;
    `touch` tells that a fault still had its effect."""

    switch: ModelSwitch
    faults: SwitchFaults
    generator: random.Random
    deliver: Callable[[Callable[[], None]], None]
    now_s: Callable[[], float]
    touch: Callable[[], None]
    is_cut: bool = False
    session: "ChaosSession | None" = None

    def strike(self) -> None:
        """An exception passes when it is met."""
        if self.faults.raises:
            self.touch()
            raise self.faults.raises.pop()

    def cut(self, lingers_s: float = 0.0) -> None:
        """The controller notices at once, the switch after so long."""
        self.is_cut = True
        if (session := self.session) is not None:
            session.lose(lingers_s)


class ChaosSession:
    """A Session and a RegisterAccess (p4abs/targets/target.py, p4abs/access/register_access.py)."""

    path = "chaos"

    def __init__(self, link: Link, election: Election) -> None:
        self.election_id = election.election_id
        self.role = Role.UNKNOWN
        self.primary_id: int | None = None
        self._link = link
        self._lost: RpcError | None = None
        self._told_s = 0.0
        self._has_written = False
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self._take_time()
        switch = self._link.switch
        if self._link.is_cut:
            raise GONE
        if switch.lingering.get(self.election_id, 0.0) > self._link.now_s():
            used = "election id is used by another controller"
            raise RpcError("stream", grpc.StatusCode.INVALID_ARGUMENT, used)
        self._link.session = self
        switch.enter(self)
        try:
            await self.until(lambda: self.role is not Role.UNKNOWN)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._link.session = None
        self._link.switch.leave(self)

    async def installed(self) -> tuple[Program, int]:
        await self._take_time()
        self._link.strike()
        return PROGRAM, PROGRAM.cookie

    async def push(self, program: Program) -> NoReturn:
        raise AssertionError("it runs what it is to run")

    async def registers(self, ports: Sequence[int]) -> Discovered:
        # Late answers are of the session's own questions.
        for port in self._link.switch.ports.values():
            port.taken.clear()
        found = await tried(self, ports)
        if found.snapshots.failures:
            # What limits these ports have, nobody knows.
            self._link.switch.is_guessed = True
        return found

    def claim(self, program: Program) -> None:
        """It has no roles."""

    async def until(self, condition: Callable[[], bool]) -> None:
        while True:
            if self._lost is not None:
                raise self._lost
            if condition():
                return
            self._changed.clear()
            await self._changed.wait()

    async def watch(self) -> None:
        await self.until(lambda: self.role is not Role.PRIMARY)
        raise PrimacyLost("another controller is primary")

    async def hand_over(self, patience_s: float) -> bool:
        return False

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        link = self._link
        self._check_role()
        await self._take_time(link.faults.late_s)
        link.strike()
        if link.faults.is_silent:
            await asyncio.sleep(TIMEOUT_S)
            # Who has waited for an answer has been struck until now.
            link.touch()
            return Snapshots({}, dict.fromkeys(ports, ExchangeTimeout("no answer")))
        link.switch.advance(link.now_s())
        self._check_fence()
        written, taken, failures = dict[int, int](), dict[int, Snapshot](), dict[int, P4absError]()
        for number in ports:
            wrong = link.faults.ports[number]
            if wrong.is_gone or (wrong.is_refused and number in limits):
                failures[number] = PortRefused(number, _refusal("exchange"))
                continue
            is_late = wrong.is_lost and link.generator.random() < 0.5
            if number in limits and not is_late:
                written[number] = limits[number]
            if wrong.is_lost:
                failures[number] = ExchangeTimeout(f"no answer for port {number}")
        was_guessed = link.switch.is_guessed
        link.switch.is_guessed &= bool(failures)
        link.switch.write(written, is_first=was_guessed or not self._has_written)
        self._has_written |= bool(written)
        for number in ports:
            if number not in failures:
                taken[number] = self._answer(link.switch.ports[number], link.faults.ports[number])
        if failures and any(isinstance(each, ExchangeTimeout) for each in failures.values()):
            await asyncio.sleep(TIMEOUT_S / 10)
        return Snapshots(taken, failures)

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        self._check_role()
        await self._take_time()
        self._link.strike()
        self._check_fence()
        refused: Collection[int] = [*ecn_marking][:1] if self._link.faults.is_unfit else ()
        return {port: PortRefused(port, _refusal("configure")) for port in refused}

    def tell(self, is_primary: bool, primary_id: int) -> None:
        """From the switch: who is primary."""

        def arrive() -> None:
            self.role = Role.PRIMARY if is_primary else Role.BACKUP
            self.primary_id, self._told_s = primary_id, self._link.now_s()
            self._changed.set()

        self._link.deliver(arrive)

    def lose(self, lingers_s: float) -> None:
        switch, until_s = self._link.switch, self._link.now_s() + lingers_s
        if lingers_s:
            switch.lingering[self.election_id] = until_s
        switch.leave(self)

        def arrive() -> None:
            self._lost = GONE
            self._changed.set()

        self._link.deliver(arrive)

    def _answer(self, port: ModelPort, wrong: PortFaults) -> Snapshot:
        if port.taken and wrong.is_repeated:
            return port.taken[-1]
        if port.taken and wrong.is_reordered and self._link.generator.random() < 0.5:
            return self._link.generator.choice(port.taken)
        return port.snapshot()

    async def _take_time(self, late_s: float = 0.0) -> None:
        if self._lost is not None:
            raise self._lost
        await asyncio.sleep(late_s + self._link.generator.uniform(*LATENCY_S))
        if self._lost is not None:
            raise self._lost

    def _check_role(self) -> None:
        """A controller that was told that it is not primary soon asks for nothing more."""
        if self.role is Role.PRIMARY:
            return
        if self._link.now_s() > self._told_s + TOLD_S:
            self._link.switch.complain("written without being primary")
        raise PrimacyLost("another controller is primary")

    def _check_fence(self) -> None:
        if self._link.switch.primary is not self:
            denied = "not primary"
            raise RpcError("write", grpc.StatusCode.PERMISSION_DENIED, denied)


class ChaosTarget(Target[Program, ChaosSession, ChaosSession]):
    """A Target of all that a world has."""

    def __init__(self, link_of: Callable[[str], Link]) -> None:
        self._link_of = link_of

    def load(self, name: str) -> Program:
        return PROGRAM

    def session(self, address: str, _device_id: int, election: Election, _tls: Any) -> ChaosSession:
        return ChaosSession(self._link_of(address), election)

    def reader(self, address: str, _device_id: int, _tls: Any) -> NoReturn:
        raise AssertionError("nobody only reads")

    async def installed(self, reader: ChaosSession) -> tuple[Program, int]:
        return await reader.installed()

    async def registers(
        self, session: ChaosSession, _program: Program, ports: Sequence[int], _wanted: object
    ) -> Discovered:
        return await session.registers(ports)


def _refusal(operation: str) -> RpcError:
    return RpcError(operation, grpc.StatusCode.OUT_OF_RANGE, "no such element")
