"""Metrics at their address."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from p4abs.telemetry.http import Access, parse_access, serve
from p4abs.telemetry.http.server import Say

_OPTION = "--metrics"
_PATH = "/metrics"


def metrics_access(
    address: str | None,
    token: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> Access | None:
    """What the flags of `--metrics` say together; None: no metrics. Raises UserError."""
    return parse_access(_OPTION, 9105, address, token, certificate, key)


@contextmanager
def serve_metrics(access: Access, collector: Collector, say: Say) -> Iterator[str]:
    registry = CollectorRegistry()
    registry.register(collector)

    # It works in the server's only thread, so that many scrapers take no more of the machine at
    # a time than one.
    async def metrics(request: Request) -> Response:
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), media_type=media_type)

    application = Starlette(
        routes=[Route(_PATH, metrics)], middleware=[Middleware(GZipMiddleware, minimum_size=1000)]
    )
    with serve(application, access, _OPTION, "metrics", say) as url:
        yield f"{url.rstrip('/')}{_PATH}"
