"""`p4abs release`."""

import getpass
import json
import socket
import ssl
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

import click

from p4abs.cli.options import PATH
from p4abs.config import host_and_port
from p4abs.errors import P4absError, UserError, one_line
from p4abs.telemetry import read_token

# A switch may take some seconds to show the limit.
_PATIENCE_S = 30.0
_MAX_BYTES = 4096


@click.command()
@click.option(
    "--web",
    default="127.0.0.1:8080",
    show_default=True,
    metavar="HOST:PORT",
    help="Address of the controller's web page.",
)
@click.option(
    "--web-token",
    type=PATH,
    required=True,
    metavar="FILE",
    help="File with the web page's token, as given to `p4abs control`.",
)
@click.option(
    "--web-ca",
    type=PATH,
    metavar="FILE.pem",
    help="Connect with TLS. The file holds the CA that signed the web page's certificate.",
)
@click.option("--take-back", is_flag=True, help="Control a released port again.")
@click.argument("switch")
@click.argument("port")
def release(
    web: str, web_token: Path, web_ca: Path | None, take_back: bool, switch: str, port: str
) -> int:
    """Return a port to its safe limit and hold it there.

    SWITCH is the switch's name in the controller's configuration. PORT is the port's number or
    front-panel name; 2.7 is queue 7 of port 2. The controller writes the safe limit at once, and
    this command ends when the switch has confirmed it. With --take-back, control continues from
    that limit.
    """
    asked = {"switch": switch, "port": port, "take_back": take_back, "who": _user()}
    click.echo(_answer(web, web_ca, read_token("--web", web_token), asked))
    return 0


def _user() -> str:
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (OSError, KeyError):  # a user without a name
        return f"somebody@{socket.gethostname()}"


def _answer(web: str, ca: Path | None, token: str, asked: dict[str, object]) -> str:
    """The page's answer. Raises UserError for a refusal, P4absError where nobody answers."""
    try:
        address = host_and_port(web)
    except ValueError as error:
        raise UserError(f"--web: {web!r}: {error}") from None
    request = Request(
        f"{'http' if ca is None else 'https'}://{address}/release",
        json.dumps(asked).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    # A request to this controller must not go through a proxy.
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=_trusting(ca)))
    try:
        with opener.open(request, timeout=_PATIENCE_S) as response:
            return one_line(response.read(_MAX_BYTES).decode())
    except HTTPError as error:
        told = one_line(error.read(_MAX_BYTES).decode(errors="replace"))
        if error.code == 404:
            told = "ports cannot be released there; start p4abs control with --web and --web-token"
        raise (P4absError if error.code >= 500 else UserError)(f"{web}: {told}") from None
    except URLError as error:
        raise P4absError(f"{web}: {_reason(error.reason)}") from None
    except (OSError, HTTPException, UnicodeDecodeError) as error:
        raise P4absError(f"{web}: {_reason(error)}") from None


def _trusting(ca: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise UserError(f"--web-ca: {ca}: not a certificate in PEM") from None
    except OSError as error:
        raise UserError(f"--web-ca: {ca}: {error.strerror}") from None


def _reason(error: object) -> str:
    if isinstance(error, ConnectionRefusedError):
        return (
            "nothing listens there; is `p4abs control --web` running? "
            "If its page has another address, give --web HOST:PORT"
        )
    if isinstance(error, ssl.SSLError):
        return f"TLS: {one_line(error.reason or str(error))}"
    if isinstance(error, ConnectionError | HTTPException):
        return "no page answers there; is this the address of `p4abs control --web`?"
    if isinstance(error, TimeoutError):
        return f"no answer for {_PATIENCE_S:g} s"
    return one_line(str(error)) or type(error).__name__
