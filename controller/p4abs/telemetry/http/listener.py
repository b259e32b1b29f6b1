"""How many connections there are at a time."""

import errno
import socket
import time
from typing import Any

MOST_TAKEN = 128
"""File descriptors of viewers, beside which the sessions with switches need theirs."""

_NO_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_PAUSE_S = 0.1


class Listener(socket.socket):
    """A listening socket that takes up so many connections, and closes those beyond unheard.

    Nobody else counts those whose TLS has not begun.
    """

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(fileno=listening.detach())
        self._taken: list[socket.socket] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """The next one. Raises BlockingIOError where there is none to be taken now."""
        try:
            connection, address = super().accept()
        except OSError as error:
            if error.errno not in _NO_RESOURCES:
                raise
            # It is tried again at once.
            time.sleep(_PAUSE_S)
            raise BlockingIOError from None
        self._taken = [each for each in self._taken if each.fileno() >= 0]
        if len(self._taken) >= MOST_TAKEN:
            connection.close()
            raise BlockingIOError
        self._taken.append(connection)
        return connection, address
