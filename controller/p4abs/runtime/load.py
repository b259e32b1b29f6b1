"""Applies a runtime file to a switch."""

from collections.abc import Sequence
from pathlib import Path

from p4abs.access.connection import Connection
from p4abs.access.rpc_error import RpcError
from p4abs.errors import P4absError
from p4abs.runtime.runtime_file import PlacedUpdate, RuntimeFile

# Few enough that all their errors fit into the status that gRPC returns.
_UPDATES_PER_WRITE = 64
_WRITE_TIMEOUT_S = 30.0


class EntryRefused(P4absError):
    """The switch does not take an entry; those before it are in force."""


async def apply(connection: Connection, file: RuntimeFile, *, push: bool) -> None:
    """Pushes the program, unless told not to, and writes the entries.

    Raises RpcError, and EntryRefused for the first entry that the switch does not take.
    """
    if push:
        await connection.push(file.program)
    await write(connection, file.path, file.updates)


async def write(connection: Connection, path: Path, updates: Sequence[PlacedUpdate]) -> None:
    """Writes updates of a file in their order. Raises as apply() does."""
    for first in range(0, len(updates), _UPDATES_PER_WRITE):
        batch = updates[first : first + _UPDATES_PER_WRITE]
        try:
            await connection.write([placed.update for placed in batch], _WRITE_TIMEOUT_S)
        except RpcError as error:
            if error.position is None:
                raise
            place = batch[error.position].place
            raise EntryRefused(f"{path}: {place}: {error}") from None
