"""All checks of one switch, in the order in which the later ones need the earlier."""

from collections.abc import Iterator

from p4abs.access.discovery import RegisterPath
from p4abs.access.program import Program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.register_reader import RegisterReader
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import Finding, Outcome
from p4abs.inspection.ports import check_memory, check_ports
from p4abs.inspection.program import check_identity, check_mailbox, check_registers
from p4abs.inspection.readings import Readings, take_readings
from p4abs.session.requirements import measurement_hindrance

_NO_PROGRAM = "the switch runs no program yet"
_PRIMARY_ONLY = (
    "the switch serves no RegisterEntry, and its mailbox answers the primary controller only, "
    "which this command does not bid to be"
)
_UNREADABLE = "the registers cannot be read"


async def inspect(
    settings: SwitchSettings, wanted: Program | None, clock: Clock, watch_s: float
) -> list[Finding]:
    """Compares the switch with its settings and changes nothing.

    There is no session, so that no controller loses the switch to this one. `wanted` is the
    program of push-pipeline; capacities are measured for `watch_s` at most. Raises TlsError.
    """
    address, device_id = settings.grpc_addr, settings.device_id
    async with ReadOnlyConnection(address, device_id, settings.tls) as connection:
        try:
            installed, cookie = await connection.installed_program()
        except RpcError as error:
            return [
                Finding(Outcome.DIFFERS, "switch", f"{address}: {error}"),
                _nothing_else("the switch does not answer as it should"),
            ]
        found = [
            Finding(Outcome.OK, "switch", f"{address} answers, device {device_id}"),
            check_identity(installed, cookie, wanted, settings),
        ]
        program = installed or wanted
        if program is None:
            return [*found, _nothing_else(_NO_PROGRAM)]
        found.append(check_registers(program))
        if found[-1].outcome is Outcome.DIFFERS:
            return [*found, _nothing_else("the program lacks what it takes")]
        if installed is None:
            return [*found, *_of_registers(program, settings, None, _NO_PROGRAM)]
        return [*found, *await _live(connection, program, settings, clock, watch_s)]


async def _live(
    connection: ReadOnlyConnection,
    program: Program,
    settings: SwitchSettings,
    clock: Clock,
    watch_s: float,
) -> list[Finding]:
    """Whether RegisterEntry answers, and whether what it says is as configured."""
    numbers = [port.number for port in settings.port if port.number < program.port_count()]
    if measurement_hindrance(program):
        watch_s = 0.0
    reader = RegisterReader(connection, program)
    try:
        # Whether it answers at all shows at port 0 as well as at any other.
        readings = await take_readings(reader, numbers or [0], clock, watch_s)
    except (RpcError, ExchangeTimeout) as error:
        if not isinstance(error, RpcError) or not error.is_unimplemented:
            answer = Finding(Outcome.DIFFERS, "RegisterEntry", str(error))
        elif settings.register_path is RegisterPath.REGISTER_ENTRY:
            answer = Finding(Outcome.DIFFERS, "RegisterEntry", "the switch does not serve it")
        else:
            answer = Finding(Outcome.NOT_CHECKED, "RegisterEntry", _PRIMARY_ONLY)
        return [answer, *_of_registers(program, settings, answer, _UNREADABLE)]
    answer = Finding(Outcome.OK, "RegisterEntry", "the switch serves it")
    return [answer, *_of_registers(program, settings, answer, readings)]


def _of_registers(
    program: Program, settings: SwitchSettings, answer: Finding | None, readings: Readings | str
) -> Iterator[Finding]:
    """What remains once it is known whether RegisterEntry answers; None: not known."""
    path = settings.register_path
    if path is not RegisterPath.REGISTER_ENTRY:
        is_all_there_is = answer is not None and answer.outcome is Outcome.NOT_CHECKED
        is_needed = path is RegisterPath.MAILBOX or is_all_there_is
        yield from check_mailbox(program, is_needed=is_needed)
    yield from check_ports(program, settings, readings)
    yield from check_memory(settings, readings)


def _nothing_else(reason: str) -> Finding:
    return Finding(Outcome.NOT_CHECKED, "all else", reason)
