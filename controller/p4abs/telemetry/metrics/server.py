"""Metrics at their address."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from p4abs.telemetry.http.access import METRICS_OPTION, Access
from p4abs.telemetry.http.server import Say, serve

_PATH = "/metrics"


@contextmanager
def serve_metrics(access: Access, collector: Collector, say: Say) -> Iterator[str]:
    registry = CollectorRegistry()
    registry.register(collector)

    # It works in the server's only thread, so that many scrapers take no more of the machine at
    # a time than one.
    async def metrics(request: Request) -> Response:
        encode, media_type = _encoder(request.headers.get("accept", ""))
        return Response(encode(registry), media_type=media_type)

    application = Starlette(
        routes=[Route(_PATH, metrics)], middleware=[Middleware(GZipMiddleware, minimum_size=1000)]
    )
    with serve(application, access, METRICS_OPTION, "metrics", say) as url:
        yield f"{url.rstrip('/')}{_PATH}"


def _encoder(accept: str) -> tuple[Callable[[CollectorRegistry], bytes], str]:
    """That of the format that the client accepts; of plain text if the header is malformed."""
    try:
        return choose_encoder(accept)
    except (TypeError, ValueError):
        return choose_encoder("")
