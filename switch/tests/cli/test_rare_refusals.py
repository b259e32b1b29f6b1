"""Refusals that no ordinary command line causes, each caused where it is said."""

import asyncio
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from p4abs_switch._engine import RequestRefused
from p4abs_switch.cli import differential, drop_in, thrift_console
from p4abs_switch.cli.commands import commands
from p4abs_switch.client import Connection
from p4abs_switch.client.rpc_error import RpcError
from p4abs_switch.client.tls import channel_credentials
from p4abs_switch.command_line.run import _check_descriptors
from p4abs_switch.console.session import Session
from p4abs_switch.differential import bmv2
from p4abs_switch.differential.bmv2 import Bmv2Died
from p4abs_switch.differential.compare import Comparison, Died
from p4abs_switch.errors import InputError, UserError
from p4abs_switch.files import read_bytes
from p4abs_switch.p4info_text import InvalidP4Info, parse_p4info
from p4abs_switch.server.errors import AddressUnavailable, SwitchDied, TooFewDescriptors
from p4abs_switch.server.serve import serve
from p4abs_switch.server.supervision import supervised
from p4abs_switch.server.thrift_server import ThriftServer
from p4abs_switch.testbed import network
from p4abs_switch.testbed.process import ProcessFailed
from p4abs_switch.testbed.simple_switch import configure
from p4abs_switch.testing import config, switch_in_thread
from p4abs_switch.thrift.client import Client, Refused
from p4abs_switch.thrift.protocol.service import Unserved
from p4abs_switch.thrift.protocol.wire import Fields, Kind, MessageKind, ProtocolError
from p4abs_switch.thrift.target import Loaded, Local, Target

PROGRAM = Path(__file__).parents[1] / "programs" / "kinds.json"


@pytest.fixture
def few_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8, 8))


def test_a_command_refuses_too_few_file_descriptors(few_descriptors: None) -> None:
    with pytest.raises(UserError, match=r"^only 8 file descriptors; at least \d+ are needed"):
        _check_descriptors()


def test_a_switch_refuses_too_few_file_descriptors(few_descriptors: None) -> None:
    with pytest.raises(TooFewDescriptors, match=r"^only 8 file descriptors; a switch needs \d+"):
        serve(config(), lambda switch: None)


def test_a_comparison_needs_bmv2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differential, "which", lambda name: None)
    with pytest.raises(UserError, match=r"^simple_switch_grpc is not installed$"):
        commands(["differential", str(PROGRAM)], standalone_mode=False)


def test_a_certificate_of_clients_needs_their_ca() -> None:
    served = ["--grpc-server-ssl", "--grpc-server-cert", "a.pem", "--grpc-server-key", "b.pem"]
    options = ["--no-p4", "--", *served, "--grpc-server-with-client-auth"]
    with pytest.raises(UserError, match=r"needs --grpc-server-cacert"):
        drop_in.understand(drop_in.WITH_P4RUNTIME, options)


def test_a_p4info_of_one_long_line_is_refused_in_few_words() -> None:
    with pytest.raises(InvalidP4Info, match=r"^1:1 : Expected identifier or number, got <\.$"):
        parse_p4info('<"tables": [' + "1, " * 10_000 + "1]>")


def test_numbers_of_a_drop_in_have_the_digits_0_to_9() -> None:
    with pytest.raises(UserError, match=r"^argument --device-id: '\uff11' is not a whole number$"):
        drop_in.understand(drop_in.WITH_P4RUNTIME, ["--device-id", "\uff11", "a.json"])


def test_a_switch_without_a_program_has_nothing_to_read() -> None:
    with switch_in_thread(config(), live=False) as switch:
        arguments = ["read", "--grpc-addr", switch.address, "--device-id", "1"]
        with pytest.raises(UserError, match=r": the switch runs no program$"):
            commands([*arguments, "counter", "arrivals"], standalone_mode=False)


def test_a_trace_that_no_switch_answers_is_told_with_the_reason() -> None:
    with (
        Connection("127.0.0.1:1", 1, 1).read_only() as connection,
        pytest.raises(RpcError, match=r"^trace: UNAVAILABLE"),
    ):
        list(connection.trace({}))


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    trustme = pytest.importorskip("trustme")
    ca, other = tmp_path / "ca.pem", tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(ca))
    other.write_text("no certificate\n")
    with pytest.raises(UserError, match=r"not a certificate and its private key in PEM"):
        channel_credentials(ca, other, other)


def test_a_pipe_that_nobody_writes_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(OSError, match=r"a pipe that nobody writes"):
        read_bytes(pipe)


async def test_a_part_of_the_switch_that_ends_by_itself_is_told() -> None:
    async def nothing() -> None:
        """Ends at once."""

    with pytest.raises(SwitchDied, match=r"^the log has ended$"):
        async with supervised({"the log": nothing}, lambda failure: nothing()):
            await asyncio.Event().wait()


async def test_a_thrift_port_that_cannot_be_served_is_named() -> None:
    class Full:
        async def listen(self) -> None:
            raise OSError(98, "Address already in use")

    server = object.__new__(ThriftServer)
    server.port, server._server = 9090, Full()  # type: ignore[assignment]
    with pytest.raises(AddressUnavailable, match=r"^Thrift port 9090: Address already in use$"):
        await server.listen()


def test_a_network_needs_root_and_its_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(network.NetworkError, match=r"need root: run it with sudo$"):
        network.check_rights_and_programs()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(network.NetworkError, match=r"^missing Debian packages: iproute2 "):
        network.check_rights_and_programs()


def test_a_command_line_that_does_not_end_is_told(tmp_path: Path, monkeypatch: Any) -> None:
    (program := tmp_path / "simple_switch_CLI").write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def hangs(command: object, text: str) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired("simple_switch_CLI", 5.0)

    with pytest.raises(ProcessFailed, match=r"^simple_switch_CLI has not ended after 5 s$"):
        configure(["help"], 9090, hangs)


class Answering(Client):
    """A client of a switch that answers this to all calls."""

    def __init__(self, kind: MessageKind, content: Mapping[int, tuple[Kind, Any]]) -> None:
        self._socket: Any = SimpleNamespace(sendall=lambda message: None, close=lambda: None)

        async def message() -> tuple[str, MessageKind, int, Fields]:
            return "", kind, 0, Fields(dict(content))

        self._answers: Any = SimpleNamespace(message=message)


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [
        (MessageKind.EXCEPTION, {}, r"bm_mgmt_get_info is not answered$"),
        (MessageKind.REPLY, {}, r"bm_mgmt_get_info gives nothing$"),
        (MessageKind.REPLY, {1: (Kind.STRUCT, Fields({}))}, r"^bm_mgmt_get_info is refused"),
    ],
)
def test_an_answer_over_thrift_without_a_result_is_told(
    kind: MessageKind, content: Mapping[int, tuple[Kind, Any]], said: str
) -> None:
    with Answering(kind, content) as client, pytest.raises((ProtocolError, Refused), match=said):
        client.call("bm_mgmt_get_info")


def test_a_switch_that_does_not_answer_over_thrift_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def silent(*_: object) -> Client:
        raise TimeoutError

    monkeypatch.setattr(thrift_console, "Client", silent)
    with pytest.raises(UserError, match=r"^localhost:9090: no answer within \d+ s$"):
        thrift_console._p4runtime_server("localhost", 9090)


def test_nothing_is_written_where_no_program_is_loaded() -> None:
    engine: Any = None
    with pytest.raises(Exception, match=r"^no program is loaded$"):
        Loaded(0, engine, b"").switch.write(None)  # type: ignore[arg-type]


def test_a_program_that_cannot_be_programmed_over_thrift_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device: Any = SimpleNamespace(json=b"{}", loads=1)
    target = Target(device, device, device)
    with pytest.raises(Unserved, match=r"^the program is not a program in BMv2's JSON: "):
        _ = target.loaded

    def refuses(*_: object) -> Local:
        raise RequestRefused(3, "no table")

    monkeypatch.setattr(Local, "of", refuses)
    with pytest.raises(Unserved, match=r"^the program: no table$"):
        _ = target.loaded


def test_a_folder_that_cannot_be_written_to_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def findings(*_: object) -> Iterator[Any]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Comparison, "findings", findings)
    other: Any = SimpleNamespace(load=lambda program: None)
    with pytest.raises(UserError, match=r"^cannot write to .*: No space left on device$"):
        differential._compare(PROGRAM, PROGRAM.read_bytes(), other, ("1", 1, tmp_path))


def test_a_program_that_bmv2_dies_of_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    other: Any = SimpleNamespace(load=lambda program: None, restart=lambda: None)

    def dies(*_: object) -> None:
        raise Died(0, "no answer")

    monkeypatch.setattr(Comparison, "_on_bmv2", dies)
    with pytest.raises(Bmv2Died, match=r"^BMv2 crashes on this program again and again: "):
        list(Comparison(PROGRAM.read_bytes(), other).findings("1", 1))


def test_a_switch_that_has_lost_its_program_is_told() -> None:
    session: Any = object.__new__(Session)
    session._connection = SimpleNamespace(installed_config=lambda: None)
    with pytest.raises(InputError, match=r"^the switch runs no program any more; push one"):
        session._config()


def test_a_bmv2_that_does_not_answer_over_thrift_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def refuses(*_: object) -> Client:
        raise ConnectionRefusedError(111, "Connection refused")

    process = SimpleNamespace(end=lambda: ended.append(process))
    monkeypatch.setattr(bmv2.SimpleSwitch, "start", lambda *_: process)
    monkeypatch.setattr(bmv2, "Client", refuses)
    with pytest.raises(Bmv2Died, match=r"^simple_switch_grpc does not answer over Thrift: "):
        bmv2.Bmv2()
    assert ended == [process]


@pytest.mark.parametrize(
    ("details", "told"),
    [
        (
            "errors resolving leaf:9559: [field:hostname lookup error:address lookup failed for "
            "leaf:9559: Could not contact DNS servers]",
            "there is no host of this name",
        ),
        (
            "failed to connect to all addresses; last error: UNAVAILABLE: ipv4:127.0.0.1:22: "
            "Failed parsing HTTP/2 (Expected SETTINGS frame as the first frame, got frame type 45)",
            "127.0.0.1:22: the server there does not speak gRPC; is this the address of a "
            "P4Runtime server?",
        ),
        (
            "failed to connect to all addresses; last error: UNAVAILABLE: ipv4:127.0.0.1:80: "
            "recvmsg:Connection reset by peer (104)",
            "127.0.0.1:80: closed at once; does the switch ask for TLS (tls-ca), or for a client's "
            "certificate (tls-certificate)? Or is this not the address of a P4Runtime server?",
        ),
        (
            "failed to connect to all addresses; last error: FAILED_PRECONDITION: "
            "ipv4:192.0.2.1:9559: connect failed: addr: ipv4:192.0.2.1:9559 error: "
            "Network is unreachable",
            "192.0.2.1:9559: this machine has no route to this address",
        ),
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv4:192.0.2.1:9559: "
            "Failed to connect to remote host: getsockopt(SO_ERROR): No route to host",
            "192.0.2.1:9559: no route to this host; is it up?",
        ),
        (
            "failed to connect to all addresses; last error: FAILED_PRECONDITION: "
            "ipv4:192.0.2.2:9559: connect failed: addr: ipv4:192.0.2.2:9559 error: "
            "Invalid argument",
            "192.0.2.2:9559: Invalid argument",
        ),
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:9559: Tls "
            "handshake failed (TSI_PROTOCOL_FAILURE): SSL_ERROR_SSL: error:1000007d:SSL routines:"
            "OPENSSL_internal:CERTIFICATE_VERIFY_FAILED: certificate has expired: OK",
            "127.0.0.1:9559: TLS: the switch's certificate has expired; renew it",
        ),
        (
            "Method not found!",
            "Method not found!: is this the address of a P4Runtime server?",
        ),
    ],
)
def test_a_connection_that_fails_is_told_by_what_to_look_at(details: str, told: str) -> None:
    error = RpcError("stream", grpc.StatusCode.UNAVAILABLE, details)
    assert str(error) == f"stream: UNAVAILABLE: {told}"
