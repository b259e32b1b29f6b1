"""HTTP connections with timeouts."""

import asyncio
import math

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S = 10.0


class ImpatientLoop(asyncio.SelectorEventLoop):
    """Ends a connection whose TLS has not begun within PATIENCE_S."""

    async def create_server(  # type: ignore[no-untyped-def]
        self, *arguments, ssl=None, **options
    ) -> asyncio.Server:
        if ssl is not None:
            options |= {"ssl": ssl, "ssl_handshake_timeout": PATIENCE_S}
        return await super().create_server(*arguments, **options)


class ImpatientProtocol(H11Protocol):
    """Ends a connection that has not sent a request and taken the answer within `patience_s`.

    Otherwise clients that send a header now and then could hold all connections for ever. The time
    begins anew with each answer. If all connections are taken, a new one replaces the one that has
    waited longest.
    """

    patience_s = PATIENCE_S
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Waits for another request."""
        self._end()
        self._begin()
        super().on_response_complete()

    def _make_room(self) -> None:
        if len(self.connections) < (self.limit_concurrency or math.inf):
            return
        others = [each for each in self.connections if isinstance(each, ImpatientProtocol)]
        silent = [each for each in others if each is not self and each.is_silent]
        if silent:
            longest = min(silent, key=lambda each: each.ends_s)
            self.connections.discard(longest)
            longest.transport.abort()

    @property
    def is_silent(self) -> bool:
        """Whether no request of this connection is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def ends_s(self) -> float:
        """When the connection times out, by the loop's clock."""
        return math.inf if self._deadline is None else self._deadline.when()

    def _begin(self) -> None:
        # An orderly end would wait for the other side to take the data under way.
        self._deadline = self.loop.call_later(self.patience_s, self.transport.abort)

    def _end(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
