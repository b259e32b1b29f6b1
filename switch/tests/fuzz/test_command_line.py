"""Whatever BMv2's command line says, the drop-in starts or says in one line why not."""

import asyncio
import random
from contextlib import suppress
from pathlib import Path

import pytest
from p4abs_switch import EngineError
from p4abs_switch.cli.drop_in import NOT_SERVED, REFUSED, WITH_P4RUNTIME, understand
from p4abs_switch.errors import UserError
from p4abs_switch.server.errors import SwitchError
from p4abs_switch.server.serve import running

LINES = 1_000
STARTS = 30

# What the drop-in tells in one line, with status 2.
_REFUSALS = (EngineError, SwitchError, UserError)

_WORDS = (
    *("0", "1", "-1", "8", "9", "255", "511", "512", "65536", "9" * 30, "9" * 5000, "0x1", "1e3"),
    *("", "a.json", "damaged.json", "text.json", "nowhere/a.json", "folder", "x" * 300, "."),
    *("1@none1", "2@none2", "1@" + "n" * 40, "@", "1@", "70000@none", "1@a,b", "1@\udcff", "1@a b"),
    *("9" * 5000 + "@none", "\u0663@none", "off", "trace", "warn", "é", "\udcff", "--", "-", "="),
)
# Nothing of these is looked up outside of this machine.
_ADDRESSES = (
    *("127.0.0.1:0", "[::1]:0", "127.0.0.1", ":0", "127.0.0.1:70000", "127.0.0.1:-1", "[]:0"),
    *("a..b:0", "x" * 70 + ":0", "127.0.0.1:\u0663", "127.0.0.1:" + "9" * 5000, "\udcff:0"),
)
_OPTIONS = (
    *("-i", "--interface", "--pcap", "--device-id", "--no-p4", "--log-console", "--log-file"),
    *("-L", "--log-level", "--log-flush", "--grpc-server-ssl", "--grpc-server-cacert"),
    *("--grpc-server-cert", "--grpc-server-key", "--grpc-server-with-client-auth", "--cpu-port"),
    *("--drop-port", "--priority-queues", "--enable-swap", "--grpc-server-addr", "--thrift-port"),
    *(f"--{name}" for name in (NOT_SERVED | REFUSED)),
)


def _arguments(source: random.Random) -> list[str]:
    """Mostly some options with their values, in front of `--` and behind it."""
    words: list[str] = []
    if source.random() < 0.8:
        words += ["-i", f"{source.randrange(600)}@none", "a.json"]
    for _ in range(source.randrange(4)):
        words += _option(source)
    words += ["--", "--grpc-server-addr", "127.0.0.1:0"]
    for _ in range(source.randrange(3)):
        words += _option(source)
    return words


def _option(source: random.Random) -> list[str]:
    option = source.choice(_OPTIONS if source.random() < 0.9 else _WORDS)
    value = source.choice(_ADDRESSES if option == "--grpc-server-addr" else _WORDS)
    return source.choice(([option], [option, value], [option, value], [f"{option}={value}"]))


async def _start(arguments: list[str]) -> None:
    settings, remarks = understand(WITH_P4RUNTIME, arguments)
    assert all(len(remark.splitlines()) == 1 for remark in remarks)
    async with running(settings, live=False) as switch:
        assert switch.address


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds_json: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("a.json").write_bytes(kinds_json.read_bytes())
    Path("damaged.json").write_bytes(kinds_json.read_bytes()[:-100])
    Path("text.json").write_bytes(b"\xff\xfe")


def test_arguments_are_understood_or_refused(times: int) -> None:
    source = random.Random(1)
    understood = 0
    for _ in range(LINES * times):
        arguments = _arguments(source)
        with suppress(*_REFUSALS):
            understand(WITH_P4RUNTIME, arguments)
            understood += 1
    assert understood > LINES * times / 20


@pytest.mark.parametrize("address", _ADDRESSES, ids=ascii)
def test_an_address_is_listened_at_or_refused(address: str) -> None:
    with suppress(*_REFUSALS):
        asyncio.run(_start(["--no-p4", "--", "--grpc-server-addr", address]))


def test_what_is_understood_starts_or_says_why_not(times: int) -> None:
    source = random.Random(2)
    for _ in range(STARTS * times):
        arguments = _arguments(source)
        with suppress(*_REFUSALS):
            asyncio.run(_start(arguments))
