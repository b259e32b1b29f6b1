"""The HTTP server of metrics, in a thread of its own."""

import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any, TextIO
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.registry import Collector

from p4abs.telemetry.address import ListenAddress, unusable

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

Say = Callable[[str], object]

_CLIENT_TIMEOUT_S = 1.0
_REQUEST_WITHIN_S = 2.0
_END_WITHIN_S = 0.1


@contextmanager
def serve_metrics(address: ListenAddress, collector: Collector, say: Say) -> Iterator[str]:
    """Serves until the block ends; yields the URL. `say` gets what dies, in the server's thread.

    Raises UserError when the address cannot be had.
    """
    try:
        server = _Server(address, collector, say)
    except OSError as error:
        raise unusable("--metrics", address, error) from None
    thread = Thread(target=server.serve, name="metrics", daemon=True)
    thread.start()
    try:
        yield f"http://{ListenAddress(address.host, server.server_port)}/metrics"
    finally:
        if thread.is_alive():
            server.shutdown()
        thread.join()
        server.server_close()


class _Server(WSGIServer):
    """Answers one request after the other: many scrapers take no more of the machine at a time."""

    def __init__(self, address: ListenAddress, collector: Collector, say: Say) -> None:
        self.address_family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        super().__init__((address.host, address.port), _Handler)
        registry = CollectorRegistry()
        registry.register(collector)
        self._metrics = make_wsgi_app(registry)
        self._say = say
        self._last_trouble = ""
        self.set_app(self._answer)

    def serve(self) -> None:
        """Serves until `shutdown`."""
        try:
            self.serve_forever(_END_WITHIN_S)
        except Exception as error:
            self._trouble(f"no longer served ({_named(error)}); control goes on")
            self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away or is silent is no trouble of ours."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            self._trouble(f"a request failed ({_named(error)})")

    def _answer(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        try:
            return self._metrics(environ, start_response)  # type: ignore[no-any-return]
        except Exception as error:
            self._trouble(f"a scrape failed ({_named(error)})")
            start_response("500 Internal Server Error", [])
            return [b""]

    def _trouble(self, line: str) -> None:
        """Says a trouble once, however often it is met."""
        if line != self._last_trouble:
            self._last_trouble = line
            self._say(f"metrics: {line}")


class _Handler(WSGIRequestHandler):
    timeout = _CLIENT_TIMEOUT_S

    def handle(self) -> None:
        """Answers. Who sends a request in drops is waited for no longer than who sends none."""
        self._deadline = Timer(_REQUEST_WITHIN_S, self._end)
        self._deadline.daemon = True
        self._deadline.start()
        try:
            super().handle()
        finally:
            self._deadline.cancel()

    def parse_request(self) -> bool:
        """The request is there."""
        is_request = super().parse_request()
        self._deadline.cancel()
        return is_request

    def _end(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""

    def get_stderr(self) -> TextIO:
        """Takes the traces of clients that go away."""
        return StringIO()


def _named(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}"
