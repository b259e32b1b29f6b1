"""What is said when nobody answers, when TLS fails, and when settings change."""

import socket
from pathlib import Path

import pytest
import trustme
from click.testing import CliRunner
from p4abs.access.connection import Connection
from p4abs.access.rpc_error import RpcError
from p4abs.access.tls import TlsFiles
from p4abs.cli.check import check
from p4abs.config import Source, differences, load_settings
from p4abs.session.attempts import first_trouble
from p4abs_switch.server.serve import running
from p4abs_switch.server.tls import TlsFiles as ServerTlsFiles
from p4abs_switch.testing import config


def certificates(folder: Path) -> None:
    """Of a switch at 127.0.0.1 and of one of another name, and two authorities."""
    authority, other = trustme.CA(), trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    other.cert_pem.write_to_path(str(folder / "other.pem"))
    for name, identity in (("here", "127.0.0.1"), ("elsewhere", "switch.example")):
        issued = authority.issue_cert(identity)
        issued.cert_chain_pems[0].write_to_path(str(folder / f"{name}.pem"))
        issued.private_key_pem.write_to_path(str(folder / f"{name}-key.pem"))


async def failure(address: str, tls: TlsFiles | None = None) -> RpcError:
    with pytest.raises(RpcError) as failed:
        async with Connection(address, 1, 1, tls):
            pass
    return failed.value


@pytest.mark.parametrize(
    ("served", "trusted", "words"),
    [
        ("here", "other", "TLS: the switch's certificate is not signed by the CA of tls-ca"),
        ("elsewhere", "ca", "TLS: the switch's certificate is for another host name"),
        (None, "ca", "TLS: the switch does not speak TLS; leave tls-ca out"),
        ("here", None, "closed at once; does the switch ask for TLS"),
    ],
)
async def test_a_failure_of_tls_names_what_to_look_at(tmp_path, served, trusted, words) -> None:
    certificates(tmp_path)
    server = served and ServerTlsFiles(tmp_path / f"{served}.pem", tmp_path / f"{served}-key.pem")
    tls = None if trusted is None else TlsFiles(tmp_path / f"{trusted}.pem")
    async with running(config(tls=server), live=False) as switch:
        error = await failure(switch.address, tls)
    assert str(error).startswith(f"stream: UNAVAILABLE: {switch.address}: {words}")
    said = first_trouble(error, 1, is_shared=False).at_first
    assert said.startswith("no answer yet") == (trusted is None)


async def test_a_refused_connection_asks_whether_a_switch_is_running() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        error = await failure(address)
    assert str(error) == (
        f"stream: UNAVAILABLE: {address}: nothing listens there; is a switch running?"
    )


def test_a_switch_that_does_not_answer_differs_in_nothing(tmp_path) -> None:
    (tmp_path / "abs.toml").write_text(
        '[switch]\ngrpc-addr = "127.0.0.1:1"\n[[port]]\nnumber = 2\n'
    )
    done = CliRunner().invoke(check, [str(tmp_path / "abs.toml")], standalone_mode=False)
    assert done.return_value == 1
    assert done.output.startswith("127.0.0.1:1: no answer    switch: 127.0.0.1:1: ")
    assert "nothing listens there" in done.output
    assert "differs" not in done.output


def loaded(ports: list[dict[str, object]], **switch: object):
    return load_settings(Source({"switch": [{"port": ports, **switch}]}), {}).switch[0]


def test_a_change_is_told_by_ports_and_keys() -> None:
    before = loaded([{"number": "1-6"}, {"number": 7, "name": "Ethernet7"}])
    after = loaded(
        [
            {"number": "1-4", "loss": 0.1, "max-limit": "1MB"},
            {"number": "5-6"},
            {"number": 7, "name": "Ethernet7", "policy": "dql"},
        ],
        memory="4MiB",
    )
    assert differences(before, after) == (
        "memory; ports 1-4: loss, max-limit; port 7 (Ethernet7): policy"
    )
    assert differences(before, before) == ""


def test_messages_name_ports_as_the_front_panel_does() -> None:
    settings = loaded([{"number": 1, "name": "Ethernet1/1"}, {"number": 11}])
    text = "port 1: x, port 11 50KiB, port 1 (Ethernet1/1)"
    assert settings.named(text) == "port 1 (Ethernet1/1): x, port 11 50KiB, port 1 (Ethernet1/1)"
