"""The page's requests and answers, for any ASGI server."""

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from p4abs.errors import P4absError, UserError
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.fleet_json import FleetJson
from p4abs.telemetry.web.port_json import port_json
from p4abs.telemetry.web.releasing import MOST_BYTES, Asked, Releasing

Handler = Callable[[Request], Awaitable[Response]]

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_PAGE = tuple(
    f"{name}.js"
    for name in ("main", "fleet", "switch", "port", "charts", "texts", "elements", "questions")
)
# The chart library's own files, as its Python package brings them.
_CHARTS = ("uPlot.iife.js", "uPlot.min.css")


def application(
    board: Board, monotonic_s: Callable[[], float], releasing: Releasing | None = None
) -> ASGIApp:
    """The page and its data; `releasing` carries out what its viewers ask about ports."""
    fleet_json = FleetJson(board, monotonic_s)
    can_release = releasing is not None

    # Handlers work in the server's only thread, so that viewers wait for each other.

    async def fleet(request: Request) -> Response:
        return _json(fleet_json.get())

    async def port(request: Request) -> Response:
        try:
            asked = request.query_params
            since_s = float(asked.get("since", 0))
            since_s = since_s if isfinite(since_s) else 0.0
            told = port_json(board, asked["switch"], int(asked["port"]), since_s, can_release)
            return _json(told)
        except (KeyError, ValueError):
            return PlainTextResponse("no such port\n", 404)

    routes = [Route("/", _file("page.html")), Route("/fleet.json", fleet)]
    routes += [Route("/port.json", port)]
    if releasing is not None:
        routes += [Route("/release", _release(releasing), methods=["POST"])]
    routes += [Route(f"/{name}", _file(name)) for name in ("page.css", *_PAGE, *_CHARTS)]
    return Starlette(routes=routes)


def _release(releasing: Releasing) -> Handler:
    async def release(request: Request) -> Response:
        # A page from elsewhere cannot send this type without asking first.
        if request.headers.get("content-type") != "application/json":
            return _line("valid content type: application/json", 415)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                return _line(f"a request has at most {MOST_BYTES} bytes", 413)
        try:
            return _line(await releasing.carry_out(Asked.of(body)), 200)
        except UserError as refusal:
            return _line(str(refusal), 409)
        except P4absError as failure:
            return _line(str(failure), 504)

    return release


def _line(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)


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
