"""Messages to whoever subscribes, over nanomsg: by nng, which speaks the same protocol."""

from pathlib import Path

_IPC = "ipc://"


class CannotPublish(Exception):
    """Nobody can subscribe at an address; the message is one line that says why."""


class Publisher:
    """A socket of nanomsg's PUB at an address such as `ipc:///tmp/name`. Raises CannotPublish."""

    def __init__(self, address: str) -> None:
        import pynng  # late, as most switches tell nobody

        folder = Path(address.removeprefix(_IPC)).parent
        if address.startswith(_IPC) and not folder.is_dir():
            raise CannotPublish(f"{address}: no folder {folder}")
        self._socket = pynng.Pub0()
        try:
            self._socket.listen(address)
        except (pynng.NNGException, ValueError) as error:
            self._socket.close()
            raise CannotPublish(f"{address}: {error}") from error

    def publish(self, message: bytes) -> None:
        """Sends a message to the subscribers that there are, and take it in time."""
        self._socket.send(message)

    def close(self) -> None:
        """Lets subscribers go."""
        self._socket.close()
