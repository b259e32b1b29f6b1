"""What this package's commands refuse: one line on standard error, exit status 2."""

import shutil
import socket
from pathlib import Path

import pytest
from p4abs.cli import main

# Any free port, where nothing else is said.
ADDRESS = ("--grpc-addr", "127.0.0.1:0")

REFUSED = {
    "switch device id": ("switch", "--device-id", "one"),
    "switch interface form": ("switch", "-i", "veth0"),
    "switch interface twice": ("switch", "-i", "1@a", "-i", "1@b"),
    "switch unknown interface": ("switch", "-i", "1@nosuchveth"),
    "switch interface of a name too long": (
        *("switch", "--wait-for-interfaces", "-i", "1@sixteen__letters"),
    ),
    "switch interface of a name with a slash": (
        *("switch", "--wait-for-interfaces", "-i", "1@a/b"),
    ),
    "switch link key": ("switch", "--port", "1,colour=red"),
    "switch negative rate": ("switch", "--port", "1,rate=-10Mbit"),
    "switch absurd delay": ("switch", "--port", "1,delay=-1ms"),
    "switch link twice": ("switch", "--port", "1,rate=1Mbit", "--port", "1,delay=5ms"),
    "switch trace of no port": ("switch", "--trace", "-", "--trace-port", "511"),
    "switch trace of a port below zero": ("switch", "--trace", "-", "--trace-port", "-1"),
    "switch trace of more packets than can be counted": (
        *("switch", "--trace", "-", "--trace-packets", str(2**64)),
    ),
    "switch traced port without a trace": ("switch", "--trace-port", "1"),
    "switch traced packets without a trace": ("switch", "--trace-packets", "1"),
    "switch trace format without a trace": ("switch", "--trace-format", "json"),
    "switch address": ("switch", "--grpc-addr", "nowhere"),
    "switch program": ("switch", "nowhere.json"),
    "differential program": ("differential", "nowhere.json"),
    "stf without a test": ("stf", "nowhere.json"),
    "stf program": ("stf", "nowhere.json", "nowhere.stf"),
    "stf folder without tests": ("stf", "."),
    "stf folder and test": ("stf", ".", "nowhere.stf"),
    "stf report without results": ("stf", ".", "--report", "nowhere.md"),
}


def run(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    output = capsys.readouterr()
    return int(str(ended.value.code)), output.out, output.err


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_one_line_and_status_2(name, capsys, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    command, *arguments = REFUSED[name]
    address = ADDRESS if command == "switch" else ()
    status, output, errors = run((command, *address, *arguments), capsys)
    assert (status, output) == (2, "")
    assert errors.startswith("p4abs: ")
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_address_in_use_is_a_failure_that_may_be_tried_again(capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        status, output, errors = run(("switch", "--grpc-addr", address), capsys)
    assert (status, output) == (1, "")
    assert errors == f"p4abs: {address}: Address already in use\n"


def test_a_program_that_is_not_there_is_refused_with_what_is_valid(capsys) -> None:
    _, _, errors = run(("switch", *ADDRESS, "queu"), capsys)
    valid = "queue, shared_queue, virtual_queue, or"
    assert f"queu.json: No such file or directory; valid programs: {valid}" in errors


def test_every_command_of_the_package_is_listed(capsys) -> None:
    status, output, _ = run(("--help",), capsys)
    assert status == 0
    assert {"differential", "stf", "switch"} <= set(output.split())


@pytest.mark.parametrize("command", ["switch", "stf"])
def test_a_p4info_with_too_many_types_within_types_is_refused(
    command: str, capsys, tmp_path: Path, kinds_json: Path
) -> None:
    program, p4info, test = (tmp_path / f"a.{end}" for end in ("json", "p4info.txtpb", "stf"))
    shutil.copy(kinds_json, program)
    deep = "tuple { members { " * 3000 + "} } " * 3000
    p4info.write_text(
        f'type_info {{ new_types {{ key: "t" value {{ original_type {{ {deep} }} }} }} }}'
    )
    test.write_text("")
    arguments = {"switch": [*ADDRESS], "stf": ["--p4info", str(p4info), "--"]}[command]
    paths = {"switch": [str(program)], "stf": [str(program), str(test)]}[command]
    status, output, errors = run((command, *arguments, *paths), capsys)
    assert (status, output) == (2, "")
    assert "P4Info" in errors
    assert errors.count("\n") == 1
