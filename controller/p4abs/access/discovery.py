"""Finds out which register path a switch offers."""

from enum import StrEnum

from p4abs.access.connection import Connection
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import MissingObjects, Program
from p4abs.access.reading import ANSWER_TIMEOUT_S
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess
from p4abs.access.register_entry import RegisterEntryAccess
from p4abs.access.register_reader import register_entity
from p4abs.access.rpc_error import RpcError


class RegisterPath(StrEnum):
    """Which register path to take."""

    AUTO = "auto"
    MAILBOX = "mailbox"
    REGISTER_ENTRY = "register-entry"


async def discover(
    connection: Connection,
    program: Program,
    port: int,
    wanted: RegisterPath = RegisterPath.AUTO,
) -> RegisterAccess:
    """The switch's register path, tried by reading; changes nothing.

    AUTO prefers the mailbox: one message each way writes the limit and brings a snapshot of one
    instant with the data plane's time, where RegisterEntry takes two calls. RegisterEntry serves
    where the program has no mailbox or the switch passes no packets to its controller. Raises
    MissingObjects when the program lacks what the path needs, ExchangeTimeout when the mailbox
    stays silent and nothing else is left, RpcError when the switch refuses a read.
    """
    if wanted is RegisterPath.REGISTER_ENTRY:
        return await _register_entry(connection, program, port)
    try:
        return await _mailbox(connection, program, port)
    except (ExchangeTimeout, MissingObjects) as no_mailbox:
        if wanted is RegisterPath.MAILBOX:
            raise
        try:
            return await _register_entry(connection, program, port)
        except RpcError as error:
            if error.is_unimplemented:
                raise no_mailbox from error
            raise


async def _mailbox(connection: Connection, program: Program, port: int) -> RegisterAccess:
    access = MailboxAccess(connection, program)
    (await access.exchange([port], {})).of(port)
    return access


async def _register_entry(connection: Connection, program: Program, port: int) -> RegisterAccess:
    register_id = program.register_ids()["admitted_bytes"]
    await connection.read([register_entity(register_id, port)], ANSWER_TIMEOUT_S)
    return RegisterEntryAccess(connection, program)
