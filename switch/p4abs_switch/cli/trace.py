"""`p4abs trace`: what packets go through in a switch that runs."""

import click

from p4abs_switch.cli.connecting import connecting
from p4abs_switch.client import Connection
from p4abs_switch.command_line.options import INTEGER, IntegerRange, option
from p4abs_switch.command_line.units import UnitError, parse_size
from p4abs_switch.console.values import GREATEST_PORT, meant
from p4abs_switch.errors import UserError


@click.command(short_help="Show the path of packets through a running switch.")
@connecting
@option(
    "--port ports",
    "Show only packets that arrive at this port. Repeat for several ports.",
    type=INTEGER,
    multiple=True,
)
@option(
    "--field fields",
    "Show only packets in which this field had this value at any step.",
    "HEADER.FIELD=VALUE",
    multiple=True,
)
@option(
    "--dropped", "Show only packets that are dropped, or that have a dropped copy.", is_flag=True
)
@option("--json as_json", "Print one JSON object a line.", is_flag=True)
@option(
    "--packets-per-second",
    "Show at most this many packets a second.",
    type=IntegerRange(min=1),
    default=1000,
)
@option("--size", "End after this many bytes of output.", "SIZE", default="1GB")
def trace(
    connection: Connection,
    ports: tuple[int, ...],
    fields: tuple[str, ...],
    dropped: bool,
    as_json: bool,
    packets_per_second: int,
    size: str,
) -> int:
    """Show the path of packets through a running switch until interrupted.

    The path is parser, tables, assignments, checksums, queues and copies. Times are the same as in
    captures (--pcap). Packets that are not shown are not slowed down. If lines come faster than
    this command reads them, the switch leaves some out, and the command says how many.
    """
    try:
        size_bytes = round(parse_size(size))
    except UnitError as error:
        raise UserError(f"--size: {error}") from None
    for port in ports:
        if not 0 <= port <= GREATEST_PORT:
            raise UserError(f"--port {port}: must be 0 to {GREATEST_PORT}")
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
            },
            lambda: click.echo(
                f"tracing {_traced(ports, fields, dropped)}; Ctrl-C or {size} of output ends it",
                err=True,
            ),
        )
        for some in lines:
            click.echo(some, nl=False)
    return 0


def _traced(ports: tuple[int, ...], fields: tuple[str, ...], dropped: bool) -> str:
    """Which packets, in words."""
    words = ["dropped packets" if dropped else "packets"]
    words += [f"that arrive at port {' or '.join(map(str, ports))}"] if ports else []
    words += [f"in which {' and '.join(fields)}"] if fields else []
    return " ".join(words if len(words) > 1 or dropped else ["all", *words])


def _field(text: str) -> tuple[str, str]:
    """Its name and hexadecimal digits."""
    name, equals, value = text.partition("=")
    if not equals or "." not in name:
        raise UserError(f"--field {text}: must be HEADER.FIELD=VALUE, such as ipv4.ttl=64")
    number, _ = meant(value)
    if number is None or number < 0:
        raise UserError(
            f"--field {text}: {value!r} must be a number (decimal or 0x...), a MAC or an IP address"
        )
    return name.removeprefix("hdr."), f"{number:x}"
