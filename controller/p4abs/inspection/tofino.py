"""What a Tofino tells to those who only ask: by BF Runtime all, under Stratum ports' rates."""

from collections.abc import Iterator, Mapping

from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import Finding, Outcome
from p4abs.inspection.ports import check_memory, check_ports
from p4abs.inspection.readings import Readings
from p4abs.inspection.registers import SILENT
from p4abs.session.requirements import fitted_port, number_hindrance
from p4abs.targets import TargetProgram
from p4abs.targets.bfrt.access import BfrtTables
from p4abs.targets.bfrt.reader import BfrtReader
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.bfrt.tm.program import TmProgram
from p4abs.targets.bfrt.tm.queues import TmQueues
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.rate_entries import read_rates
from p4abs.units import format_rate

_ONLY_BY_MAILBOX = "the mailbox tells it to the primary controller alone"


async def mailbox_of_tofino(
    reader: ReadOnlyConnection,
    program: TofinoProgram,
    is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The program's headers are known to be there: it would not be ours without them."""
    found = [Finding(Outcome.OK, "mailbox", "the program has its headers"), SILENT]
    if is_installed:
        try:
            rates_bps = await read_rates(reader, program.rate_table)
        except RpcError as error:
            found.append(Finding(Outcome.DIFFERS, "drain-rate", str(error)))
        else:
            found += check_rates(program, settings, rates_bps)
    return [
        *found,
        *check_ports(program.capabilities(), settings, _ONLY_BY_MAILBOX),
        *check_memory(settings, _ONLY_BY_MAILBOX),
    ]


async def registers_by_bfrt(
    reader: BfrtReader,
    program: BfrtProgram,
    _is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The program's registers are known to be there: it would not be ours without them."""
    tables, capabilities = BfrtTables(reader.client, program), program.capabilities()
    numbers = [port.number for port in settings.port if not number_hindrance(capabilities, port)]
    try:
        rates_bps, words = await tables.rates_bps(), await tables.words(numbers)
    except (RpcError, ExchangeTimeout) as error:
        found = [Finding(Outcome.DIFFERS, "registers", str(error))]
        return [*found, *check_ports(capabilities, settings, "the registers cannot be read")]
    limits = {port: {"queue_limit_bytes": max(words[port]["limit"])} for port in numbers}
    readings = Readings(limits, {}, 0.0)
    return [
        Finding(Outcome.OK, "registers", "the switch tells them"),
        *check_rates(program, settings, rates_bps),
        *check_ports(capabilities, settings, readings),
        *check_memory(settings, readings),
    ]


async def queues_by_bfrt(
    reader: BfrtReader,
    program: TmProgram,
    _is_installed: bool,
    settings: SwitchSettings,
    _clock: Clock,
    _watch_s: float,
) -> list[Finding]:
    """The traffic manager's tables are known to be there: there would be no program without."""
    queues, capabilities = TmQueues(reader.client, program), program.capabilities()
    numbers = [port.number for port in settings.port if not number_hindrance(capabilities, port)]
    try:
        speeds_bps, found = await queues.speeds_bps(numbers), await queues.read(numbers)
    except (RpcError, ExchangeTimeout) as error:
        unread = [Finding(Outcome.DIFFERS, "queues", str(error))]
        return [*unread, *check_ports(capabilities, settings, "the queues cannot be read")]
    limits = {
        port: {"queue_limit_bytes": reading.limit_bytes(program.cell_bytes)}
        for port, reading in found.items()
    }
    readings = Readings(limits, {}, 0.0)
    return [
        Finding(
            Outcome.OK, "queues", f"the traffic manager's, cells of {program.cell_bytes} bytes"
        ),
        *check_rates(program, settings, speeds_bps),
        *check_ports(capabilities, settings, readings),
        *check_memory(settings, readings),
    ]


def check_rates(
    program: TargetProgram, settings: SwitchSettings, rates_bps: Mapping[int, int | None]
) -> Iterator[Finding]:
    """Whether each port's queue drains at its capacity."""
    for port in settings.port:
        wanted = fitted_port(program.capabilities(), port).capacity
        present = rates_bps.get(port.number)
        if wanted is None or present is None:
            outcome, text = Outcome.NOT_CHECKED, "no controller has set it yet"
        elif present == wanted:
            outcome, text = Outcome.OK, f"{format_rate(present)}, as configured"
        else:
            outcome = Outcome.DIFFERS
            text = f"{format_rate(present)}, but {format_rate(wanted)} in the configuration"
        yield Finding(outcome, "drain-rate", text, (port.number,))
