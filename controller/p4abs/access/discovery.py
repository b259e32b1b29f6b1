"""Finds out which register path a switch offers."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from p4abs.access.connection import Connection
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import MissingObjects, Program
from p4abs.access.reading import ANSWER_TIMEOUT_S
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess, Snapshots
from p4abs.access.register_cells import register_entity
from p4abs.access.register_entry import RegisterEntryAccess
from p4abs.access.rpc_error import RpcError


class RegisterPath(StrEnum):
    """Which register path to take."""

    AUTO = "auto"
    MAILBOX = "mailbox"
    REGISTER_ENTRY = "register-entry"


class Discovered(NamedTuple):
    """How the registers are reached, and what was read to try it."""

    access: RegisterAccess
    snapshots: Snapshots


async def discover(
    connection: Connection,
    program: Program,
    ports: Sequence[int],
    wanted: RegisterPath = RegisterPath.AUTO,
) -> Discovered:
    """The switch's register path, tried by reading all of the ports; changes nothing.

    AUTO prefers the mailbox: one message each way writes the limit and brings a snapshot of one
    instant with the data plane's time, where RegisterEntry takes two calls. RegisterEntry serves
    where the program has no mailbox or the switch passes no packets to its controller. Raises
    MissingObjects when the program lacks what the path needs, ExchangeTimeout when the mailbox is
    silent and no other path is left, RpcError when the switch refuses a read.
    """
    if wanted is RegisterPath.REGISTER_ENTRY:
        return await _register_entry(connection, program, ports)
    try:
        return await tried(MailboxAccess(connection, program), ports)
    except (ExchangeTimeout, MissingObjects) as no_mailbox:
        if wanted is RegisterPath.MAILBOX:
            raise
        try:
            return await _register_entry(connection, program, ports)
        except RpcError as error:
            if error.is_unimplemented:
                raise no_mailbox from error
            raise


async def tried(access: RegisterAccess, ports: Sequence[int]) -> Discovered:
    """What one exchange brings. Raises a port's failure if it brings nothing."""
    snapshots = await access.exchange(ports, {})
    if not snapshots.taken:
        raise next(iter(snapshots.failures.values()))
    return Discovered(access, snapshots)


async def _register_entry(
    connection: Connection, program: Program, ports: Sequence[int]
) -> Discovered:
    first = register_entity(program.register_ids()["admitted_bytes"], ports[0])
    # Nothing is known yet about this port, but it is known that the switch serves registers.
    _, failures = await connection.read_partly(connection.read_request([first]), ANSWER_TIMEOUT_S)
    for failure in failures.values():
        if failure.is_unimplemented:
            raise failure
    return await tried(RegisterEntryAccess(connection, program), ports)
