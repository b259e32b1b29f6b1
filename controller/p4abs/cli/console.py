"""`p4abs cli` and `p4abs read`: a switch from the shell."""

import asyncio
import itertools
import json
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import click
from finsy.proto import p4i

from p4abs.access.connection import Connection, Role
from p4abs.access.election import how_to_outbid
from p4abs.access.reading import ReadOnlyConnection
from p4abs.cli.connecting import connecting
from p4abs.cli.exit_status import FAILURE
from p4abs.console import Session, Shell, reading
from p4abs.console.digests import digests
from p4abs.console.names import Names
from p4abs.errors import P4absError, UserError
from p4abs.files import read_text

_LONGEST_LINE = 2**20
_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@connecting
@click.argument("path", type=_PATH, required=False, metavar="[FILE]")
def cli(connection: Connection, path: Path | None) -> int:
    """Give a P4Runtime switch the commands of BMv2's simple_switch_CLI.

    From a file, a pipe or a prompt, where `help` lists them.
    """
    lines = None if path is None else _lines(path)
    with Session(connection) as session:
        return FAILURE if converse(Shell(session), lines) else 0


@click.command()
@connecting
@click.option("--json", "as_json", is_flag=True, help="A JSON object per line.")
@click.option(
    "--count", type=click.IntRange(min=1), help="End after so many digests [when interrupted]."
)
@click.argument("kind", type=click.Choice(["counter", "register", "digest"]))
@click.argument("name")
@click.argument("index", type=int, required=False)
def read(
    connection: Connection,
    as_json: bool,
    count: int | None,
    kind: str,
    name: str,
    index: int | None,
) -> int:
    """Show what counters and registers of a P4Runtime switch hold, and digests as they come.

    One cell, or all; of a direct counter all entries of its table. Reading needs no election id.
    Digests are told to primary controllers: for these --election-id must be the highest.
    """
    if kind == "digest":
        if index is not None:
            raise UserError("digests have no index; --count ends after so many")
        asyncio.run(_follow(connection, name, count))
        return 0
    if count is not None:
        raise UserError("--count is for digests")
    for row in asyncio.run(_rows(connection.read_only(), kind, name, index)):
        click.echo(json.dumps(row) if as_json else _text(name, row))
    return 0


async def _rows(
    connection: ReadOnlyConnection, kind: str, name: str, index: int | None
) -> list[reading.Row]:
    async with connection:
        names = Names(await _p4info(connection))
        rows = reading.counter if kind == "counter" else reading.register
        return await rows(connection, names, name, index)


async def _follow(connection: Connection, name: str, count: int | None) -> None:
    async with connection:
        if connection.role is not Role.PRIMARY:
            raise P4absError(
                f"{connection.address}: election id {connection.primary_id} is primary, and "
                f"digests are told to it; {how_to_outbid(connection.primary_id or 0)}"
            )
        numbers = itertools.count(1)
        async with aclosing(digests(connection, await _p4info(connection), name)) as following:
            async for digest in following:
                click.echo(json.dumps(digest))
                if next(numbers) == count:
                    break


async def _p4info(connection: ReadOnlyConnection) -> p4i.P4Info:
    p4info, _ = await connection.installed_p4info()
    if p4info is None:
        raise UserError(f"{connection.address}: the switch runs no program")
    return p4info


def _text(name: str, row: reading.Row) -> str:
    (_, cell), *values = row.items()
    told = ", ".join(str(value) if what == "value" else f"{value} {what}" for what, value in values)
    return f"{name}[{cell}]: {told}"


def converse(shell: Shell, lines: list[str] | None = None) -> int:
    """Takes commands from lines or else from standard input, which may be a terminal with a prompt.

    Returns how many failed that nobody has seen fail.
    """
    if lines is None and sys.stdin.isatty():
        shell.cmdloop()
        return 0
    shell.run(_piped() if lines is None else lines)
    return shell.failures


def _piped() -> Iterator[str]:
    try:
        while line := sys.stdin.readline(_LONGEST_LINE):
            if len(line) == _LONGEST_LINE:
                raise UserError(f"standard input: a line of {_LONGEST_LINE} characters, or more")
            yield line
    except UnicodeDecodeError as error:
        raise UserError(f"standard input: no text: {error.reason}") from None


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).splitlines()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: no text: {error.reason}") from None
