"""A TCP relay in front of a switch, whose connections can be cut or fall silent."""

import asyncio
from typing import Self


class Proxy:
    """Listens on any free port of an address of this machine, at `address`."""

    def __init__(self, target: str, listening_host: str = "127.0.0.1") -> None:
        self._listening_host = listening_host
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._flows = asyncio.Event()
        self._flows.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._relay, self._listening_host, 0)
        host, port = self._server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """Ends all connections and lets none through."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def silence(self) -> None:
        """Keeps what is sent from now on until it is mended; nobody is told."""
        self._flows.clear()

    def mend(self) -> None:
        """Lets connections through again."""
        self._is_cut = False
        self._flows.set()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        inner_reader, inner_writer = await asyncio.open_connection(self._host, self._port)
        self._writers |= {writer, inner_writer}
        await asyncio.gather(self._copy(reader, inner_writer), self._copy(inner_reader, writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
