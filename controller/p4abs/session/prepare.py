"""What has to be so before a switch can be controlled."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from p4abs.access.program import MissingObjects
from p4abs.access.register_access import RegisterAccess
from p4abs.config import PortSettings, SwitchSettings
from p4abs.session.requirements import fitted
from p4abs.targets import Session, TargetProgram
from p4abs.units import format_rate

Program = TypeVar("Program", bound=TargetProgram)


class Prepared(NamedTuple, Generic[Program]):
    """How to reach the registers, the program that has them, and whether it begins anew."""

    access: RegisterAccess
    program: Program
    is_pushed: bool


async def prepare(
    session: Session[Program],
    program: Program | None,
    settings: SwitchSettings,
    announce: Callable[[str], None],
) -> Prepared[Program]:
    """Sees to the program and finds the register path.

    The program is pushed unless the switch runs it already, by its cookie. Raises RpcError,
    ExchangeTimeout, MissingObjects and UserError.
    """
    installed, cookie = await session.installed()
    is_pushed = program is not None and (installed is None or cookie != program.cookie)
    if program is not None and is_pushed:
        await session.push(program)
        announce("pipeline pushed")
        installed = program
    if installed is None:
        example = settings.traits.pipeline
        raise MissingObjects(f"the switch runs no program; push one: --push-pipeline {example}")
    ports = fitted(installed.capabilities(), settings).port
    for asked, port in zip(settings.port, ports, strict=True):
        if asked.capacity and port.capacity and asked.capacity != port.capacity:
            rates = f"{format_rate(asked.capacity)} is taken as {format_rate(port.capacity)}"
            announce(f"port {port.number}: capacity {rates}")
    access = await session.registers(installed, ports[0].number, settings.register_path)
    return Prepared(access, installed, is_pushed)


async def configure(access: RegisterAccess, ports: Sequence[PortSettings]) -> None:
    """Writes what a data plane that has started anew does not know. Raises like RegisterAccess."""
    await access.configure(
        {port.number: port.capacity for port in ports if port.capacity is not None},
        {port.number: port.ecn_marking for port in ports},
    )
