"""What a Tofino under Stratum tells without its mailbox: the rates of its ports."""

from collections.abc import Iterator, Mapping

from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import Finding, Outcome
from p4abs.inspection.ports import check_memory, check_ports
from p4abs.inspection.registers import SILENT
from p4abs.session.requirements import fitted_port
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


def check_rates(
    program: TofinoProgram, settings: SwitchSettings, rates_bps: Mapping[int, int | None]
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
