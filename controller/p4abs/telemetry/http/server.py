"""An ASGI server in a thread of its own."""

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Any

import h11
import uvicorn
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from p4abs.telemetry.http.access import Access, ListenAddress, unusable
from p4abs.telemetry.http.impatient import ImpatientLoop, ImpatientProtocol

Say = Callable[[str], object]

MAX_CONNECTIONS = 64
"""That are served at a time."""

MAX_TAKEN = 128
"""The most file descriptors for viewers; sessions with switches need the others."""
_NO_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_PAUSE_S = 0.1
_HEADERS = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}


@contextmanager
def serve(application: ASGIApp, access: Access, option: str, title: str, say: Say) -> Iterator[str]:
    """Serves until the block ends; yields the URL. `say` gets what dies, in the server's thread.

    `option` and `title` are what users and messages call it. Raises P4absError when the address
    cannot be had.
    """
    listening = _listen(option, access.address)
    with listening:
        address = ListenAddress(access.address.host, listening.getsockname()[1])
        server = _Server(application, access, listening, lambda line: say(f"{title}: {line}"))
        thread = Thread(target=server.serve, name=title, daemon=True)
        thread.start()
        try:
            yield f"{access.scheme}://{address}/"
        finally:
            server.stop()
            thread.join()


def _listen(option: str, address: ListenAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return Listener(socket.create_server((address.host, address.port), family=family))
    except OSError as error:
        raise unusable(option, address, error) from None


class _Server:
    def __init__(
        self, application: ASGIApp, access: Access, listening: socket.socket, say: Say
    ) -> None:
        # It would write to the terminal of the live view.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
        self._say = say
        self._listening = listening
        self._last_trouble = ""
        self._server = uvicorn.Server(
            uvicorn.Config(
                Guard(application, access, self._trouble),
                ssl_certfile=access.certificate,
                ssl_keyfile=access.key,
                loop="asyncio",
                http=ImpatientProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=MAX_CONNECTIONS,
            )
        )

    def serve(self) -> None:
        """Serves until `stop`."""
        try:
            with asyncio.Runner(loop_factory=ImpatientLoop) as runner:
                runner.run(self._server.serve([self._listening]))
        except (Exception, SystemExit) as error:
            # Or clients would wait for an answer.
            self._listening.close()
            self._trouble(f"no longer served ({type(error).__name__}: {error}); control goes on")

    def stop(self) -> None:
        """Ends without waiting for clients."""
        self._server.should_exit = self._server.force_exit = True

    def _trouble(self, line: str) -> None:
        """Reports a problem once, however often it occurs."""
        if line != self._last_trouble:
            self._last_trouble = line
            self._say(line)


class Listener(socket.socket):
    """A listening socket that accepts a limited number of connections and closes the others at
    once.

    Nothing else counts connections whose TLS has not begun.
    """

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(fileno=listening.detach())
        self._taken: list[socket.socket] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """Accepts a connection. Raises BlockingIOError if none is waiting."""
        try:
            connection, address = super().accept()
        except OSError as error:
            if error.errno not in _NO_RESOURCES:
                raise
            # It is tried again at once.
            time.sleep(_PAUSE_S)
            raise BlockingIOError from None
        self._taken = [each for each in self._taken if each.fileno() >= 0]
        if len(self._taken) >= MAX_TAKEN:
            connection.close()
            raise BlockingIOError
        self._taken.append(connection)
        return connection, address


class Guard:
    """An application for those who have access. `trouble` gets why an answer failed."""

    def __init__(self, inner: ASGIApp, access: Access, trouble: Callable[[str], object]) -> None:
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
        except h11.LocalProtocolError:
            # The request was malformed, and has been answered with status 400 by now.
            pass
        except Exception as error:
            # Starlette has answered with status 500 by now.
            self._trouble(f"an answer failed ({type(error).__name__}: {error})")

    def _refusal(self, headers: Mapping[bytes, bytes]) -> Response | None:
        if not self._access.is_addressed(headers.get(b"host", b"").decode("latin-1")):
            return PlainTextResponse("this server answers only requests to its own address\n", 421)
        if not self._access.admits(headers.get(b"authorization", b"").decode("latin-1")):
            challenge = {"WWW-Authenticate": 'Basic realm="p4abs: the token is the password"'}
            return PlainTextResponse("the token is missing or wrong\n", 401, challenge)
        return None
