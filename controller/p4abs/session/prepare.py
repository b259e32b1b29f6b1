"""What has to be so before a switch can be controlled."""

from collections.abc import Callable, Sequence

from p4abs.access.connection import Connection
from p4abs.access.discovery import discover
from p4abs.access.program import MissingObjects, Program
from p4abs.access.register_access import RegisterAccess
from p4abs.config import PortSettings, SwitchSettings
from p4abs.session.requirements import check_program


async def prepare(
    connection: Connection,
    program: Program | None,
    settings: SwitchSettings,
    announce: Callable[[str], None],
) -> tuple[RegisterAccess, Program]:
    """Sees to the program, finds the register path and configures the ports.

    Returns how to reach the registers, and the program that has them. The program is pushed unless
    the switch runs it already, by its cookie. Raises RpcError, ExchangeTimeout, MissingObjects and
    UserError.
    """
    installed, cookie = await connection.installed_program()
    if program is not None and (installed is None or cookie != program.cookie):
        await connection.push(program)
        announce("pipeline pushed")
        installed = program
    if installed is None:
        raise MissingObjects("the switch runs no program; push one: --push-pipeline queue")
    check_program(installed, settings)
    access = await discover(connection, installed, settings.port[0].number, settings.register_path)
    await configure(access, settings.port)
    return access, installed


async def configure(access: RegisterAccess, ports: Sequence[PortSettings]) -> None:
    """Writes what a data plane that has started anew does not know. Raises like RegisterAccess."""
    await access.configure(
        {port.number: port.capacity for port in ports if port.capacity is not None},
        {port.number: port.ecn_marking for port in ports},
    )
