"""The page at its address."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from p4abs.errors import UserError
from p4abs.telemetry.http import Access, parse_access, serve
from p4abs.telemetry.http.server import Say
from p4abs.telemetry.web.application import application
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.releasing import Releasing

_OPTION = "--web"


def web_access(
    address: str | None,
    token: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> Access | None:
    """What the flags of `--web` say together; None: no page. Raises UserError."""
    return parse_access(_OPTION, 8080, address, token, certificate, key)


@contextmanager
def serve_web(
    access: Access, board: Board, say: Say, releasing: Releasing | None = None
) -> Iterator[str]:
    """See `serve`. Raises UserError when the package with the charts is missing, too.

    `releasing` carries out what viewers who have given the token ask about ports.
    """
    try:
        files("uplot.static")
    except ImportError as error:
        raise UserError(f"{_OPTION} needs a package: pip install 'p4abs[web]' ({error})") from None
    page = application(board, time.monotonic, None if access.token is None else releasing)
    with serve(page, access, _OPTION, "web page", say) as url:
        yield url
