"""`p4abs read`: counters, registers and digests in the shell."""

import itertools
import json
from contextlib import closing

import click
from finsy.proto import p4i

from p4abs_switch.cli.connecting import connecting
from p4abs_switch.client import Connection, ReadOnlyConnection
from p4abs_switch.command_line.options import INTEGER, IntegerRange, option
from p4abs_switch.console import reading
from p4abs_switch.console.digests import digests
from p4abs_switch.errors import UserError
from p4abs_switch.runtime.names import Names


class _Read(click.Command):
    """A negative index is refused as such, and not as an unknown option."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        given = [*arguments]
        try:
            return super().parse_args(context, arguments)
        except click.NoSuchOption as error:
            # click's name is the first digit alone
            for each in given:
                if each.startswith(error.option_name) and each[1:].isdecimal():
                    raise UserError(f"index {each}: must be 0 or more") from None
            raise


@click.command(cls=_Read)
@connecting
@option("--json as_json", "Print one JSON object a line.", is_flag=True)
@option("--nonzero", "Leave out cells and entries that hold only zeros.", is_flag=True)
@option("--count", "End after this many digests [never].", type=IntegerRange(min=1))
@click.argument("kind", type=click.Choice(["counter", "register", "digest"]))
@click.argument("name")
@click.argument("index", type=INTEGER, required=False)
def read(
    connection: Connection,
    as_json: bool,
    nonzero: bool,
    count: int | None,
    kind: str,
    name: str,
    index: int | None,
) -> int:
    """Show counters, registers and digests of a P4Runtime switch.

    Without INDEX it shows all cells, also those that hold 0; for a direct counter, all entries of
    its table. Digests are shown as they arrive. The switch sends them to its primary client only,
    so give an --election-id above that of other clients.
    """
    if kind == "digest":
        if index is not None:
            raise UserError("digests have no index; use --count N to end after N")
        if nonzero:
            raise UserError("--nonzero is for counters and registers only")
        _follow(connection, name, count)
        return 0
    if count is not None:
        raise UserError("--count is for digests only")
    for row in _rows(connection.read_only(), kind, name, index):
        if nonzero and not _has_value(row):
            continue
        click.echo(json.dumps(row) if as_json else _text(name, row))
    return 0


def _rows(
    connection: ReadOnlyConnection, kind: str, name: str, index: int | None
) -> list[reading.Row]:
    with connection:
        names = Names(_p4info(connection))
        rows = reading.counter if kind == "counter" else reading.register
        return rows(connection, names, name, index)


def _follow(connection: Connection, name: str, count: int | None) -> None:
    with connection:
        connection.become_primary("gets the digests")
        numbers = itertools.count(1)
        with closing(digests(connection, _p4info(connection), name)) as following:
            for digest in following:
                click.echo(json.dumps(digest))
                if next(numbers) == count:
                    break


def _p4info(connection: ReadOnlyConnection) -> p4i.P4Info:
    p4info = connection.installed_p4info()
    if p4info is None:
        raise UserError(f"{connection.address}: the switch runs no program")
    return p4info


def _has_value(row: reading.Row) -> bool:
    _, *values = row.values()
    return any(value not in (0, False) for value in values)


def _text(name: str, row: reading.Row) -> str:
    (_, cell), *values = row.items()
    told = ", ".join(str(value) if what == "value" else f"{value} {what}" for what, value in values)
    return f"{name}[{cell}]: {told}"
