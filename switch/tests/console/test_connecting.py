"""Whom `p4abs cli` talks to, and what it says where another controller is."""

from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner, Result
from p4abs_switch.cli.console import cli
from p4abs_switch.client import Connection, RpcError
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.errors import UserError
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.serve import RunningSwitch
from p4abs_switch.testing import config, switch_in_thread

PROGRAM = Path(__file__).parents[3] / "switch" / "tests" / "programs" / "kinds.json"
READ = "register_read marks 0"


@pytest.mark.parametrize(
    ("code", "details", "told"),
    [
        (
            grpc.StatusCode.UNAVAILABLE,
            "failed to connect to all addresses; last error: UNKNOWN: ipv6:%5B::1%5D:1: Failed to "
            "connect to remote host: Connection refused",
            "read: UNAVAILABLE: [::1]:1: nothing listens there; is a switch running?",
        ),
        (
            grpc.StatusCode.UNAVAILABLE,
            "failed to connect to all addresses; last error: UNAVAILABLE: ipv4:127.0.0.1:1: Unwrap "
            "failed (TSI_DATA_CORRUPTED)",
            "read: UNAVAILABLE: 127.0.0.1:1: TLS: the switch asks for a client's certificate of "
            "its CA; is the one of tls-certificate missing, expired, or of another CA?",
        ),
        (
            grpc.StatusCode.DEADLINE_EXCEEDED,
            "Deadline Exceeded",
            "read: DEADLINE_EXCEEDED: no answer in time: the switch is stopped or too busy, or no "
            "P4Runtime server has this address",
        ),
    ],
)
def test_a_call_without_an_answer_says_what_to_look_at(
    code: grpc.StatusCode, details: str, told: str
) -> None:
    assert str(RpcError("read", code, details)) == told


def served(device_id: int) -> SwitchConfig:
    return replace(config(program=PROGRAM), device_id=device_id, as_bmv2=True)


@pytest.mark.parametrize("device_id", [0, 1])
def test_a_default_device_is_found(device_id: int) -> None:
    with switch_in_thread(served(device_id), live=False) as switch:
        arguments = ["--grpc-addr", switch.address]
        result = CliRunner().invoke(cli, arguments, input=READ, standalone_mode=False)
    assert (result.return_value, result.output) == (0, "marks[0]= 0\n")


def test_another_device_is_named_by_the_refusal_and_found_by_its_id() -> None:
    with switch_in_thread(served(7), live=False) as switch:
        arguments = ["--grpc-addr", switch.address]
        refused = CliRunner().invoke(cli, arguments, input=READ, standalone_mode=False)
        arguments += ["--device-id", "7"]
        found = CliRunner().invoke(cli, arguments, input=READ, standalone_mode=False)
    assert isinstance(refused.exception, UserError)
    assert str(refused.exception).endswith("no device has id 1; valid: 7")
    assert found.output == "marks[0]= 0\n"


def say(switch: RunningSwitch, commands: str, *options: str) -> Result:
    arguments = ["--grpc-addr", switch.address, *options]
    return CliRunner().invoke(cli, arguments, input=commands, standalone_mode=False)


@pytest.mark.parametrize("primary_id", [1, 5])
def test_beside_a_controller_reads_are_served_and_writes_say_who_is_primary(
    primary_id: int,
) -> None:
    commands = f"{READ}\nregister_write marks 0 1"
    with (
        switch_in_thread(served(1), live=False) as switch,
        Connection(switch.address, 1, primary_id) as controller,
    ):
        controller.become_primary()
        refused = say(switch, commands)
        controller.become_primary()
        done = say(switch, commands, "--election-id", f"{primary_id + 1}")
    assert refused.stdout == "marks[0]= 0\n"
    assert refused.stderr == (
        f"line 2: register_write: another controller is primary with election id {primary_id}; "
        f"stop it, or take the switch over with --election-id {primary_id + 1} or higher\n"
    )
    assert (done.return_value, done.stderr) == (0, "")


def test_the_primary_s_id_is_told_where_a_backup_has_the_client_s() -> None:
    with (
        switch_in_thread(served(1), live=False) as switch,
        Connection(switch.address, 1, 1) as backup,
        Connection(switch.address, 1, 5) as controller,
    ):
        backup.become_primary()
        controller.become_primary()
        refused = say(switch, "register_write marks 0 1")
    assert "another controller is primary with election id 5; " in refused.stderr


def test_only_a_command_that_writes_becomes_primary_and_tries_again_when_it_was_refused() -> None:
    with (
        switch_in_thread(served(1), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        with Connection(switch.address, 1, 1) as controller:
            shell.run([READ])
            controller.become_primary()
            shell.run(["register_write marks 0 1"])
            assert shell.failures == 1
        with Connection(switch.address, 1, 1) as controller:
            controller.become_primary()  # a refused command left the election
        shell.run(["register_write marks 0 1"])
    assert shell.failures == 1
