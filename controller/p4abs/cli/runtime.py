"""`p4abs runtime`."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from p4abs.access.connection import Connection, Role
from p4abs.access.election import how_to_outbid
from p4abs.cli.connecting import connecting
from p4abs.cli.options import PATH
from p4abs.errors import P4absError, UserError, one_line
from p4abs.runtime import (
    Changes,
    EntriesRefused,
    EntryRefused,
    RuntimeFile,
    RuntimeFileError,
    apply,
    read_runtime_file,
    replace,
)

_MAX_ERRORS = 100
_Result = TypeVar("_Result")


@click.command(short_help="Write the table entries of a file to a switch.")
@connecting
@click.option(
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="Folder in which the p4info and bmv2_json of the file are [the current directory].",
)
@click.option(
    "--no-push", is_flag=True, help="Write entries only; the switch must run the program already."
)
@click.option(
    "--replace",
    "replaces",
    is_flag=True,
    help="Change only what differs from the file on a running switch.",
)
@click.argument("path", type=PATH, metavar="FILE.json")
def runtime(
    connection: Connection, directory: Path, no_push: bool, replaces: bool, path: Path
) -> int:
    """Apply a runtime file of the p4lang tutorials to a P4Runtime switch.

    Pushes the program, which clears the switch. Then writes the file's table entries, multicast
    groups and clone sessions. With --replace it pushes the program only if the switch runs a
    different program. It then changes entries that differ from the file, and deletes entries that
    the file lacks. It reports all errors of the file before it writes anything.
    """
    file = _read(path, directory)
    if not no_push and not file.program.device_config:
        raise UserError(f'{path}: names no "bmv2_json" to push; --no-push writes entries only')
    push = not no_push
    if replaces:
        changes = asyncio.run(_as_primary(connection, lambda: replace(connection, file, push=push)))
        done = _told(changes, path)
    else:
        try:
            asyncio.run(_as_primary(connection, lambda: apply(connection, file, push=push)))
        except EntryRefused as error:
            hint = "; --replace writes only what differs" if "ALREADY_EXISTS" in str(error) else ""
            raise EntryRefused(f"{error}{hint}") from None
        done = f"{path}: {len(file.updates)} inserted"
    click.echo(f"{connection.address}: {done}")
    return 0


def _read(path: Path, directory: Path) -> RuntimeFile:
    """Raises RuntimeFileError; if there are several errors, prints a line for each."""
    try:
        return read_runtime_file(path, directory)
    except EntriesRefused as error:
        if len(error.reasons) == 1:
            raise
        for reason in error.reasons[:_MAX_ERRORS]:
            click.echo(one_line(reason), err=True)
        raise RuntimeFileError(f"{path}: {len(error.reasons)} errors, nothing written") from None


def _told(changes: Changes, path: Path) -> str:
    pushed = "program pushed, " if changes.is_pushed else ""
    return (
        f"{path}: {pushed}{changes.inserted} inserted, {changes.changed} changed, "
        f"{changes.deleted} deleted, {changes.kept} kept"
    )


async def _as_primary(connection: Connection, work: Callable[[], Awaitable[_Result]]) -> _Result:
    async with connection:
        if connection.role is not Role.PRIMARY:
            raise P4absError(
                f"{connection.address}: another controller is primary with election id "
                f"{connection.primary_id}; stop it, or "
                f"{how_to_outbid(connection.primary_id or 0)}"
            )
        return await work()
