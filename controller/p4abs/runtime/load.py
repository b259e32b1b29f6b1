"""Applies a runtime file to a switch."""

from collections.abc import Sequence
from pathlib import Path

from finsy.proto import p4i

from p4abs.access.connection import Connection
from p4abs.access.rpc_error import RpcError
from p4abs.errors import P4absError, UserError
from p4abs.runtime.runtime_file import PlacedUpdate, RuntimeFile

# Few enough that all their errors fit into the status that gRPC returns.
_UPDATES_PER_WRITE = 64
# Of which none is in force if one is refused, where the switch can do that.
_UPDATES_TOGETHER = 4096
_WRITE_TIMEOUT_S = 30.0
_PUSH_IT = "leave out --no-push to push the file's"


class EntryRefused(P4absError):
    """The switch does not take an entry. Where it can do all or nothing, no entry of the file is in
    force; elsewhere those before it are, and some behind it may be."""


class OtherProgram(UserError):
    """The switch does not run the file's program."""


async def apply(
    connection: Connection, file: RuntimeFile, *, push: bool, together: bool = True
) -> None:
    """Pushes the program, unless told not to, and writes the entries: all or nothing, where the
    switch can do that, or each that it takes.

    Raises RpcError, OtherProgram, and EntryRefused for the first entry that the switch does not
    take.
    """
    if push:
        await connection.push(file.program)
    else:
        await check_program(connection, file)
    await write(connection, file.path, file.updates, together=together)


async def check_program(
    connection: Connection, file: RuntimeFile, what_to_do: str = _PUSH_IT
) -> None:
    """Raises OtherProgram if the switch's program lacks a table that the file fills."""
    installed, _ = await connection.installed_p4info()
    if installed is None:
        raise OtherProgram(f"{file.path}: the switch runs no program; {what_to_do}")
    if table := missing_table(installed, file):
        raise OtherProgram(
            f"{file.path}: the switch runs another program, without the table {table}; {what_to_do}"
        )


def missing_table(installed: p4i.P4Info, file: RuntimeFile) -> str:
    """The name of a table that the file fills and the program lacks; empty: there is none."""
    present = {table.preamble.id for table in installed.tables}
    filled = {placed.update.entity.table_entry.table_id for placed in file.updates}
    for table in file.program.p4info.tables:
        if table.preamble.id in filled - present:
            return table.preamble.name
    return ""


async def write(
    connection: Connection, path: Path, updates: Sequence[PlacedUpdate], *, together: bool = True
) -> None:
    """Writes updates of a file in their order. Raises as apply() does."""
    first = 0
    while first < len(updates):
        most = _UPDATES_TOGETHER if together else _UPDATES_PER_WRITE
        batch = updates[first : first + most]
        try:
            await connection.write(
                [placed.update for placed in batch], _WRITE_TIMEOUT_S, together=together
            )
        except RpcError as error:
            if error.position is not None:
                place = batch[error.position].place
                raise EntryRefused(f"{path}: {place}: {error}") from None
            if not (together and error.is_unimplemented):
                raise
            together = False
        else:
            first += len(batch)
