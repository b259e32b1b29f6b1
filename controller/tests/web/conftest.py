"""Invented switches behind a served page."""

import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import trustme
from p4abs.telemetry import Access, web_access
from p4abs.telemetry.web.application import serve_web

from controller.tests.web.invented import InventedFleet

PATIENCE_S = 60.0
START_S = 1_700_000_000.0
TOKEN = "0123456789abcdef"


@pytest.fixture
def fleet() -> InventedFleet:
    """Two switches of eight ports that have run for twenty seconds."""
    made = InventedFleet(2, 8, lambda: START_S + 20)
    made.run(START_S, 20)
    return made


@pytest.fixture
def anywhere() -> Access:
    """Any free port of this machine, without a token."""
    access = web_access("127.0.0.1:0", None, None, None)
    assert access is not None
    return access


@pytest.fixture
def served(fleet: InventedFleet, anywhere: Access) -> Iterator[str]:
    """The URL of the page of `fleet`, of which no trouble may be said."""
    with serve_web(anywhere, fleet.board, pytest.fail) as url:
        yield url


@pytest.fixture
def get() -> Callable[..., tuple[bytes, dict[str, str]]]:
    """Body and headers of an answer."""

    def fetch(
        url: str, context: ssl.SSLContext | None = None, **headers: str
    ) -> tuple[bytes, dict[str, str]]:
        request = Request(url, headers=headers)
        with urlopen(request, timeout=PATIENCE_S, context=context) as response:
            return response.read(), {key.lower(): value for key, value in response.headers.items()}

    return fetch


@pytest.fixture
def get_json(get: Callable[..., tuple[bytes, dict[str, str]]]) -> Callable[[str], Any]:
    """The value of a JSON answer."""
    return lambda url: json.loads(get(url)[0])


@pytest.fixture
def guarded(tmp_path: Path) -> Callable[[str], AbstractContextManager[Any]]:
    """Access with a token and TLS at an address, and the context that trusts its certificate."""

    @contextmanager
    def make(address: str) -> Iterator[tuple[Access, ssl.SSLContext]]:
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1")
        certificate, key, token = tmp_path / "me.pem", tmp_path / "me-key.pem", tmp_path / "token"
        issued.cert_chain_pems[0].write_to_path(str(certificate))
        issued.private_key_pem.write_to_path(str(key))
        token.write_text(TOKEN + "\n")
        context = ssl.create_default_context()
        authority.configure_trust(context)
        access = web_access(address, token, certificate, key)
        assert access is not None
        yield access, context

    return make
