"""`p4abs runtime`."""

import asyncio
from pathlib import Path

import click

from p4abs.access.connection import Connection, Role
from p4abs.access.election import how_to_outbid
from p4abs.cli.connecting import connecting
from p4abs.errors import P4absError, UserError
from p4abs.runtime import RuntimeFile, apply, read_runtime_file

_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@connecting
@click.option(
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="Where the file's p4info and bmv2_json are [the current directory].",
)
@click.option("--no-push", is_flag=True, help="Write entries only; the switch runs the program.")
@click.argument("path", type=_PATH, metavar="FILE.json")
def runtime(connection: Connection, directory: Path, no_push: bool, path: Path) -> int:
    """Apply a runtime file of the p4lang tutorials to a P4Runtime switch.

    The program is pushed, which clears the switch, and the file's table entries, multicast groups
    and clone sessions are written.
    """
    file = read_runtime_file(path, directory)
    if not no_push and not file.program.device_config:
        raise UserError(f'{path}: names no "bmv2_json" to push; --no-push writes entries only')
    asyncio.run(_apply(connection, file, push=not no_push))
    click.echo(f"{connection.address}: {len(file.updates)} entries of {path} written")
    return 0


async def _apply(connection: Connection, file: RuntimeFile, *, push: bool) -> None:
    async with connection:
        if connection.role is not Role.PRIMARY:
            raise P4absError(
                f"{connection.address}: election id {connection.primary_id} is primary; "
                f"{how_to_outbid(connection.primary_id or 0)}"
            )
        await apply(connection, file, push=push)
