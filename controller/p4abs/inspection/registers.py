"""The registers and tables of v1model's programs, as far as the switch serves RegisterEntry."""

import math
from collections.abc import Iterator

from p4abs.access.discovery import RegisterPath
from p4abs.access.program import Program
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.register_reader import RegisterReader
from p4abs.access.rpc_error import RpcError
from p4abs.access.tables import MemoryReader, Selection, SelectionReader, Sharing
from p4abs.config import SwitchSettings
from p4abs.control.capacity import rate_of_shared_link
from p4abs.inspection.findings import NO_PROGRAM, Finding, Outcome
from p4abs.inspection.inspected import Inspected
from p4abs.inspection.ports import check_counts, check_memory, check_ports
from p4abs.inspection.readings import Readings, take_readings
from p4abs.queues import QueueAddress
from p4abs.session.incomplete import missing_headers
from p4abs.session.requirements import has_registers, sharing_unsupported
from p4abs.session.selection import selection_of
from p4abs.sharing import sharing_of
from p4abs.units import format_size


async def check_selection(switch: Inspected) -> list[Finding]:
    """Nothing if no code points are configured, or the program cannot select queues by them."""
    wanted = selection_of(switch.settings)
    if not wanted or switch.capabilities.selection_unsupported:
        return []
    if not switch.is_installed:
        return [Finding(Outcome.NOT_CHECKED, "dscp", NO_PROGRAM)]
    try:
        present = await SelectionReader(switch.reader, switch.program.p4info).read()
    except RpcError as error:
        return [Finding(Outcome.DIFFERS, "dscp", str(error))]
    return [*_of_queues(switch.settings, wanted, present)]


def _of_queues(
    settings: SwitchSettings, wanted: Selection, present: Selection
) -> Iterator[Finding]:
    for port in settings.port:
        own = [at for at, queue in wanted.items() if QueueAddress(at.port, queue) == port.address]
        others = [at for at in own if present.get(at) not in (None, wanted[at])]
        if others:
            text = (
                f"code point {others[0].code_point} takes queue {present[others[0]]} on the switch"
            )
            yield Finding(Outcome.DIFFERS, "dscp", text, (port.index,))
        elif any(at not in present for at in own):
            text = "not all entries are there yet; they are written when all queues have limits"
            yield Finding(Outcome.NOT_CHECKED, "dscp", text, (port.index,))
        elif own:
            yield Finding(Outcome.OK, "dscp", "the entries are as configured", (port.index,))


_PRIMARY_ONLY = (
    "the switch does not serve it; its mailbox answers only the primary controller, and this "
    "command is not the primary controller"
)
_UNREADABLE = "the registers cannot be read"
SILENT = Finding(
    Outcome.NOT_CHECKED,
    "mailbox",
    "whether it answers; --exchange tries it, as the primary controller",
)


async def registers_of_v1model(switch: Inspected) -> list[Finding]:
    """Whether they are there, can be read, and hold what is configured."""
    program: Program = switch.program
    of_each = f", {program.queue_count()} queues each" if program.queue_count() > 1 else ""
    text = f"the program has them, for the ports 0 to {program.port_count() - 1}{of_each}"
    found = Finding(Outcome.OK, "registers", text)
    tables = await check_sharing(switch) + await check_selection(switch)
    if not switch.is_installed:
        return [found, *_of_registers(switch, None, NO_PROGRAM), *tables]
    return [found, *await _live(switch), *tables]


async def _live(switch: Inspected) -> list[Finding]:
    """Whether RegisterEntry answers, and whether what it says is as configured."""
    capabilities, settings = switch.capabilities, switch.settings
    rates_bps = {
        port.index: rate_of_shared_link(port.capacity, port.queue is not None)
        for port in settings.port
        if has_registers(capabilities, port)
    }
    watch_s = 0.0 if capabilities.measurement_unsupported else switch.watch_s
    reader = RegisterReader(switch.reader, switch.program)
    try:
        # Whether it answers at all shows at port 0 as well as at any other.
        readings = await take_readings(reader, rates_bps or {0: math.inf}, switch.clock, watch_s)
        after = await switch.reader.ports() if capabilities.ports else {}
    except (RpcError, ExchangeTimeout) as error:
        if not isinstance(error, RpcError) or not error.is_unimplemented:
            answer = Finding(Outcome.DIFFERS, "RegisterEntry", str(error))
        elif settings.register_path is RegisterPath.REGISTER_ENTRY:
            answer = Finding(Outcome.DIFFERS, "RegisterEntry", "the switch does not serve it")
        else:
            answer = Finding(Outcome.NOT_CHECKED, "RegisterEntry", _PRIMARY_ONLY)
        return [answer, *_of_registers(switch, answer, _UNREADABLE)]
    answer = Finding(Outcome.OK, "RegisterEntry", "the switch serves it")
    counts = check_counts(capabilities, after, settings, readings)
    return [answer, *_of_registers(switch, answer, readings), *counts]


def _of_registers(
    switch: Inspected, answer: Finding | None, readings: Readings | str
) -> Iterator[Finding]:
    """The other findings, given whether RegisterEntry answers; None: not known."""
    path = switch.settings.register_path
    if path is not RegisterPath.REGISTER_ENTRY:
        is_all_there_is = answer is not None and answer.outcome is Outcome.NOT_CHECKED
        is_needed = path is RegisterPath.MAILBOX or is_all_there_is
        yield from _mailbox(switch.program, is_needed=is_needed)
    yield from check_ports(switch.capabilities, switch.settings, readings)
    yield from check_memory(switch.settings, readings)


def _mailbox(program: Program, *, is_needed: bool) -> list[Finding]:
    """Whether the mailbox's headers are there.

    A reader cannot find out whether it answers: a packet into the mailbox changes registers
    (p4src/adaptive/mailbox.p4), and only the primary may send one.
    """
    if missing := missing_headers(program):
        outcome = Outcome.DIFFERS if is_needed else Outcome.NOT_CHECKED
        return [Finding(outcome, "mailbox", missing)]
    return [Finding(Outcome.OK, "mailbox", "its headers are in the program's P4Info"), SILENT]


async def check_sharing(switch: Inspected) -> list[Finding]:
    """Nothing if the program cannot do it and need not."""
    if unsupported := sharing_unsupported(switch.capabilities, switch.settings):
        return [_found(Outcome.DIFFERS, unsupported.partition(": ")[2])]
    if switch.capabilities.sharing_unsupported:
        return []
    if not switch.is_installed:
        return [_found(Outcome.NOT_CHECKED, NO_PROGRAM)]
    try:
        present = await MemoryReader(switch.reader, switch.program.p4info).read()
    except RpcError as error:
        return [_found(Outcome.DIFFERS, str(error))]
    wanted = sharing_of(switch.settings)
    if (present.memory_bytes, present.queues) == (wanted.memory_bytes, wanted.queues):
        return [_found(Outcome.OK, f"{_told(present)}, as configured")]
    if not present.memory_bytes:
        return [_found(Outcome.NOT_CHECKED, "no controller has set it yet")]
    return [_difference(present, wanted)]


def _difference(present: Sharing, wanted: Sharing) -> Finding:
    if present.memory_bytes != wanted.memory_bytes:
        text = f"{_told(present)}, but {_told(wanted)} in the configuration"
        return _found(Outcome.DIFFERS, text)
    queues = present.queues.keys() | wanted.queues.keys()
    others = sorted(each for each in queues if present.queues.get(each) != wanted.queues.get(each))
    return _found(Outcome.DIFFERS, "other shares than in the configuration", *others)


def _told(sharing: Sharing) -> str:
    if not sharing.memory_bytes:
        return "no thresholds"
    return f"thresholds on {format_size(sharing.memory_bytes)}"


def _found(outcome: Outcome, text: str, *ports: int) -> Finding:
    return Finding(outcome, "memory-sharing", text, ports)
