"""What has to be so before a switch can be controlled."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from p4abs.access.program import MissingObjects
from p4abs.access.register_access import RegisterAccess
from p4abs.config import PortSettings, SwitchSettings
from p4abs.session.requirements import fitted
from p4abs.targets import Session, TargetProgram
from p4abs.units import format_rate

Program = TypeVar("Program", bound=TargetProgram)


async def install(
    session: Session[Program],
    program: Program | None,
    settings: SwitchSettings,
    announce: Callable[[str], None],
) -> Program:
    """Sees to the program, which is pushed unless the switch runs it already, by its cookie.

    A switch that is only observed keeps what it runs. Returns what the switch runs. Raises RpcError
    and MissingObjects.
    """
    installed, cookie = await session.installed()
    is_other = program is not None and (installed is None or cookie != program.cookie)
    if program is not None and is_other and not settings.is_observed:
        await session.push(program)
        announce("pipeline pushed")
        return program
    if installed is not None and is_other:
        announce(f"the switch does not run {settings.push_pipeline}; observing, nothing is pushed")
    if installed is None and settings.is_observed:
        raise MissingObjects("the switch runs no program; observing, none is pushed")
    if installed is None:
        example = settings.traits.pipeline
        raise MissingObjects(f"the switch runs no program; push one: --push-pipeline {example}")
    return installed


async def foresee(session: Session[Program], program: Program | None) -> Program | None:
    """What a backup will find when it takes over; None: there will be something to push.

    Raises RpcError and MissingObjects.
    """
    installed, cookie = await session.installed()
    return installed if program is None or cookie == program.cookie else None


def fit(
    program: TargetProgram, settings: SwitchSettings, announce: Callable[[str], None]
) -> SwitchSettings:
    """The settings as the program can serve them. Raises MissingObjects and UserError."""
    served = fitted(program.capabilities(), settings)
    for asked, port in zip(settings.port, served.port, strict=True):
        if asked.capacity and port.capacity and asked.capacity != port.capacity:
            rates = f"{format_rate(asked.capacity)} is taken as {format_rate(port.capacity)}"
            announce(f"port {port.number}: capacity {rates}")
    return served


async def configure(access: RegisterAccess, ports: Sequence[PortSettings]) -> None:
    """Writes what a data plane that has started anew does not know, but not of observed ports.

    Raises like RegisterAccess.
    """
    ports = [port for port in ports if not port.is_observed]
    if not ports:
        return
    await access.configure(
        {port.number: port.capacity for port in ports if port.capacity is not None},
        {port.number: port.ecn_marking for port in ports},
    )
