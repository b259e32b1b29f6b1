"""`p4abs trace`: what packets go through in a switch that runs."""

import click

from p4abs_switch.cli.connecting import connecting
from p4abs_switch.client import Connection
from p4abs_switch.command_line.units import UnitError, parse_size
from p4abs_switch.console.trace_fields import hexadecimal
from p4abs_switch.errors import UserError

_GREATEST_PORT = 510


@click.command()
@connecting
@click.option(
    "--port", "ports", type=int, multiple=True, help="Packets that arrive at this port only."
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="HEADER.FIELD=VALUE",
    help="Only packets in which the field had this value, when it was extracted or assigned to.",
)
@click.option("--dropped", is_flag=True, help="Only packets that are dropped, or copies of which.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object per line.")
@click.option(
    "--packets-per-second",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Leave out packets that come faster: the others run at full speed.",
)
@click.option(
    "--size", default="1GB", show_default=True, metavar="SIZE", help="End after so many bytes."
)
def trace(
    connection: Connection,
    ports: tuple[int, ...],
    fields: tuple[str, ...],
    dropped: bool,
    as_json: bool,
    packets_per_second: int,
    size: str,
) -> int:
    """Show what packets go through in a switch that runs, from now on, until interrupted.

    Parser, tables, assignments, checksums, queues, copies; times are those of captures. Nothing
    changes for packets that are not shown, and nothing is shown of them when you look away: a
    reader that is too slow misses lines, and is told how many.
    """
    try:
        size_bytes = round(parse_size(size))
    except UnitError as error:
        raise UserError(f"--size: {error}") from None
    for port in ports:
        if not 0 <= port <= _GREATEST_PORT:
            raise UserError(f"--port {port}: valid are 0 to {_GREATEST_PORT}")
    wanted = [{"field": name, "value": value} for name, value in map(_field, fields)]
    with connection.read_only() as reading:
        lines = reading.trace(
            {
                "ports": [{"port": port} for port in ports],
                "fields": wanted,
                "dropped_only": dropped,
                "json": as_json,
                "packets_per_second": packets_per_second,
                "bytes": size_bytes,
            }
        )
        for some in lines:
            click.echo(some, nl=False)
    return 0


def _field(text: str) -> tuple[str, str]:
    """Its name and hexadecimal digits."""
    name, equals, value = text.partition("=")
    if not equals or "." not in name:
        raise UserError(f"--field {text}: must be HEADER.FIELD=VALUE, such as ipv4.ttl=64")
    digits = hexadecimal(value)
    if digits is None:
        raise UserError(
            f"--field {text}: {value!r} is no number (decimal or 0x...), MAC or IP address"
        )
    return name.removeprefix("hdr."), digits
