"""What has to be so before a switch can be controlled."""

from collections.abc import Callable

from p4abs.access.connection import Connection
from p4abs.access.discovery import discover
from p4abs.access.program import UNSATURATED_REGISTERS, MissingObjects, Program
from p4abs.access.register_access import RegisterAccess
from p4abs.config import Settings
from p4abs.errors import UserError

_REAL_QUEUE_REGISTER = "busy_since_us"


def check_program(program: Program, settings: Settings) -> None:
    """Raises MissingObjects or UserError when the program cannot serve the settings."""
    hindrance = _capacity_hindrance(program)
    for port in settings.port:
        if port.capacity is None and hindrance:
            raise UserError(
                f"port {port.number}: capacity is missing, and cannot be measured: {hindrance}; "
                "give capacity, such as '10Mbit', or use the program queue"
            )
        if port.number >= program.port_count():
            raise UserError(
                f"port {port.number}: the program has registers for the ports 0 to "
                f"{program.port_count() - 1}"
            )


async def prepare(
    connection: Connection,
    program: Program | None,
    settings: Settings,
    announce: Callable[[str], None],
) -> RegisterAccess:
    """Sees to the program, finds the register path and sets the drain rates that are declared.

    The program is pushed unless the switch runs it already, by its cookie. Raises RpcError,
    ExchangeTimeout, MissingObjects and UserError.
    """
    installed, cookie = await connection.installed_program()
    if program is not None and (installed is None or cookie != program.cookie):
        await connection.push(program)
        announce("pipeline pushed")
        installed = program
    if installed is None:
        raise MissingObjects("the switch runs no program; push one: --push-pipeline queue")
    check_program(installed, settings)
    access = await discover(
        connection, installed, settings.port[0].number, settings.switch.register_path
    )
    for port in settings.port:
        if port.capacity is not None:
            await access.set_drain_rate(port.number, port.capacity)
    return access


def _capacity_hindrance(program: Program) -> str:
    """Why no capacity can be measured with this program; empty: it can be."""
    registers = program.register_ids()
    missing = [name for name in UNSATURATED_REGISTERS if name not in registers]
    if missing:
        return f"the program lacks the registers {', '.join(missing)}"
    if _REAL_QUEUE_REGISTER not in registers:
        return "the program's queue is a virtual one, which drains at the capacity"
    return ""
