"""Prepares a switch for control."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from p4abs.access.program import MissingObjects
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess
from p4abs.clock import Clock
from p4abs.config import PortSettings, SwitchSettings
from p4abs.errors import P4absError
from p4abs.session.attempts import first_of
from p4abs.session.requirements import fitted
from p4abs.targets import Session, Target, TargetProgram
from p4abs.units import format_rate, format_size

Program = TypeVar("Program", bound=TargetProgram)

# New settings wait this long at first, because switches that begin together need the processor
# more.
CONFIGURE_S = 0.2
# A port that was refused is asked for again after so long.
RETRY_S = 1.0


async def install(
    target: Target[Program, Any, Any],
    session: Session[Program],
    program: Program | None,
    settings: SwitchSettings,
    announce: Callable[[str], None],
) -> Program:
    """Pushes the program unless the switch already runs it, by its cookie.

    A switch that is only observed keeps what it runs. Returns what the switch runs. Raises RpcError
    and MissingObjects.
    """
    installed, cookie = await target.installed(session)
    is_other = program is not None and (installed is None or cookie != program.cookie)
    if program is not None and is_other and not settings.is_observed:
        await session.push(program)
        announce("pipeline pushed")
        session.claim(program)
        return await target.with_ports(session, program)
    if installed is not None and is_other:
        announce(f"the switch does not run {settings.push_pipeline}; observing pushes nothing")
    if installed is None and settings.is_observed:
        raise MissingObjects(
            "the switch runs no program, and observing pushes none; start the switch with one"
        )
    if installed is None:
        example = settings.traits.pipeline
        raise MissingObjects(f"the switch runs no program; push one: --push-pipeline {example}")
    session.claim(installed)
    return installed


async def foresee(
    target: Target[Program, Any, Any], session: Session[Program], program: Program | None
) -> Program | None:
    """The program that a backup will find when it takes over; None: it will have to push one.

    Raises RpcError and MissingObjects.
    """
    installed, cookie = await target.installed(session)
    if installed is None or (program is not None and cookie != program.cookie):
        return None
    session.claim(installed)
    return installed


def fit(
    program: TargetProgram, settings: SwitchSettings, announce: Callable[[str], None]
) -> SwitchSettings:
    """The settings as the program can serve them. Raises MissingObjects and UserError."""
    served = fitted(program.capabilities(), settings)
    if served.memory is not None and served.memory != settings.memory:
        announce(f"memory: {format_size(served.memory)}, shared by the switch's queues")
    for asked, port in zip(settings.port, served.port, strict=True):
        if asked.capacity and port.capacity and asked.capacity != port.capacity:
            rates = f"{format_rate(asked.capacity)} is taken as {format_rate(port.capacity)}"
            announce(f"{port.label}: capacity {rates}")
    return served


def configured(port: PortSettings) -> tuple[object, ...]:
    """The settings of a port, besides its limit, that are written to the switch and may change
    under control."""
    return port.ecn_marking, port.mode, port.mtu


class Configuring:
    """Writes the settings of controlled ports to a data plane that has started anew.

    `trouble` reports once what is refused for a port, and run() keeps trying.
    """

    def __init__(self, clock: Clock, trouble: Callable[[str], None]) -> None:
        self._clock = clock
        self._trouble = trouble
        self._waiting: set[int] = set()
        self._unwritten: set[int] = set()
        self._refused: dict[int, str] = {}
        self._has_news = asyncio.Event()

    def is_waiting(self, port: int) -> bool:
        """Whether the switch has given no answer yet about this port."""
        return port in self._unwritten

    def soon(self, ports: Iterable[PortSettings]) -> None:
        """Leaves the ports to run()."""
        numbers = {port.index for port in ports if not port.is_observed}
        self._waiting |= numbers
        self._unwritten |= numbers
        self._has_news.set()

    async def at_first(self, access: RegisterAccess, ports: Sequence[PortSettings]) -> None:
        """Raises like RegisterAccess, and the failure of the first port where each has failed."""
        failures = await self._write(access, ports)
        if failures and len(failures) == sum(not port.is_observed for port in ports):
            raise next(iter(failures.values()))

    async def again(self, access: RegisterAccess, ports: Sequence[PortSettings]) -> None:
        """Writes all settings. If there is no answer, run() tries again. Raises RpcError."""
        try:
            await self._write(access, ports)
        except ExchangeTimeout:
            self.soon(ports)

    async def run(
        self, access: RegisterAccess, ports: Callable[[], Iterable[PortSettings]]
    ) -> NoReturn:
        """Writes the settings of ports that wait, as long as they are among these, until cancelled.
        Raises RpcError."""
        await self._clock.sleep_until(self._clock.now_s() + CONFIGURE_S)
        while True:
            retry = self._clock.sleep_until(self._clock.now_s() + RETRY_S)
            await first_of(self._has_news.wait(), retry)
            self._has_news.clear()
            written = {port.index: port for port in ports() if not port.is_observed}
            self._refused = {port: why for port, why in self._refused.items() if port in written}
            asked, self._waiting = self._waiting or {*self._refused}, set()
            await self.again(access, [written[port] for port in asked if port in written])

    async def _write(
        self, access: RegisterAccess, ports: Sequence[PortSettings]
    ) -> dict[int, P4absError]:
        ports = [port for port in ports if not port.is_observed]
        if not ports:
            return {}
        failures = await access.configure(
            {port.index: port.capacity for port in ports if port.capacity is not None},
            {port.index: port.ecn_marking for port in ports},
            {port.index: port.mtu for port in ports},
        )
        for port in ports:
            self._unwritten.discard(port.index)
            failure = failures.get(port.index)
            if isinstance(failure, ExchangeTimeout):
                self.soon([port])
            elif failure is None:
                self._refused.pop(port.index, None)
            elif self._refused.get(port.index) != str(failure):
                self._refused[port.index] = str(failure)
                self._trouble(f"{failure}; trying again; other ports are not affected")
        return failures
