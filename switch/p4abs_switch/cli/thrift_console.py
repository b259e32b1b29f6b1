"""BMv2's simple_switch_CLI for this project's switches: `p4abs cli` found by a Thrift port."""

from pathlib import Path

import click
from finsy.proto import p4r

from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.cli.connecting import connecting
from p4abs_switch.cli.console import converse
from p4abs_switch.client import Connection
from p4abs_switch.command_line.options import INTEGER, PATH, IntegerRange, option
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.errors import InputError, UserError
from p4abs_switch.files import read_bytes
from p4abs_switch.not_programs import refused, unreadable
from p4abs_switch.thrift.client import Client, Refused
from p4abs_switch.thrift.protocol.wire import ProtocolError
from p4abs_switch.thrift.structures import P4RuntimeServer

_PATIENCE_S = 10.0
_EVERYWHERE = {"0.0.0.0", "[::]"}
# p4-utils looks for this word.
_FAULT = "Error: "


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@option("--thrift-ip host", "The switch's Thrift server.", "HOST", default="localhost")
@option("--thrift-port port", "Port of that server.", type=IntegerRange(1, 65535), default=9090)
@option(
    "--election-id", "The client with the highest election id may write.", type=INTEGER, default=1
)
@option("--json program", "Ignored: the program is read from the switch.", type=PATH)
@option("--pre", "Ignored.", type=click.Choice(["None", "SimplePre", "SimplePreLAG"]))
def simple_switch_cli(
    host: str, port: int, election_id: int, program: Path | None, pre: str | None
) -> int:
    """Control this project's switches with the commands and options of BMv2's simple_switch_CLI.

    Commands come from a pipe or a prompt. They go to the switch over P4Runtime, at the address that
    it names at its Thrift port. As in BMv2, the exit status is 0 even if commands were refused.
    """
    server = _p4runtime_server(host, port)
    address, _, grpc_port = server.address.rpartition(":")
    reached = _bracketed(host) if address in _EVERYWHERE else address
    if server.uses_tls:
        raise UserError(
            f"{host}:{port}: the switch encrypts P4Runtime: use p4abs cli --tls-ca FILE.pem "
            f"--grpc-addr {reached}:{grpc_port} --device-id {server.device_id}"
        )
    return _take_commands(
        grpc_addr=f"{reached}:{grpc_port}",
        device_id=server.device_id,
        election_id=election_id,
        tls_ca=None,
        tls_certificate=None,
        tls_key=None,
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


@connecting
def _take_commands(connection: Connection) -> int:
    with Session(connection) as session:
        converse(Shell(session, fault=_FAULT, load=_by_json_alone))
    return 0


def _by_json_alone(path: str) -> p4r.ForwardingPipelineConfig:
    """A program to push, as BMv2 takes it. Raises UserError."""
    try:
        json = read_bytes(Path(path))
    except OSError as error:
        raise UserError(unreadable(Path(path), error)) from None
    try:
        return p4r.ForwardingPipelineConfig(p4info=derive(json), p4_device_config=json)
    except InputError as error:
        raise UserError(refused(Path(path), json, f"{path} {error}")) from None


def _p4runtime_server(host: str, port: int) -> P4RuntimeServer:
    try:
        with Client(host, port, _PATIENCE_S) as client:
            server: P4RuntimeServer = client.call("p4runtime_server")
            return server
    except TimeoutError:
        raise UserError(f"{host}:{port}: no answer within {_PATIENCE_S:g} s") from None
    except (EOFError, ProtocolError, Refused, ConnectionResetError):
        raise UserError(
            f"{host}:{port}: not a Thrift port of p4abs-simple-switch or "
            "p4abs-simple-switch-grpc; BMv2 has a simple_switch_CLI of its own"
        ) from None
    except ConnectionRefusedError:
        raise UserError(
            f"{host}:{port}: nothing listens there; is p4abs-simple-switch running, with this "
            "--thrift-port?"
        ) from None
    except OSError as error:
        raise UserError(f"{host}:{port}: {error.strerror or error}") from None
