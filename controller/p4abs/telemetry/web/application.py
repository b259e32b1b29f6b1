"""The page's requests and answers, for any ASGI server."""

import json
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.errors import P4absError, UserError
from p4abs.policies import Binding
from p4abs.states import PortState
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.http.access import WEB_OPTION, Access
from p4abs.telemetry.http.server import Say, serve
from p4abs.telemetry.listing import listed
from p4abs.telemetry.unhurried import unhurried
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.fleet_json import FleetJson, port_key
from p4abs.telemetry.web.history import Point
from p4abs.telemetry.web.releasing import MAX_BYTES, Asked, Releasing

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

    # Handlers run in the server's only thread, so viewers wait for each other.

    async def fleet(request: Request) -> Response:
        return _json(fleet_json.get())

    async def port(request: Request) -> Response:
        try:
            asked = request.query_params
            since_s = float(asked.get("since", 0))
            since_s = since_s if isfinite(since_s) else 0.0
            told = port_json(board, asked["switch"], asked["port"], since_s, can_release)
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
        # Browsers let a foreign page send this type only after asking the server (CORS).
        if request.headers.get("content-type") != "application/json":
            return _line("valid content type: application/json", 415)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                return _line(f"a request has at most {MAX_BYTES} bytes", 413)
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


def port_json(
    board: Board, name: str, called: str, since_s: float, can_release: bool = False
) -> bytes:
    """A switch's port: its settings, how it stands, its points after `since_s`. Raises KeyError.

    It is called by the first of its words. `can_release`: this viewer may return it to its safe
    limit.
    """
    switch, records = board.switches[name]
    ports = {port.words[0]: port for port in switch.settings.port}
    port = ports[called]
    meter, history = switch.meters[port.index], records.history
    heading = {**_heading(switch, port, meter.last), "can_release": can_release}
    return "".join(_pieces(heading, history.since(meter.position, since_s))).encode()


def _pieces(heading: dict[str, Any], points: Iterator[Point]) -> Iterator[str]:
    yield json.dumps(heading)[:-1] + ', "points": ['
    for index, point in enumerate(unhurried(points)):
        yield ("" if index == 0 else ",") + _row(point)
    yield "]}"


def _row(point: Point) -> str:
    # Single precision has seven digits; nan is what is not known.
    values = ",".join(f"{value:.7g}" for value in point[1:])
    return f"[{point.time_s:.3f},{values.replace('nan', 'null')}]"


def _heading(switch: WatchedSwitch, port: PortSettings, sample: Sample | None) -> dict[str, Any]:
    meter = switch.meters[port.index]
    return {
        "switch": switch.name,
        "port": port_key(port),
        "name": port.name,
        "decided_limit_bytes": None if sample is None else sample.decided_limit_bytes,
        "control_state": str(switch.controller.releases.state(port)),
        "columns": Point._fields,
        "bindings": [binding.value for binding in Binding],
        "policy": port.policy,
        "capacity_bps": port.capacity,
        "utilization": port.utilization,
        "loss": port.loss,
        "max_delay_s": port.max_delay,
        "min_limit_bytes": port.min_limit,
        "ecn_marking": port.ecn_marking,
        "gains": {} if sample is None else dict(sample.gains),
        "state": switch.state(port.index),
        "states": [state.text for state in PortState],
        "notice": listed(port, switch).remark,
        "agreements": [
            {
                "name": terms.name,
                "terms": terms.text,
                "is_broken": standing.is_broken,
                "compliance": standing.compliance,
                "error_budget": standing.error_budget,
                "burn_rate": standing.burn_rate,
                "judged": standing.judged,
                "failed": standing.failed,
                "breaches": standing.breaches,
                "reason": standing.reason,
            }
            for terms, standing in meter.agreements.standings()
        ],
    }


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
        raise UserError(
            f"{WEB_OPTION} needs a package: pip install 'p4abs[web]' ({error})"
        ) from None
    page = application(board, time.monotonic, None if access.token is None else releasing)
    with serve(page, access, WEB_OPTION, "web page", say) as url:
        yield url
