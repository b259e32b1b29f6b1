"""What has to be so before a switch can be controlled."""

from collections.abc import Callable

from p4abs.access.connection import Connection
from p4abs.access.discovery import discover
from p4abs.access.program import UNSATURATED_REGISTERS, MissingObjects, Program
from p4abs.access.register_access import RegisterAccess
from p4abs.config import PortSettings, Settings
from p4abs.errors import UserError

_REAL_QUEUE_REGISTER = "busy_since_us"
_ECN_REGISTER = "ecn_marking"


def check_program(program: Program, settings: Settings) -> None:
    """Raises MissingObjects or UserError when the program cannot serve the settings."""
    hindrance = _capacity_hindrance(program)
    for port in settings.port:
        if port.capacity is None and hindrance:
            raise UserError(
                f"port {port.number}: capacity is missing, and cannot be measured: {hindrance}; "
                "give capacity, such as '10Mbit', or use the program queue"
            )
        if port.ecn_marking and _ECN_REGISTER not in program.register_ids():
            raise UserError(
                f"port {port.number}: ecn-marking: the program lacks the register {_ECN_REGISTER}; "
                "leave ecn-marking out, or use one of the programs queue, virtual_queue"
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
    """Sees to the program, finds the register path and configures the ports.

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
        await configure_port(access, port)
    return access


async def configure_port(access: RegisterAccess, port: PortSettings) -> None:
    """Writes what a data plane that has started anew does not know. Raises like RegisterAccess."""
    if port.capacity is not None:
        await access.set_drain_rate(port.number, port.capacity)
    await access.set_ecn_marking(port.number, port.ecn_marking)


def _capacity_hindrance(program: Program) -> str:
    """Why no capacity can be measured with this program; empty: it can be."""
    registers = program.register_ids()
    missing = [name for name in UNSATURATED_REGISTERS if name not in registers]
    if missing:
        return f"the program lacks the registers {', '.join(missing)}"
    if _REAL_QUEUE_REGISTER not in registers:
        return "the program's queue is a virtual one, which drains at the capacity"
    return ""
