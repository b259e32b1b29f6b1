"""An ASGI server in a thread of its own."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from p4abs.telemetry.http.access import Access
from p4abs.telemetry.http.address import ListenAddress, unusable
from p4abs.telemetry.http.guard import Guard
from p4abs.telemetry.http.impatient import ImpatientLoop, ImpatientProtocol
from p4abs.telemetry.http.listener import Listener

Say = Callable[[str], object]

MOST_CONNECTIONS = 64
"""That are served at a time."""


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
                limit_concurrency=MOST_CONNECTIONS,
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
        """Says a trouble once, however often it is met."""
        if line != self._last_trouble:
            self._last_trouble = line
            self._say(line)
