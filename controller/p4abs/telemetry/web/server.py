"""The ASGI server of the page, in a thread of its own."""

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from p4abs.errors import UserError
from p4abs.telemetry.address import ListenAddress, unusable
from p4abs.telemetry.web.access import WebAccess
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.listener import Listener

Say = Callable[[str], object]

_MOST_CONNECTIONS = 64


@contextmanager
def serve_web(access: WebAccess, board: Board, say: Say) -> Iterator[str]:
    """Serves until the block ends; yields the URL. `say` gets what dies, in the server's thread.

    Raises UserError when the address cannot be had, or when the packages for it are missing.
    """
    listening = _listen(access.address)
    with listening:
        address = ListenAddress(access.address.host, listening.getsockname()[1])
        server = _Server(access, board, listening, say)
        thread = Thread(target=server.serve, name="web", daemon=True)
        thread.start()
        try:
            yield f"{access.scheme}://{address}/"
        finally:
            server.stop()
            thread.join()


def _listen(address: ListenAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return Listener(socket.create_server((address.host, address.port), family=family))
    except OSError as error:
        raise unusable("--web", address, error) from None


class _Server:
    def __init__(self, access: WebAccess, board: Board, listening: socket.socket, say: Say) -> None:
        try:
            import uvicorn

            from p4abs.telemetry.web.application import application
            from p4abs.telemetry.web.impatient import ImpatientLoop, ImpatientProtocol
        except ImportError as error:
            raise UserError(f"--web needs packages: pip install 'p4abs[web]' ({error})") from None
        # It would write to the terminal of the live view.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
        self._say = say
        self._listening = listening
        self._loop = ImpatientLoop
        self._last_trouble = ""
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(board, access, time.monotonic, self._trouble),
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
                limit_concurrency=_MOST_CONNECTIONS,
            )
        )

    def serve(self) -> None:
        """Serves until `stop`."""
        try:
            with asyncio.Runner(loop_factory=self._loop) as runner:
                runner.run(self._server.serve([self._listening]))
        except (Exception, SystemExit) as error:
            # Or browsers would wait for an answer.
            self._listening.close()
            self._trouble(f"no longer served ({type(error).__name__}: {error}); control goes on")

    def stop(self) -> None:
        """Ends without waiting for viewers."""
        self._server.should_exit = self._server.force_exit = True

    def _trouble(self, line: str) -> None:
        """Says a trouble once, however often it is met."""
        if line != self._last_trouble:
            self._last_trouble = line
            self._say(f"web page: {line}")
