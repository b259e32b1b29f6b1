"""Who may release ports by the page, and what `p4abs release` says."""

import asyncio
import json
import socket
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from p4abs.access.program import program_path
from p4abs.cli.release import release
from p4abs.errors import P4absError, UserError
from p4abs.telemetry.http import Access
from p4abs.telemetry.web.application import serve_web
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.web.browser import CHROMIUM, Browser
from controller.tests.web.conftest import PATIENCE_S, TOKEN
from controller.tests.web.test_page_of_control import controlling, line_with

ASKED = {"switch": "leaf-1", "port": "Ethernet1/2", "take_back": False, "who": "me"}
CONFIGURATION = """
[switch]
name = "leaf-1"

[[port]]
number = 2
name = "Ethernet1/2"
capacity = "10Mbit"
policy = "static"
initial-limit = "60000B"
safe-limit = "90000B"
"""


class Accepting:
    """What viewers ask is noted."""

    def __init__(self) -> None:
        self.asked = []

    async def carry_out(self, asked) -> str:
        self.asked.append(asked)
        return "done"


def post(url: str, body: bytes, **headers: str) -> tuple[int, str]:
    request = Request(f"{url}release", body, headers)
    try:
        with urlopen(request, timeout=PATIENCE_S) as response:
            return response.status, response.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


JSON = {"Content-Type": "application/json"}
MINE = {"Authorization": f"Bearer {TOKEN}"}
GOOD = json.dumps(ASKED).encode()


@pytest.mark.parametrize(
    ("token", "headers", "body", "status", "text"),
    [
        (TOKEN, JSON | MINE, GOOD, 200, "done"),
        (None, JSON, GOOD, 404, "Not Found"),
        (TOKEN, JSON, GOOD, 401, "the token is missing or wrong"),
        (TOKEN, MINE | {"Content-Type": "text/plain"}, GOOD, 415, "application/json"),
        (TOKEN, JSON | MINE, b"[" * 4097, 413, "at most 4096 bytes"),
        (TOKEN, JSON | MINE, b"[" * 4000, 409, "object with switch, port, take_back and who"),
        (TOKEN, JSON | MINE, b"{}", 409, "object with switch, port, take_back and who"),
        (TOKEN, JSON | MINE, GOOD.replace(b"false", b"0"), 409, "take_back must be true or false"),
        (TOKEN, JSON | MINE, GOOD.replace(b'"me"', b'"a\\nb"'), 409, "must be printable text"),
    ],
)
def test_only_who_has_the_token_and_asks_as_is_meant_is_heard(
    fleet, anywhere, token, headers, body, status, text
) -> None:
    access, releasing = Access(anywhere.address, token), Accepting()
    with serve_web(access, fleet.board, pytest.fail, releasing) as url:
        answer = post(url, body, **headers)
    assert answer[0] == status
    assert text in answer[1]
    assert len(releasing.asked) == (status == 200)


def said(*arguments: str) -> str:
    """What the command writes. Raises what it raises."""
    return CliRunner().invoke(release, arguments, catch_exceptions=False).output.strip()


async def test_a_port_is_released_and_taken_back_by_its_number_and_its_name(tmp_path) -> None:
    (tmp_path / "abs.toml").write_text(CONFIGURATION)
    (tmp_path / "token").write_text(TOKEN)
    token = ("--web-token", str(tmp_path / "token"))
    flags = ("--config", str(tmp_path / "abs.toml"), "--web", "127.0.0.1:0", *token)
    async with (
        running(config(program=program_path("queue")), live=False) as switch,
        controlling(switch.address, *flags) as process,
    ):
        url = (await line_with(process, "web page: ")).removeprefix("web page: ")
        await line_with(process, "in control")
        there = ("--web", url.removeprefix("http://").strip("/"), *token)

        def limit() -> int:
            return switch.engine.registers_read([("queue_limit_bytes", 2)])[0]

        for port in ("2", "Ethernet1/2"):
            told = await asyncio.to_thread(said, *there, "leaf-1", port)
            assert told == "leaf-1: port 2 (Ethernet1/2): held by safe limit of 87.89KiB"
            assert limit() == 90_000
            assert "released by" in await line_with(process, "held by safe limit")
            told = await asyncio.to_thread(said, *there, "--take-back", "leaf-1", port)
            assert told == "leaf-1: port 2 (Ethernet1/2): in control again, from 87.89KiB"
        for arguments, refusal in (
            (("leaf-1", "3"), "leaf-1: no port '3' is controlled; valid: Ethernet1/2"),
            (("leaf-9", "2"), "no switch 'leaf-9'; valid: leaf-1"),
            (
                ("--take-back", "leaf-1", "2"),
                "port 2 .* is not released: it is in control",
            ),
        ):
            with pytest.raises(UserError, match=refusal):
                await asyncio.to_thread(said, *there, *arguments)
        (tmp_path / "token").write_text(TOKEN[::-1])
        with pytest.raises(UserError, match="the token is missing or wrong"):
            await asyncio.to_thread(said, *there, "leaf-1", "2")
        assert limit() == 90_000


def test_a_server_that_is_no_page_is_told_as_such(tmp_path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            client, _ = other.accept()
            with client:
                client.recv(65536)
                client.sendall(b"220 not HTTP\r\n")

        thread = Thread(target=answer)
        thread.start()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(P4absError, match="no page answers there; is this the address of"):
            said("--web", address, "--web-token", str(tmp_path / "token"), "leaf-1", "2")
        thread.join()


def test_where_nothing_listens_is_a_line(tmp_path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with pytest.raises(P4absError, match=r"127\.0\.0\.1:1: nothing listens there.*--web HOST:PORT"):
        said("--web", "127.0.0.1:1", "--web-token", str(tmp_path / "token"), "leaf-1", "2")
    (tmp_path / "short").write_text("short")
    with pytest.raises(UserError, match=r"^--web-token: .*short: must hold one line"):
        said("--web", "127.0.0.1:1", "--web-token", str(tmp_path / "short"), "leaf-1", "2")
    with pytest.raises(UserError, match="--web: 'nowhere'"):
        said("--web", "nowhere", "--web-token", str(tmp_path / "token"), "leaf-1", "2")


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt-get install chromium")
def test_the_page_s_button_releases_the_port_that_is_shown(fleet, anywhere) -> None:
    releasing = Accepting()
    with (
        serve_web(Access(anywhere.address, TOKEN), fleet.board, pytest.fail, releasing) as url,
        Browser() as browser,
    ):
        browser.open(f"{url}#/switch/10.0.0.1%3A9559/3".replace("//", f"//me:{TOKEN}@", 1))
        browser.wait_for("document.querySelector('button.release:not([hidden])') !== null")
        browser.evaluate("window.confirm = () => true")
        browser.evaluate("document.querySelector('button.release').click()")
        browser.wait_for("!document.querySelector('button.release').disabled")
        assert browser.errors == []
    [asked] = releasing.asked
    assert (asked.switch, asked.port, asked.take_back) == ("10.0.0.1:9559", "3", False)
