"""`p4abs runtime`."""

import asyncio
from pathlib import Path

import click

from p4abs.access.connection import Connection, Role
from p4abs.access.tls import TlsFiles
from p4abs.errors import P4absError, UserError
from p4abs.runtime import RuntimeFile, apply, read_runtime_file

_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option(
    "--target",
    default="127.0.0.1:9559",
    show_default=True,
    metavar="HOST:PORT",
    help="The switch's P4Runtime server.",
)
@click.option("--device-id", default=1, show_default=True, help="The switch's device id.")
@click.option("--election-id", default=1, show_default=True, help="The highest one may write.")
@click.option("--tls-ca", type=_PATH, metavar="FILE.pem", help="Connect with TLS: the switch's CA.")
@click.option("--tls-certificate", type=_PATH, metavar="FILE.pem", help="The client's certificate.")
@click.option("--tls-key", type=_PATH, metavar="FILE.pem", help="The certificate's private key.")
@click.option(
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="Where the file's p4info and bmv2_json are [the current directory].",
)
@click.option("--no-push", is_flag=True, help="Write entries only; the switch runs the program.")
@click.argument("path", type=_PATH, metavar="FILE.json")
def runtime(
    target: str,
    device_id: int,
    election_id: int,
    tls_ca: Path | None,
    tls_certificate: Path | None,
    tls_key: Path | None,
    directory: Path,
    no_push: bool,
    path: Path,
) -> int:
    """Apply a runtime file of the p4lang tutorials to a P4Runtime switch.

    The program is pushed, which clears the switch, and the file's table entries, multicast groups
    and clone sessions are written.
    """
    if (tls_certificate is None) != (tls_key is None) or (tls_key and not tls_ca):
        raise UserError("--tls-certificate and --tls-key go together, and need --tls-ca")
    tls = None if tls_ca is None else TlsFiles(tls_ca, tls_certificate, tls_key)
    file = read_runtime_file(path, directory)
    if not no_push and not file.program.device_config:
        raise UserError(f'{path}: names no "bmv2_json" to push; --no-push writes entries only')
    connection = Connection(target, device_id, election_id, tls)
    asyncio.run(_apply(connection, file, push=not no_push))
    click.echo(f"{target}: {len(file.updates)} entries of {path} written")
    return 0


async def _apply(connection: Connection, file: RuntimeFile, *, push: bool) -> None:
    async with connection:
        if connection.role is not Role.PRIMARY:
            raise P4absError(
                f"{connection.address}: election id {connection.primary_id} is primary;"
                " --election-id must be higher"
            )
        await apply(connection, file, push=push)
