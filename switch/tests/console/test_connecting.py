"""Whom `p4abs cli` talks to, and what it says where another controller is."""

from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner
from p4abs_switch.cli.console import cli
from p4abs_switch.client import Connection, RpcError
from p4abs_switch.console.session import Session
from p4abs_switch.errors import UserError
from p4abs_switch.server.config import SwitchConfig
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


def test_beside_a_higher_primary_reads_are_served_and_writes_say_which_election_id_is_needed() -> (
    None
):
    with (
        switch_in_thread(served(1), live=False) as switch,
        Session(Connection(switch.address, 1, 5)),
    ):
        arguments = ["--grpc-addr", switch.address]
        commands = f"{READ}\nregister_write marks 0 1"
        refused = CliRunner().invoke(cli, arguments, input=commands, standalone_mode=False)
        arguments += ["--election-id", "6"]
        done = CliRunner().invoke(cli, arguments, input=commands, standalone_mode=False)
    assert refused.stdout == "marks[0]= 0\n"
    assert refused.stderr == (
        "line 2: register_write: election id 5 is primary; "
        "--election-id 6 or higher takes the switch over\n"
    )
    assert (done.return_value, done.stderr) == (0, "")


def test_an_election_id_that_is_used_is_told_with_a_higher_one() -> None:
    with (
        switch_in_thread(served(1), live=False) as switch,
        Session(Connection(switch.address, 1, 1)),
    ):
        arguments = ["--grpc-addr", switch.address]
        result = CliRunner().invoke(cli, arguments, input=READ, standalone_mode=False)
    assert isinstance(result.exception, UserError)
    assert str(result.exception) == (
        f"{switch.address}: another controller has the election id 1; "
        "--election-id 2 or higher takes the switch over"
    )
