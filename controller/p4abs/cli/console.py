"""`p4abs cli`."""

import sys
from pathlib import Path

import click

from p4abs.access.connection import Connection
from p4abs.access.tls import TlsFiles
from p4abs.cli.exit_status import FAILURE
from p4abs.console import Session, Shell
from p4abs.errors import UserError

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
@click.argument("path", type=_PATH, required=False, metavar="[FILE]")
def cli(
    target: str,
    device_id: int,
    election_id: int,
    tls_ca: Path | None,
    tls_certificate: Path | None,
    tls_key: Path | None,
    path: Path | None,
) -> int:
    """Give a P4Runtime switch the commands of BMv2's simple_switch_CLI.

    From a file, a pipe or a prompt, where `help` lists them.
    """
    if (tls_certificate is None) != (tls_key is None) or (tls_key and not tls_ca):
        raise UserError("--tls-certificate and --tls-key go together, and need --tls-ca")
    tls = None if tls_ca is None else TlsFiles(tls_ca, tls_certificate, tls_key)
    lines = None if path is None else _lines(path)
    with Session(Connection(target, device_id, election_id, tls)) as session:
        shell = Shell(session)
        if lines is not None:
            shell.run(lines)
        elif sys.stdin.isatty():
            shell.cmdloop()
            return 0
        else:
            shell.run(sys.stdin)
        return FAILURE if shell.failures else 0


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: no text: {error.reason}") from None
