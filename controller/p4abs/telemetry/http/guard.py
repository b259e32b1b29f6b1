"""Lets in who may, and tells browsers to load nothing from elsewhere."""

from collections.abc import Callable, Mapping

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from p4abs.telemetry.http.access import Access

_HEADERS = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}


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
        except Exception as error:
            # Starlette has answered with status 500 by now.
            self._trouble(f"an answer failed ({type(error).__name__}: {error})")

    def _refusal(self, headers: Mapping[bytes, bytes]) -> Response | None:
        if not self._access.is_meant(headers.get(b"host", b"").decode("latin-1")):
            return PlainTextResponse("this server answers at its own address only\n", 421)
        if not self._access.admits(headers.get(b"authorization", b"").decode("latin-1")):
            challenge = {"WWW-Authenticate": 'Basic realm="p4abs: the token is the password"'}
            return PlainTextResponse("the token is missing or wrong\n", 401, challenge)
        return None
