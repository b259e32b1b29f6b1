"""What this package's commands refuse: one line on standard error, exit status 2."""

import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from p4abs_switch.cli.commands import main

FIRST = Path(__file__).parents[3] / "docs/tutorials/first-program/first.json"
# Any free port, where nothing else is said.
DROP_IN = "p4abs-simple-switch-grpc"
ADDRESS = ("--grpc-addr", "127.0.0.1:0")

REFUSED = {
    "switch link keys behind a blank": ("switch", "--port", "1", "rate=10Mbit", "queue"),
    "switch of two programs": ("switch", "a.json", "b.json"),
    "switch option of BMv2": ("switch", "--thrift-port", "9090", "queue"),
    "switch option of a BMv2 target": ("switch", "--grpc-server-addr", "0.0.0.0:50051", "queue"),
    "switch option of nobody": ("switch", "--speed", "9090", "queue"),
    "no such command": ("steer",),
    "command of p4abs": ("runtime", "entries.json"),
    "program without a command": ("first.json",),
    "misspelt command": ("swich", "first.json"),
    "command in the place of a file": ("cli", "table_dump stations"),
    "stf tests nowhere": ("stf", "--tests", "nowhere", "."),
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
    "switch link without a number": ("switch", "--port", "rate=1Mbit"),
    "switch link key without a value": ("switch", "--port", "1,rate"),
    "switch link key twice": ("switch", "--port", "1,rate=1Mbit,rate=2Mbit"),
    "switch link of no number of queues": ("switch", "--port", "1,queues=many"),
    "switch link of too many queues": ("switch", "--port", "1,queues=9"),
    "switch link of no weight": ("switch", "--port", "1,queues=3,weights=1:0:6"),
    "switch link of a weight too high": ("switch", "--port", "1,queues=2,weights=1:256"),
    "switch link of weights that are no numbers": (
        *("switch", "--port", "1,queues=2,weights=one:two"),
    ),
    "switch link of weights that end early": ("switch", "--port", "1,queues=2,weights=1:"),
    "switch link of too few weights": ("switch", "--port", "1,queues=3,weights=1:6"),
    "switch link of weights without queues": ("switch", "--port", "1,weights=1:6"),
    "switch link of an unclear queueing discipline": ("switch", "--port", "1,qdisc=perhaps"),
    "switch certificate without its key": ("switch", "--tls-certificate", "switch.pem"),
    "switch link of more queues than there are": ("switch", "--port", "1,queues=9"),
    "switch device id in other digits": ("switch", "--device-id", "\uff11"),
    "switch trace of a port in other digits": ("switch", "--trace", "-", "--trace-port", "\uff11"),
    "read a cell in other digits": ("read", "register", "marks", "\uff11"),
    "read as many digests as other digits say": ("read", "--count", "\uff11", "digest", "learn"),
    "trace of no port": ("trace", "--port", "511"),
    "trace of no field": ("trace", "--field", "ttl=64"),
    "trace of no value": ("trace", "--field", "ipv4.ttl=many"),
    "trace of no size": ("trace", "--size", "much"),
    "read of an index below 0": ("read", "counter", "arrivals", "-1"),
    "read a switch with a CA that is not there": (
        *("read", "--tls-ca", "nowhere.pem", "counter", "arrivals"),
    ),
    "switch trace into a folder": ("switch", "--trace", "."),
    "switch trace of no port": ("switch", "--trace", "-", "--trace-port", "511"),
    "switch trace of a port below zero": ("switch", "--trace", "-", "--trace-port", "-1"),
    "switch trace of more packets than can be counted": (
        *("switch", "--trace", "-", "--trace-packets", str(2**64)),
    ),
    "switch traced port without a trace": ("switch", "--trace-port", "1"),
    "switch traced packets without a trace": ("switch", "--trace-packets", "1"),
    "switch trace format without a trace": ("switch", "--trace-format", "json"),
    "switch trace size without a trace": ("switch", "--trace-size", "1GB"),
    "switch trace size": ("switch", "--trace", "-", "--trace-size", "much"),
    "switch address": ("switch", "--grpc-addr", "nowhere"),
    "switch program": ("switch", "nowhere.json"),
    "switch P4Info without a program": ("switch", "--p4info", "nowhere.p4info.txtpb"),
    "switch P4Info": ("switch", "--p4info", "nowhere.p4info.txtpb", "queue"),
    "differential program": ("differential", "nowhere.json"),
    "stf without a test": ("stf", "nowhere.json"),
    "stf program": ("stf", "nowhere.json", "nowhere.stf"),
    "switch client CA without a certificate": ("switch", "--tls-client-ca", "ca.pem"),
    "stf folder without tests": ("stf", "."),
    "stf folder and test": ("stf", ".", "nowhere.stf"),
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
    assert errors.startswith("p4abs-switch: ")
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("switch", *ADDRESS, "--port", "1,queues=9"),
            "--port 1,queues=9: queues: '9': must be a whole number from 1 to 8",
        ),
        (("switch", *ADDRESS, "--trace", "."), "--trace .: is a folder; name a file in it"),
        (("read", "counter", "arrivals", "-12"), "index -12: must be 0 or more"),
        (
            ("switch", *ADDRESS, "--port", "1", "rate=10Mbit", "queue"),
            "rate=10Mbit: no space may stand before it: --port PORT,rate=10Mbit",
        ),
        (
            ("switch", "--log-console", "queue"),
            "--log-console: an option of BMv2, which p4abs-simple-switch-grpc has",
        ),
        (("control",), "no such command 'control'; the package p4abs has it: p4abs control"),
        (("a.json",), "no such command 'a.json'; did you mean switch a.json?"),
        (
            ("cli", "table_dump stations"),
            "table_dump stations: No such file or directory; a command is given so: "
            'echo "table_dump stations" | p4abs cli',
        ),
        (("stf", "--tests", "nowhere", "."), "--tests nowhere: no such folder"),
    ],
)
def test_a_refusal_says_which_value_is_wrong(arguments, told: str, capsys) -> None:
    assert run(arguments, capsys) == (2, "", f"p4abs-switch: {told}\n")


def test_a_statement_that_cannot_be_read_is_told_with_its_form(capsys, tmp_path: Path) -> None:
    (program := tmp_path / "first.json").write_bytes(FIRST.read_bytes())
    forms = {
        "add stations hdr.ethernet.destination:2 forward(2)": "unexpected 2; expected: name; the "
        "form is: add TABLE [PRIORITY] KEY:VALUE... ACTION(PARAMETER:VALUE, ...)",
        "check_counter arrivals packets == 0": "unexpected packets; expected: (; the form is: "
        "check_counter COUNTER(INDEX) packets == NUMBER",
        "packet one 00": "port one: must be a decimal number; the form is: packet PORT HEX",
    }
    for statement, told in forms.items():
        (test := tmp_path / "first.stf").write_text(f"{statement}\n")
        message = f"p4abs-switch: {test}:1: {told}\n"
        assert run(("stf", str(program), str(test)), capsys) == (2, "", message)


def test_json_is_no_list_of_commands(capsys, tmp_path: Path) -> None:
    (runtime := tmp_path / "s1.json").write_text('\n{"table_entries": []}\n')
    assert run(("cli", str(runtime)), capsys) == (
        2,
        "",
        f"p4abs-switch: {runtime}: JSON, and no commands; a runtime file is for `p4abs runtime`\n",
    )


def test_a_trace_never_takes_the_place_of_a_program(capsys, tmp_path: Path) -> None:
    (program := tmp_path / "first.json").write_text('{"header_types": [], "__meta__": {}}')
    (source := tmp_path / "first.p4").write_text("#include <core.p4>\n")
    for path in (program, source):
        before = path.read_text()
        _, _, errors = run(("switch", *ADDRESS, "--trace", str(path)), capsys)
        assert errors.startswith(f"p4abs-switch: --trace {path}: is a program, which the trace ")
        assert path.read_text() == before


def test_what_is_no_certificate_is_refused_before_anybody_is_asked(capsys, tmp_path: Path) -> None:
    nonsense = tmp_path / "ca.pem"
    nonsense.write_text("nonsense")
    _, _, errors = run(("read", "--tls-ca", str(nonsense), "counter", "arrivals"), capsys)
    assert f"{nonsense} has no certificate in PEM: " in errors
    _, _, errors = run(("read", "--tls-ca", "/dev/null", "counter", "arrivals"), capsys)
    assert "/dev/null: must be a file, which can be read again" in errors


def test_an_address_in_use_is_a_failure_that_may_be_tried_again(capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        status, output, errors = run(("switch", "--grpc-addr", address), capsys)
    assert (status, output) == (1, "")
    hint = "something listens there; give another port"
    assert errors == f"p4abs-switch: {address}: Address already in use: {hint}\n"


def test_an_address_of_another_machine_is_told_as_such(capsys) -> None:
    _, _, errors = run(("switch", "--grpc-addr", "192.0.2.1:9559"), capsys)
    assert errors.endswith("no interface of this machine has this address\n")


def test_a_program_that_is_not_there_is_refused_with_what_is_valid(capsys, tmp_path: Path) -> None:
    valid = "give a .json file that p4c wrote, or queue, shared_queue, virtual_queue"
    (notes := tmp_path / "notes.txt").touch()
    told = {
        "": f"there is no program without a name; {valid}",
        "QUEUE": "there is no program QUEUE and no file QUEUE.json; did you mean queue?",
        str(tmp_path): f"{tmp_path}: a folder; {valid}",
        "/dev/null": f"/dev/null: its name does not end in .json; {valid}",
        "queu": "there is no program queu and no file queu.json; did you mean queue?",
        "mine": f"there is no program mine and no file mine.json; {valid}",
        str(notes): f"{notes}: its name does not end in .json; {valid}",
        "no/mine.json": f"no/mine.json: No such file or directory; {valid}",
    }
    for name, message in told.items():
        _, _, errors = run(("switch", *ADDRESS, name), capsys)
        assert errors == f"p4abs-switch: {message}\n"


def test_what_is_no_program_is_told_what_to_do_with(capsys, tmp_path: Path) -> None:
    source, p4info, runtime = (tmp_path / name for name in ("a.p4", "a.p4.p4info.txtpb", "s1.json"))
    runtime.write_text('{"target": "bmv2", "p4info": "a.p4info.txtpb", "table_entries": []}')
    (renamed := tmp_path / "b.json").write_text("\n// A router.\n#include <core.p4>\n")
    told = {
        renamed: f"{renamed}: P4 source; compile it by p4c-bm2-ss and give what it writes",
        source: f"{source}: P4 source; compile it: p4c-bm2-ss --arch v1model --p4runtime-files "
        f"{tmp_path}/a.p4info.txtpb -o {tmp_path}/a.json {source}; then give {tmp_path}/a.json",
        p4info: f"{p4info}: a P4Info, and no program: give the .json file that p4c wrote with it; "
        "the P4Info is found beside it, or named by --p4info",
        runtime: f"{runtime}: a runtime file, which has entries for a program: start the switch "
        "with the program that it names, then give the file to `p4abs runtime`, which comes with "
        "the package p4abs",
    }
    for path, message in told.items():
        assert run(("switch", *ADDRESS, str(path)), capsys) == (2, "", f"p4abs-switch: {message}\n")


def test_an_ipv6_address_needs_its_brackets(capsys) -> None:
    _, _, errors = run(("switch", "--grpc-addr", "::1:9559"), capsys)
    assert errors == (
        "p4abs-switch: address ::1:9559: must be HOST:PORT, such as 127.0.0.1:9559 or [::1]:9559\n"
    )


@pytest.mark.parametrize(("name", "descriptors"), [("p4abs-switch", 63), (DROP_IN, 8)])
def test_too_few_file_descriptors_are_one_line_and_status_2(name: str, descriptors: int) -> None:
    words = {"p4abs-switch": "switch --grpc-addr 127.0.0.1:0"}.get(name, "--no-p4")
    command = f"ulimit -n {descriptors}; exec {Path(sys.executable).with_name(name)} {words}"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"{descriptors} file descriptors; " in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_every_command_that_p4abs_has_of_the_package_is_listed(capsys) -> None:
    status, output, _ = run(("--help",), capsys)
    assert status == 0
    listed = [line.split()[0] for line in output.partition("Commands:")[2].splitlines()[1:]]
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert listed == sorted(project["entry-points"]["p4abs.commands"])
    assert "..." not in output.partition("Commands:")[2]  # as click cuts what is too long


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
