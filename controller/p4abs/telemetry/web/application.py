"""The page's requests and answers, for any ASGI server."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from p4abs.telemetry.web.access import WebAccess
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.fleet_json import FleetJson
from p4abs.telemetry.web.port_json import port_json

Handler = Callable[[Request], Awaitable[Response]]

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_PAGE = tuple(
    f"{name}.js"
    for name in ("main", "fleet", "switch", "port", "charts", "texts", "elements", "questions")
)
# The chart library's own files, as its Python package brings them.
_CHARTS = ("uPlot.iife.js", "uPlot.min.css")
_HEADERS = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}


def application(
    board: Board,
    access: WebAccess,
    monotonic_s: Callable[[], float],
    trouble: Callable[[str], object],
) -> ASGIApp:
    """The page, its data, and who may have them. `trouble` gets why an answer failed."""
    fleet_json = FleetJson(board, monotonic_s)

    # Handlers work in the server's only thread, so that viewers wait for each other.

    async def fleet(request: Request) -> Response:
        return _json(fleet_json.get())

    async def port(request: Request) -> Response:
        try:
            asked = request.query_params
            since_s = float(asked.get("since", 0))
            since_s = since_s if isfinite(since_s) else 0.0
            return _json(port_json(board, asked["switch"], int(asked["port"]), since_s))
        except (KeyError, ValueError):
            return PlainTextResponse("no such port\n", 404)

    routes = [Route("/", _file("page.html")), Route("/fleet.json", fleet)]
    routes += [Route("/port.json", port)]
    routes += [Route(f"/{name}", _file(name)) for name in ("page.css", *_PAGE, *_CHARTS)]
    return _Guard(Starlette(routes=routes), access, trouble)


class _Guard:
    """Lets in who may, and tells browsers to load nothing from elsewhere."""

    def __init__(self, inner: ASGIApp, access: WebAccess, trouble: Callable[[str], object]) -> None:
        self._inner = inner
        self._access = access
        self._trouble = trouble

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS.items()]
            await send(message)

        if scope["type"] != "http":
            return
        answer = self._refusal(dict(scope["headers"])) or self._inner
        try:
            await answer(scope, receive, send_with_headers)
        except Exception as error:
            # Starlette has answered with status 500 by now.
            self._trouble(f"an answer failed ({type(error).__name__}: {error})")

    def _refusal(self, headers: Mapping[bytes, bytes]) -> Response | None:
        if not self._access.is_meant(headers.get(b"host", b"").decode("latin-1")):
            return PlainTextResponse("this page is at its address only\n", 421)
        if not self._access.admits(headers.get(b"authorization", b"").decode("latin-1")):
            challenge = {"WWW-Authenticate": 'Basic realm="p4abs: the token is the password"'}
            return PlainTextResponse("the token is missing or wrong\n", 401, challenge)
        return None


def _json(text: bytes) -> Response:
    return Response(text, media_type="application/json")


def _file(name: str) -> Handler:
    async def get(request: Request) -> Response:
        return Response(_read(name), media_type=_TYPES[Path(name).suffix])

    return get


@cache
def _read(name: str) -> bytes:
    if name in _CHARTS:
        return files("uplot.static").joinpath(name).read_bytes()
    return files("p4abs.telemetry.web").joinpath("page", name).read_bytes()
