"""All checks of one switch, in the order in which the later ones need the earlier."""

from collections.abc import Awaitable, Callable
from typing import Any

from p4abs.access.connection import Role
from p4abs.access.discovery import RegisterPath
from p4abs.access.election import Election, rights_to_control
from p4abs.access.program import MissingObjects
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError, located
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import NO_PROGRAM, Finding, Outcome
from p4abs.inspection.inspected import Inspected
from p4abs.inspection.registers import SILENT, registers_of_v1model
from p4abs.inspection.tofino import (
    limited_queues_by_bfrt,
    mailbox_of_queues,
    mailbox_of_tofino,
    queues_by_bfrt,
    registers_by_bfrt,
)
from p4abs.runtime import RuntimeFile, missing_table
from p4abs.session.incomplete import WHAT_TO_LOOK_AT, has_silent_mailbox
from p4abs.targets import Enforcement, TargetKind, TargetProgram, target_of
from p4abs.units import format_duration


def check_identity(
    installed: TargetProgram | None,
    cookie: int,
    wanted: TargetProgram | None,
    switch: SwitchSettings,
) -> Finding:
    """Whether the switch runs the program `wanted` of push-pipeline; None: any will do."""
    if wanted is None and installed is None:
        return _of_program(Outcome.DIFFERS, "the switch runs none; set push-pipeline")
    if wanted is None:
        return _of_program(Outcome.OK, "the switch runs a program; push-pipeline names none")
    if installed is None:
        return _of_program(
            Outcome.NOT_CHECKED,
            f"the switch runs none yet; `p4abs control` pushes {switch.push_pipeline}",
        )
    if cookie != wanted.cookie:
        return _of_program(
            Outcome.DIFFERS,
            f"the switch runs another program; `p4abs control` would push {switch.push_pipeline}, "
            "which empties tables and registers",
        )
    return _of_program(Outcome.OK, f"the switch runs {switch.push_pipeline}")


def _of_program(outcome: Outcome, text: str) -> Finding:
    return Finding(outcome, "program", text)


# What there is to say of an installed program's registers, or of one's to be pushed.
REGISTER_CHECKS: dict[
    tuple[TargetKind, Enforcement], Callable[[Inspected], Awaitable[list[Finding]]]
] = {
    (TargetKind.BMV2, Enforcement.VIRTUAL): registers_of_v1model,
    (TargetKind.STRATUM, Enforcement.VIRTUAL): mailbox_of_tofino,
    (TargetKind.STRATUM, Enforcement.QUEUE): mailbox_of_queues,
    (TargetKind.BFRT, Enforcement.VIRTUAL): registers_by_bfrt,
    (TargetKind.BFRT, Enforcement.QUEUE): limited_queues_by_bfrt,
    (TargetKind.BFRT, Enforcement.TM): queues_by_bfrt,
}

# The lowest there is: it outbids no controller.
_ELECTION_ID = 1
_OTHER = "another controller is primary, and reads all ports itself"


async def inspect(
    settings: SwitchSettings,
    wanted: Any,
    clock: Clock,
    watch_s: float,
    *,
    exchanges: bool = False,
    runtime: RuntimeFile | None = None,
) -> list[Finding]:
    """Compares the switch with its settings and changes nothing.

    There is no session, so that no controller loses the switch to this one, unless `exchanges` asks
    for one exchange. `wanted` is the program of push-pipeline, `runtime` the file of that key;
    capacities are measured for `watch_s` at most. Raises TlsError, and UserError when this machine
    lacks what the target takes.
    """
    address, device_id = settings.grpc_addr, settings.device_id
    target = target_of(settings.target, settings.enforcement)
    target.require()
    async with target.reader(address, device_id, settings.tls) as reader:
        try:
            installed, cookie = await target.installed(reader)
        except (RpcError, ExchangeTimeout) as error:
            is_silent = not isinstance(error, RpcError) or error.is_unavailable
            outcome = Outcome.NO_ANSWER if is_silent else Outcome.DIFFERS
            return [
                Finding(outcome, "switch", located(address, error)),
                _nothing_else("the switch gives no valid answer"),
            ]
        except MissingObjects as foreign:
            return [
                _answers(settings),
                Finding(Outcome.DIFFERS, "program", str(foreign)),
                _nothing_else("something is missing, see the line above"),
            ]
        found = [_answers(settings), check_identity(installed, cookie, wanted, settings)]
        if installed is None and wanted is None:
            return [*found, _nothing_else(NO_PROGRAM)]
        program = installed or wanted
        found += _rights(program, settings)
        found += _entries(program, runtime)
        switch = Inspected(reader, program, installed is not None, settings, clock, watch_s)
        found += await _registers(switch)
    if exchanges and installed is not None:
        found += await try_exchange(settings, installed, clock)
    return [each for each in found if each is not SILENT or not exchanges]


def _rights(program: Any, settings: SwitchSettings) -> list[Finding]:
    """Whether the role, if there is one, may write what control writes."""
    if settings.role is None:
        return []
    try:
        rights_to_control(settings.role, program.p4info)
    except MissingObjects as error:
        return [Finding(Outcome.DIFFERS, "role", str(error))]
    return [Finding(Outcome.OK, "role", f"{settings.role} may write what control writes")]


def _entries(program: Any, runtime: RuntimeFile | None) -> list[Finding]:
    """Whether the program has the tables that the runtime file, if there is one, fills."""
    if runtime is None:
        return []
    if table := missing_table(program.p4info, runtime):
        text = f"{runtime.path}: the program has no table {table}"
        return [Finding(Outcome.DIFFERS, "runtime", text)]
    text = (
        f"{runtime.path}: the program has the tables that it fills, entries: {len(runtime.updates)}"
    )
    return [Finding(Outcome.OK, "runtime", text)]


async def _registers(switch: Inspected) -> list[Finding]:
    try:
        switch.program.capabilities()
    except MissingObjects as error:
        return [
            Finding(Outcome.DIFFERS, "registers", str(error)),
            _nothing_else("something is missing, see the line above"),
        ]
    return await REGISTER_CHECKS[switch.settings.target, switch.settings.enforcement](switch)


def _answers(settings: SwitchSettings) -> Finding:
    text = f"{settings.grpc_addr} answers, device {settings.device_id}"
    return Finding(Outcome.OK, "switch", text)


def _nothing_else(reason: str) -> Finding:
    return Finding(Outcome.NOT_CHECKED, "all else", reason)


async def try_exchange(settings: SwitchSettings, program: Any, clock: Clock) -> list[Finding]:
    """Reads all ports once; a switch that another controller has stays with it. Raises TlsError."""
    target, wanted = target_of(settings.target, settings.enforcement), settings.register_path
    numbers = [port.index for port in settings.port]
    session = target.session(
        settings.grpc_addr, settings.device_id, Election(_ELECTION_ID), settings.tls
    )
    try:
        async with session:
            if session.role is not Role.PRIMARY:
                return [_found(Outcome.NOT_CHECKED, _OTHER)]
            begun_s = clock.now_s()
            access, read = await target.registers(session, program, numbers, wanted)
            took = format_duration(clock.now_s() - begun_s)
    except ExchangeTimeout as error:
        return [*_mailbox(program, wanted), _found(Outcome.DIFFERS, str(error))]
    except (RpcError, MissingObjects) as error:
        if isinstance(error, RpcError) and error.is_election_id_used:
            return [_found(Outcome.NOT_CHECKED, _OTHER)]
        return [_found(Outcome.DIFFERS, str(error))]
    if read.failures:
        return [_found(Outcome.DIFFERS, "; ".join(map(str, read.failures.values())))]
    answers = _found(
        Outcome.OK,
        f"{access.path} answers for all ports; the first exchange took {took}, began a new "
        "measurement of backlogs, and affected no packet",
    )
    return [*_mailbox(program, wanted, access.path), answers]


def _mailbox(program: Any, wanted: RegisterPath, path: str = "") -> list[Finding]:
    """What there is to say of a mailbox that another register path was taken for, or none."""
    if not has_silent_mailbox(program, wanted, path):
        return []
    return [Finding(Outcome.DIFFERS, "mailbox", f"it does not answer; {WHAT_TO_LOOK_AT}")]


def _found(outcome: Outcome, text: str) -> Finding:
    return Finding(outcome, "exchange", text)
