"""Finds out which register path a switch offers."""

from p4abs.access.connection import ANSWER_TIMEOUT_S, Connection
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import Program
from p4abs.access.register_access import RegisterAccess
from p4abs.access.register_entry import RegisterEntryAccess, register_entity
from p4abs.access.rpc_error import RpcError


async def discover(connection: Connection, program: Program, port: int) -> RegisterAccess:
    """The switch's register path, tried by reading one register; changes nothing.

    Raises MissingObjects when the program lacks what the path needs, RpcError when the switch
    refuses the read for another reason than not implementing it.
    """
    register_id = program.register_ids()["admitted_bytes"]
    try:
        await connection.read([register_entity(register_id, port)], ANSWER_TIMEOUT_S)
    except RpcError as error:
        if not error.is_unimplemented:
            raise
        return MailboxAccess(connection, program)
    return RegisterEntryAccess(connection, program)
