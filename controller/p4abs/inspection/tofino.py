"""What a Tofino shows to a client that only reads: everything by BF Runtime, the ports' rates under
Stratum."""

from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)

from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError, raise_first
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.errors import P4absError
from p4abs.inspection.findings import Finding, Outcome
from p4abs.inspection.ports import check_memory, check_ports
from p4abs.inspection.readings import Readings
from p4abs.inspection.registers import SILENT
from p4abs.session.requirements import fitted_port, number_unsupported
from p4abs.targets import TargetProgram
from p4abs.targets.bfrt.access import BfrtTables
from p4abs.targets.bfrt.queue import QueueProgram as QueueProgramByBfrt
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.bfrt.target import BfrtReader
from p4abs.targets.bfrt.tm.program import TmProgram
from p4abs.targets.bfrt.tm.queues import TmQueues
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.queue.program import NO_QUEUE, QueueProgram, read_ports
from p4abs.targets.tofino.rate_entries import read_rates
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram
from p4abs.units import format_rate

_ONLY_BY_MAILBOX = "the mailbox answers only the primary controller"


async def mailbox_of_tofino(
    reader: ReadOnlyConnection,
    program: VirtualQueueProgram,
    is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The program's headers are known to be there: it would not be ours without them."""

    async def rates() -> Iterable[Finding]:
        return check_rates(program, settings, await read_rates(reader, program.rate_table))

    return await _beside_mailbox(program, settings, "drain-rate", rates if is_installed else None)


async def mailbox_of_queues(
    reader: ReadOnlyConnection,
    program: QueueProgram,
    is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The same of the program whose queues are the traffic manager's."""

    async def queues() -> Iterable[Finding]:
        return _check_queues(settings, await read_ports(reader, program.queue_table))

    return await _beside_mailbox(program, settings, "queue", queues if is_installed else None)


async def _beside_mailbox(
    program: TofinoProgram,
    settings: SwitchSettings,
    check: str,
    entries: Callable[[], Awaitable[Iterable[Finding]]] | None,
) -> list[Finding]:
    """The findings on the mailbox, on the ports' entries, and on what only the mailbox could show.

    `entries` may raise RpcError.
    """
    try:
        found = [] if entries is None else await entries()
    except RpcError as error:
        found = [Finding(Outcome.DIFFERS, check, str(error))]
    return [
        Finding(Outcome.OK, "mailbox", "the program has its headers"),
        SILENT,
        *found,
        *check_ports(program.capabilities(), settings, _ONLY_BY_MAILBOX),
        *check_memory(settings, _ONLY_BY_MAILBOX),
    ]


def _check_queues(settings: SwitchSettings, known: Collection[int]) -> Iterator[Finding]:
    """Whether the program knows each port's queue."""
    for port in settings.port:
        if port.index in known:
            yield Finding(Outcome.OK, "queue", "the program knows it", (port.index,))
        else:
            yield Finding(Outcome.DIFFERS, "queue", NO_QUEUE, (port.index,))


async def registers_by_bfrt(
    reader: BfrtReader,
    program: BfrtProgram,
    _is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The program's registers are known to be there: it would not be ours without them."""
    tables = BfrtTables(reader.client, program)
    numbers = _controllable(program, settings)
    return await _registers(program, settings, tables, numbers, tables.rates_bps())


async def limited_queues_by_bfrt(
    reader: BfrtReader,
    program: QueueProgramByBfrt,
    _is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """Limits are the program's, rates the ports'."""
    tables = BfrtTables(reader.client, program.program)
    numbers = _controllable(program, settings)
    speeds_bps = TmQueues(reader.client, program.queues).speeds_bps(numbers)
    return await _registers(program, settings, tables, numbers, speeds_bps)


async def _registers(
    program: TargetProgram,
    settings: SwitchSettings,
    tables: BfrtTables,
    numbers: Sequence[int],
    rates: Awaitable[Mapping[int, int | None]],
) -> list[Finding]:
    """Compares limits in registers, and rates in bit/s, with the settings."""
    try:
        rates_bps, words = await rates, await tables.words(numbers)
    except (RpcError, ExchangeTimeout) as error:
        return _unread("registers", error, program, settings)
    limits = {port: max(words[port]["limit"]) for port in numbers}
    told = Finding(Outcome.OK, "registers", "the switch answers")
    return [told, *_checks(program, settings, rates_bps, limits)]


async def queues_by_bfrt(
    reader: BfrtReader,
    program: TmProgram,
    _is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The traffic manager's tables are known to be there: there would be no program without."""
    queues = TmQueues(reader.client, program)
    numbers = _controllable(program, settings)
    try:
        speeds_bps = await queues.speeds_bps(numbers)
        found, refused = await queues.read(numbers)
        raise_first(refused)
    except (RpcError, ExchangeTimeout) as error:
        return _unread("queues", error, program, settings)
    limits = {port: reading.limit_bytes(program.cell_bytes) for port, reading in found.items()}
    cells = f"the traffic manager's, cells of {program.cell_bytes} bytes"
    told = Finding(Outcome.OK, "queues", cells)
    return [told, *_checks(program, settings, speeds_bps, limits)]


def _controllable(program: TargetProgram, settings: SwitchSettings) -> list[int]:
    """The configured ports that the program can control."""
    capabilities = program.capabilities()
    return [port.index for port in settings.port if not number_unsupported(capabilities, port)]


def _unread(
    what: str, error: P4absError, program: TargetProgram, settings: SwitchSettings
) -> list[Finding]:
    """The findings if the switch cannot be read."""
    ports = check_ports(program.capabilities(), settings, f"the {what} cannot be read")
    return [Finding(Outcome.DIFFERS, what, str(error)), *ports]


def _checks(
    program: TargetProgram,
    settings: SwitchSettings,
    rates_bps: Mapping[int, int | None],
    limits: Mapping[int, int],
) -> Iterator[Finding]:
    """Compares rates, and limits in bytes, by port, with the settings."""
    registers = {port: {"queue_limit_bytes": limit_bytes} for port, limit_bytes in limits.items()}
    readings = Readings(registers, {}, 0.0)
    yield from check_rates(program, settings, rates_bps)
    yield from check_ports(program.capabilities(), settings, readings)
    yield from check_memory(settings, readings)


def check_rates(
    program: TargetProgram, settings: SwitchSettings, rates_bps: Mapping[int, int | None]
) -> Iterator[Finding]:
    """Whether each port's queue drains at its capacity."""
    for port in settings.port:
        wanted = fitted_port(program.capabilities(), port).capacity
        present = rates_bps.get(port.index)
        if wanted is None or present is None:
            outcome, text = Outcome.NOT_CHECKED, "no controller has set it yet"
        elif present == wanted:
            outcome, text = Outcome.OK, f"{format_rate(present)}, as configured"
        else:
            outcome = Outcome.DIFFERS
            text = f"{format_rate(present)}, but {format_rate(wanted)} in the configuration"
        yield Finding(outcome, "drain-rate", text, (port.index,))
