"""`p4abs-simple-switch-cli`, which finds P4Runtime by the Thrift port."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from p4abs_switch.cli import thrift_console
from p4abs_switch.cli.thrift_console import simple_switch_cli
from p4abs_switch.errors import UserError
from p4abs_switch.thrift.refusals import IdCode
from p4abs_switch.thrift.structures import P4RuntimeServer

from .conftest import PROGRAMS, TIMEOUT_MS, Start, refused


def invoked(port: int, lines: str = "", *options: str) -> Result:
    arguments = ["--thrift-ip", "127.0.0.1", "--thrift-port", str(port), *options]
    return CliRunner().invoke(simple_switch_cli, arguments, input=lines, standalone_mode=False)


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Whoever listens there hangs up, as BMv2 does when it is asked for another service."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(TIMEOUT_MS / 1000)
        hanging_up = threading.Thread(target=lambda: listening.accept()[0].close())
        hanging_up.start()
        yield listening.getsockname()[1]
        hanging_up.join()


def test_commands_reach_the_switch_whose_thrift_port_is_given(start: Start) -> None:
    """One that is refused is told of, and as in BMv2 the status is 0."""
    started = start(PROGRAMS / "router.json")
    port = started.switch.thrift_port
    lines = "table_add routes route 10.0.1.0/24 => 10.0.1.1 2\ntable_add nope route 1\n"
    result = invoked(port, lines, "--json", "router.json", "--pre", "SimplePreLAG")
    assert result.exception is None
    assert "Entry has been added with handle 0" in result.stdout
    assert result.stderr.startswith("Error: line 2: table_add: no table is named 'nope'")
    assert result.return_value == 0
    assert started.client.bm_mt_get_num_entries(0, "RouterIngress.routes") == 1


def test_a_program_that_is_swapped_in_over_thrift_is_known_by_its_names(start: Start) -> None:
    started = start(PROGRAMS / "router.json")
    started.client.bm_load_new_config((PROGRAMS / "kinds.json").read_text())
    started.client.bm_swap_configs()
    result = invoked(
        started.switch.thrift_port, "register_write marks 2 5\nregister_read marks 2\n"
    )
    assert (result.stdout, result.stderr) == ("marks[2]= 5\n", "")


def test_a_program_is_loaded_and_swapped_in_by_its_json_alone(start: Start, tmp_path: Path) -> None:
    port = start(PROGRAMS / "router.json").switch.thrift_port
    program = tmp_path / "alone.json"
    program.write_bytes((PROGRAMS / "kinds.json").read_bytes())
    (tmp_path / "none.json").write_text("{}")
    lines = f"load_new_config_file {program}\nregister_write marks 2 5\nswap_configs\n"
    wrong = f"load_new_config_file {tmp_path}/none.json\nload_new_config_file {tmp_path}/no\n"
    result = invoked(port, f"{lines}register_read marks 2\n{wrong}")
    assert result.stdout.endswith("Swapping configs\nmarks[2]= 5\n")
    assert [line.split(": ")[3] for line in result.stderr.splitlines()] == [
        f"{tmp_path}/none.json is not a program in BMv2's JSON",
        f"{tmp_path}/no",
    ]
    assert result.stderr.endswith("no: No such file or directory\n")


def test_where_no_switch_listens_a_line_asks_for_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    error = invoked(port).exception
    assert isinstance(error, UserError)
    assert str(error).startswith(f"127.0.0.1:{port}: nothing listens there; is p4abs-simple-switch")


def test_a_port_of_something_else_is_refused_in_one_line(silent_port: int) -> None:
    error = invoked(silent_port).exception
    assert isinstance(error, UserError)
    assert str(error).startswith(f"127.0.0.1:{silent_port}: not a Thrift port of p4abs-simple-")


def test_a_port_of_nobody_is_refused_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    error = invoked(port).exception
    assert isinstance(error, UserError)
    assert str(error).startswith(f"127.0.0.1:{port}: ")


def test_a_switch_that_encrypts_p4runtime_is_left_to_p4abs_cli(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def p4runtime_server(host: str, port: int) -> P4RuntimeServer:
        return P4RuntimeServer("0.0.0.0:9559", 7, uses_tls=True)

    monkeypatch.setattr(thrift_console, "_p4runtime_server", p4runtime_server)
    error = invoked(9090).exception
    assert isinstance(error, UserError)
    assert "--grpc-addr 127.0.0.1:9559 --device-id 7" in str(error)


@pytest.mark.parametrize(
    ("served", "reached"),
    [("[::]:9559", "[::1]:9559"), ("0.0.0.0:9559", "[::1]:9559"), ("[::2]:9559", "[::2]:9559")],
)
def test_an_address_of_ipv6_is_put_into_brackets(
    served: str, reached: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def p4runtime_server(host: str, port: int) -> P4RuntimeServer:
        return P4RuntimeServer(served, 7, uses_tls=True)

    monkeypatch.setattr(thrift_console, "_p4runtime_server", p4runtime_server)
    error = invoked(9090, "", "--thrift-ip", "::1").exception
    assert f"--grpc-addr {reached} --device-id 7" in str(error)


def test_a_program_of_an_older_compiler_is_filled_by_its_names(
    start: Start, tmp_path: Path
) -> None:
    """Transitions had no type then, keys no names, and a table might have no default."""
    program = json.loads((PROGRAMS / "router.json").read_text())
    del program["__meta__"]
    for state in program["parsers"][0]["parse_states"]:
        for transition in state["transitions"]:
            if transition.pop("type") == "default":
                transition["value"] = "default"
    routes = program["pipelines"][0]["tables"][0]
    del routes["default_entry"], routes["key"][0]["name"]
    for pipeline in program["pipelines"]:
        del pipeline["action_profiles"]
    older = tmp_path / "older.json"
    older.write_text(json.dumps(program))
    lines = "table_add routes route 10.0.1.0/24 => 10.0.1.1 2\ntable_dump routes\n"
    started = start(older)
    assert started.client.bm_get_id_from_name(0, 0, "RouterIngress.routes") == 0
    lookup = started.client.bm_get_id_from_name
    refused(IdCode.INVALID_RESOURCE_NAME, lookup, 0, 1, "no profile")
    result = invoked(started.switch.thrift_port, lines)
    assert (result.exception, result.stderr) == (None, "")
    assert re.search(r"\* ipv4.destination +: LPM +0a000100/24\n", result.stdout)
    assert result.stdout.endswith("Dumping default entry\nEMPTY\n==========\n")
