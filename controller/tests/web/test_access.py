"""Who may see the page."""

import os
from base64 import b64encode
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from p4abs.errors import UserError
from p4abs.telemetry import Access, web_access
from p4abs.telemetry.web.application import serve_web

from controller.tests.web.conftest import TOKEN


@pytest.mark.parametrize("address", ["0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080"])
def test_other_machines_need_a_token_and_tls(address, guarded) -> None:
    with guarded(address) as (access, _):
        assert access.scheme == "https"
        token, tls = access.certificate.parent / "token", (access.certificate, access.key)
        for given in ((None, None, None), (token, None, None), (None, *tls)):
            with pytest.raises(UserError, match="can reach this address; give --web-token"):
                web_access(address, *given)


def test_certificate_and_key_go_together(guarded) -> None:
    with guarded("127.0.0.1:0") as (access, _):
        for given in ((access.certificate, None), (None, access.key)):
            with pytest.raises(UserError, match="--web-certificate and --web-key go together"):
                web_access("127.0.0.1:0", None, *given)


def test_flags_that_need_a_page_are_refused_without_one(tmp_path) -> None:
    assert web_access(None, None, None, None) is None
    with pytest.raises(UserError, match="need --web"):
        web_access(None, tmp_path / "token", None, None)


@pytest.mark.parametrize("text", ["", "short", "sixteen letters\nin two lines", "é" * 20])
def test_a_token_that_can_be_guessed_or_mistaken_is_refused(tmp_path, text) -> None:
    path = tmp_path / "token"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="must hold one line of at least 16 ASCII") as refused:
        web_access("127.0.0.1:0", path, None, None)
    assert "\n" not in str(refused.value)


def test_files_that_cannot_be_used_are_named_in_one_line(tmp_path, guarded) -> None:
    with pytest.raises(UserError, match=r"--web-token: .*nowhere.*No such file"):
        web_access("127.0.0.1:0", tmp_path / "nowhere", None, None)
    with guarded("127.0.0.1:0") as (access, _):
        with pytest.raises(UserError, match=r"--web-key: .*nowhere: No such file"):
            web_access("127.0.0.1:0", None, tmp_path / "nowhere", access.key)
        with pytest.raises(UserError, match=r"--web-key: .* not a certificate") as refused:
            web_access("127.0.0.1:0", None, access.key, access.key)
        assert "\n" not in str(refused.value)


@pytest.fixture
def typed_passphrase() -> Iterator[bytes]:
    """A passphrase that waits at standard input, where OpenSSL would ask for it."""
    passphrase = b"open sesame"
    keyboard, typing = os.pipe()
    os.write(typing, passphrase + b"\n")
    os.close(typing)
    stdin = os.dup(0)
    os.dup2(keyboard, 0)
    yield passphrase
    os.dup2(stdin, 0)
    for file in (keyboard, stdin):
        os.close(file)


def test_a_key_with_a_passphrase_is_refused_and_nobody_is_asked(
    tmp_path, guarded, typed_passphrase
) -> None:
    with guarded("127.0.0.1:0") as (access, _):
        key = load_pem_private_key(access.key.read_bytes(), None)
        locked = tmp_path / "locked.pem"
        locked.write_bytes(
            key.private_bytes(
                Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(typed_passphrase)
            )
        )
        with pytest.raises(UserError, match=r"locked\.pem: .* without a passphrase"):
            web_access("127.0.0.1:0", None, access.certificate, locked)


def basic(password: str, user: str = "anybody") -> str:
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


def test_the_token_is_a_password_of_any_user_or_a_bearer_token(anywhere) -> None:
    access = Access(anywhere.address, TOKEN)
    for right in (basic(TOKEN), basic(TOKEN, ""), f"Bearer {TOKEN}", f"bearer {TOKEN}"):
        assert access.admits(right)
    wrong = (
        basic(TOKEN[:-1]),
        basic(""),
        f"Bearer {TOKEN}0",
        "Bearer ",
        "",
        "Basic",
        "Basic %%%",
        "Basic \xe9",
    )
    for authorization in (*wrong, "Basic /////w==", f"Digest {TOKEN}", TOKEN):
        assert not access.admits(authorization)


def test_without_a_token_only_requests_that_were_meant_for_this_machine_are_answered(
    anywhere,
) -> None:
    for host in ("127.0.0.1:8080", "127.0.0.1", "localhost:8080", "[::1]:8080", "[::1]"):
        assert anywhere.is_addressed(host)
    evil = ("evil.example", "evil.example:8080", "127.0.0.1.evil.example")
    for host in (*evil, "192.0.2.1:8080", ""):
        assert not anywhere.is_addressed(host)
    assert Access(anywhere.address, TOKEN).is_addressed("switch.example:8080")


def test_a_page_of_another_name_that_leads_here_reads_nothing(served, get) -> None:
    with pytest.raises(OSError, match="421"):
        get(f"{served}fleet.json", Host="evil.example")


@pytest.mark.parametrize("path", ["", "main.js", "uPlot.iife.js", "fleet.json", "port.json"])
def test_nothing_is_had_without_the_token(fleet, guarded, get, path) -> None:
    with (
        guarded("127.0.0.1:0") as (access, context),
        serve_web(access, fleet.board, pytest.fail) as url,
    ):
        assert url.startswith("https://")
        with pytest.raises(OSError, match="401") as refused:
            get(url + path, context)
        assert refused.value.headers["WWW-Authenticate"].startswith("Basic ")
        with pytest.raises(OSError, match="401"):
            get(url + path, context, Authorization=basic("wrong"))
        assert b"10.0.0.1:9559" in get(f"{url}fleet.json", context, Authorization=basic(TOKEN))[0]
