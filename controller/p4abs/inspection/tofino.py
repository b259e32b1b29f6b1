"""What a Tofino shows to a client that only reads: everything by BF Runtime, the ports' rates under
Stratum."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping

from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError, raise_first
from p4abs.config import SwitchSettings
from p4abs.errors import P4absError
from p4abs.inspection.findings import Finding, Outcome
from p4abs.inspection.inspected import Inspected
from p4abs.inspection.ports import check_memory, check_ports
from p4abs.inspection.readings import Readings
from p4abs.inspection.registers import SILENT
from p4abs.session.requirements import fitted_port, number_unsupported
from p4abs.targets.bfrt.access import BfrtTables
from p4abs.targets.bfrt.tm.queues import TmQueues
from p4abs.targets.tofino.queue_program import NO_QUEUE
from p4abs.units import format_rate

_ONLY_BY_MAILBOX = "the mailbox answers only the primary controller"


async def mailbox_of_tofino(switch: Inspected) -> list[Finding]:
    """The program's headers are known to be there: it would not be ours without them."""

    async def rates() -> Iterable[Finding]:
        return check_rates(switch, await switch.program.rates_bps(switch.reader))

    return await _beside_mailbox(switch, "drain-rate", rates)


async def mailbox_of_queues(switch: Inspected) -> list[Finding]:
    """The same of the program whose queues are the traffic manager's."""

    async def queues() -> Iterable[Finding]:
        return _check_queues(switch.settings, await switch.program.ports(switch.reader))

    return await _beside_mailbox(switch, "queue", queues)


async def _beside_mailbox(
    switch: Inspected, check: str, entries: Callable[[], Awaitable[Iterable[Finding]]]
) -> list[Finding]:
    """The findings on the mailbox, on the ports' entries, and on what only the mailbox could show.

    `entries` may raise RpcError.
    """
    try:
        found = await entries() if switch.is_installed else []
    except RpcError as error:
        found = [Finding(Outcome.DIFFERS, check, str(error))]
    return [
        Finding(Outcome.OK, "mailbox", "its headers are in the program's P4Info"),
        SILENT,
        *found,
        *check_ports(switch.capabilities, switch.settings, _ONLY_BY_MAILBOX),
        *check_memory(switch.settings, _ONLY_BY_MAILBOX),
    ]


def _check_queues(settings: SwitchSettings, known: Collection[int]) -> Iterator[Finding]:
    """Whether the program knows each port's queue."""
    for port in settings.port:
        if port.index in known:
            yield Finding(Outcome.OK, "queue", "the program knows it", (port.index,))
        else:
            yield Finding(Outcome.DIFFERS, "queue", NO_QUEUE, (port.index,))


async def registers_by_bfrt(switch: Inspected) -> list[Finding]:
    """The program's registers are known to be there: it would not be ours without them."""
    tables = BfrtTables(switch.reader.client, switch.program)
    return await _registers(switch, tables, tables.rates_bps())


async def limited_queues_by_bfrt(switch: Inspected) -> list[Finding]:
    """Limits are the program's, rates the ports'."""
    client, program = switch.reader.client, switch.program
    speeds_bps = TmQueues(client, program).speeds_bps(_controllable(switch))
    return await _registers(switch, BfrtTables(client, program.program), speeds_bps)


async def _registers(
    switch: Inspected, tables: BfrtTables, rates: Awaitable[Mapping[int, int | None]]
) -> list[Finding]:
    """Compares limits in registers, and rates in bit/s, with the settings."""
    numbers = _controllable(switch)
    try:
        rates_bps, words = await rates, await tables.words(numbers)
    except (RpcError, ExchangeTimeout) as error:
        return _unread(switch, "registers", error)
    limits = {port: max(words[port]["limit"]) for port in numbers}
    told = Finding(Outcome.OK, "registers", "the switch answers")
    return [told, *_checks(switch, rates_bps, limits)]


async def queues_by_bfrt(switch: Inspected) -> list[Finding]:
    """The traffic manager's tables are known to be there: there would be no program without."""
    queues, numbers = TmQueues(switch.reader.client, switch.program), _controllable(switch)
    try:
        speeds_bps = await queues.speeds_bps(numbers)
        found, refused = await queues.read(numbers)
        raise_first(refused)
    except (RpcError, ExchangeTimeout) as error:
        return _unread(switch, "queues", error)
    cell_bytes = switch.program.cell_bytes
    limits = {port: reading.limit_bytes(cell_bytes) for port, reading in found.items()}
    cells = f"the traffic manager's, cells of {cell_bytes} bytes"
    told = Finding(Outcome.OK, "queues", cells)
    return [told, *_checks(switch, speeds_bps, limits)]


def _controllable(switch: Inspected) -> list[int]:
    """The configured ports that the program can control."""
    capabilities, ports = switch.capabilities, switch.settings.port
    return [port.index for port in ports if not number_unsupported(capabilities, port)]


def _unread(switch: Inspected, what: str, error: P4absError) -> list[Finding]:
    """The findings if the switch cannot be read."""
    ports = check_ports(switch.capabilities, switch.settings, f"the {what} cannot be read")
    return [Finding(Outcome.DIFFERS, what, str(error)), *ports]


def _checks(
    switch: Inspected, rates_bps: Mapping[int, int | None], limits: Mapping[int, int]
) -> Iterator[Finding]:
    """Compares rates, and limits in bytes, by port, with the settings."""
    registers = {port: {"queue_limit_bytes": limit_bytes} for port, limit_bytes in limits.items()}
    readings = Readings(registers, {}, 0.0)
    yield from check_rates(switch, rates_bps)
    yield from check_ports(switch.capabilities, switch.settings, readings)
    yield from check_memory(switch.settings, readings)


def check_rates(switch: Inspected, rates_bps: Mapping[int, int | None]) -> Iterator[Finding]:
    """Whether each port's queue drains at its capacity."""
    for port in switch.settings.port:
        wanted = fitted_port(switch.capabilities, port).capacity
        present = rates_bps.get(port.index)
        if wanted is None or present is None:
            outcome, text = Outcome.NOT_CHECKED, "no controller has set it yet"
        elif present == wanted:
            outcome, text = Outcome.OK, f"{format_rate(present)}, as configured"
        else:
            outcome = Outcome.DIFFERS
            text = f"{format_rate(present)}, but {format_rate(wanted)} in the configuration"
        yield Finding(outcome, "drain-rate", text, (port.index,))
