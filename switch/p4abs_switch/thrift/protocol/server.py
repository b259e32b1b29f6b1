"""Connections of clients, each answered one call after the other."""

import asyncio
import logging
import socket
from contextlib import suppress

from p4abs_switch.thrift.protocol.service import Services
from p4abs_switch.thrift.protocol.wire import MessageKind, ProtocolError, Reader

_LOG = logging.getLogger(__name__)


class Server:
    """Serves clients that come to a socket's address. Works in the running event loop."""

    def __init__(self, bound: socket.socket, services: Services) -> None:
        self._bound = bound
        self._services = services
        self._clients: set[asyncio.Task[None]] = set()

    async def listen(self) -> asyncio.Server:
        """Clients can connect from now on. Raises OSError."""
        return await asyncio.start_server(self._serve, sock=self._bound)

    def close(self) -> None:
        """Lets go of the address."""
        self._bound.close()

    async def run(self, listening: asyncio.Server) -> None:
        """Serves until it is cancelled; then all connections are closed."""
        try:
            await listening.serve_forever()
        finally:
            for client in self._clients:
                client.cancel()
            await asyncio.gather(*self._clients, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.current_task()
        assert client is not None
        self._clients.add(client)
        try:
            await self._converse(reader, writer)
        except ProtocolError as error:
            _LOG.warning("a client of Thrift is cut off: %s", error)
        except (OSError, EOFError):
            pass  # it has gone
        except asyncio.CancelledError:
            pass  # the switch ends; asyncio would log what its own callback raises
        finally:
            self._clients.discard(client)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        messages = Reader(reader.read)
        while True:
            name, kind, number, content = await messages.message()
            if kind not in (MessageKind.CALL, MessageKind.ONEWAY):
                raise ProtocolError(f"a message of kind {kind.name}; valid: CALL")
            reply = await self._services.answer(name, number, content)
            if kind is MessageKind.CALL:
                writer.write(reply)
                await writer.drain()
            if messages.is_ahead:  # others get their turn
                await asyncio.sleep(0)
