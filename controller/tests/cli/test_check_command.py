"""`p4abs check`: a line a check, and the exit status that sums them up."""

import json
from pathlib import Path

import pytest
from p4abs.access.program import load_program, program_path
from p4abs.cli import main
from p4abs_switch.testing import config, switch_in_thread

pytestmark = pytest.mark.usefixtures("patience")

PORTS = '[[port]]\nnumber = "1-256"\ncapacity = "10Gbit"\n'


@pytest.fixture(scope="module")
def switch():
    with switch_in_thread(config(program=program_path("queue")), live=False) as switch:
        yield switch


def check(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, *options: str
) -> tuple[int, str, str]:
    path = folder / "abs.toml"
    path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["check", str(path), *options])
    output = capsys.readouterr()
    return int(str(ended.value.code)), output.out, output.err


def address(switch) -> str:
    return f'[switch]\nname = "spine"\ngrpc-addr = "{switch.address}"\n'


def test_256_ports_that_are_alike_take_a_line_a_check_and_all_is_well(
    switch, tmp_path, capsys
) -> None:
    status, output, errors = check(tmp_path, capsys, address(switch) + PORTS, "--duration", "0")
    assert (status, errors) == (0, "")
    assert output == (
        f"spine: ok           switch: {switch.address} answers, device 1\n"
        "spine: ok           program: the switch runs a program; push-pipeline names none\n"
        "spine: ok           registers: the program has them, for the ports 0 to 509\n"
        "spine: ok           RegisterEntry: the switch serves it\n"
        "spine: ok           mailbox: its headers are in the program's P4Info\n"
        "spine: not checked  mailbox: whether it answers; --exchange tries it, "
        "as the primary controller\n"
        "spine: ok           port: ports 1-256: the program has registers for it; "
        "whether it has a link cannot be seen\n"
        "spine: not checked  capacity: ports 1-256: 10Gbit declared; "
        "too little was sent in 0us to measure it; --duration sets how long to watch\n"
        "spine: not checked  limit: ports 1-256: the switch has none yet\n"
        "spine: not checked  ecn-marking: ports 1-256: no controller has set it yet\n"
    )


def test_what_differs_gives_status_1(switch, tmp_path, capsys) -> None:
    text = address(switch) + 'push-pipeline = "virtual_queue"\n' + PORTS
    status, output, errors = check(tmp_path, capsys, text, "--duration", "0")
    assert (status, errors) == (1, "")
    assert "differs      program: the switch runs another program" in output


def test_a_switch_that_does_not_answer_gives_status_1(tmp_path, capsys) -> None:
    text = '[switch]\ngrpc-addr = "127.0.0.1:1"\n' + PORTS
    status, output, _ = check(tmp_path, capsys, text)
    assert status == 1
    assert output.startswith(
        "127.0.0.1:1: no answer    switch: 127.0.0.1:1: get pipeline: UNAVAILABLE: nothing listens"
    )
    assert output.count("\n") == 2


def test_each_switch_of_a_file_is_checked_and_named(switch, tmp_path, capsys) -> None:
    text = (
        f'[[switch]]\nname = "spine"\ngrpc-addr = "{switch.address}"\n'
        "[[switch.port]]\nnumber = 1\n"
        '[[switch]]\nname = "dead"\ngrpc-addr = "127.0.0.1:1"\n[[switch.port]]\nnumber = 1\n'
        f'[[switch]]\nname = "other"\ngrpc-addr = "{switch.address}"\ndevice-id = 7\n'
        "[[switch.port]]\nnumber = 1\n"
    )
    status, output, errors = check(tmp_path, capsys, text, "--duration", "0")
    assert (status, errors) == (1, "")
    names = [line.partition(": ")[0] for line in output.splitlines()]
    assert list(dict.fromkeys(names)) == ["spine", "dead", "other"]
    assert names == sorted(names, key=["spine", "dead", "other"].index)
    bad = {line[:19] for line in output.splitlines() if "differs" in line or "no answer" in line}
    assert bad == {"dead: no answer    ", "other: differs     "}


@pytest.mark.parametrize("key", ["tls-ca", "runtime"])
def test_a_switch_whose_file_cannot_be_used_does_not_keep_others_from_being_checked(
    key: str, switch, tmp_path, capsys
) -> None:
    of_other = f'[[switch]]\nname = "leaf"\ngrpc-addr = "127.0.0.1:1"\n{key} = "nowhere"\n'
    of_port = "[[switch.port]]\nnumber = 1\n"
    text = of_other + of_port + address(switch).replace("[switch]", "[[switch]]") + of_port
    status, output, errors = check(tmp_path, capsys, text, "--duration", "0")
    assert status == 2
    assert {line.partition(": ")[0] for line in output.splitlines()} == {"spine"}
    assert errors.count("\n") == 1
    assert "leaf: " in errors
    assert "nowhere: No such file or directory" in errors


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ('[[port]]\nnumber = "8-5"\n', (), "abs.toml:2: number: '8-5': the range 8-5 is reversed"),
        ("[[switch]]\n[[switch.port]]\nnumber = 1\n" * 2, (), "is configured twice, first in"),
        ("", (), "no port to control: give --port NUMBER, or --config FILE.toml with [[port]]"),
        (PORTS, ("--duration", "soon"), "--duration: 'soon': must be a duration"),
        (
            '[switch]\npush-pipeline = "nowhere"\n' + PORTS,
            (),
            "no program nowhere and no file nowhere.json",
        ),
        (
            '[switch]\ntls-ca = "nowhere.pem"\n' + PORTS,
            (),
            "127.0.0.1:9559: tls-ca: nowhere.pem: No such file",
        ),
        (
            '[switch]\nname = "spine"\nruntime = "nowhere.json"\n' + PORTS,
            (),
            "spine: nowhere.json: No such file or directory; a relative path of runtime begins at ",
        ),
    ],
)
def test_a_user_error_is_one_line_and_status_2(tmp_path, capsys, text, options, message) -> None:
    status, output, errors = check(tmp_path, capsys, text, *options)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert message in errors


ENTRY = {
    "table": "AbsIngress.forwarding.ethernet_forward",
    "match": {"dst_mac": "02:00:00:00:00:01"},
    "action_name": "AbsIngress.forwarding.forward",
    "action_params": {"port": 1},
}


def with_runtime(folder: Path, content: object) -> str:
    path = folder / "leaf.json"
    path.write_text(json.dumps(content))
    return f'runtime = "{path}"\n'


def test_a_runtime_file_that_control_would_refuse_is_a_user_error(tmp_path, capsys) -> None:
    content = {"p4info": "queue", "table_entries": [{**ENTRY, "table": "forwards"}]}
    text = '[switch]\nname = "spine"\n' + with_runtime(tmp_path, content) + PORTS
    status, output, errors = check(tmp_path, capsys, text)
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert "spine: " in errors
    assert 'leaf.json: table_entries[0]: no table is named "forwards"' in errors


def test_the_entries_of_a_runtime_file_fit_the_program(switch, tmp_path, capsys) -> None:
    runtime = with_runtime(tmp_path, {"p4info": "queue", "table_entries": [ENTRY]})
    status, output, _ = check(
        tmp_path, capsys, address(switch) + runtime + PORTS, "--duration", "0"
    )
    assert status == 0
    said = "spine: ok           runtime: "
    assert (
        f"{said}{tmp_path}/leaf.json: the program has the tables that it fills, entries: 1\n"
        in output
    )


def test_a_runtime_file_of_another_program_differs(switch, tmp_path, capsys) -> None:
    p4info = load_program("queue").p4info
    [table] = [each for each in p4info.tables if each.preamble.name == ENTRY["table"]]
    table.preamble.id += 99
    (tmp_path / "other.txtpb").write_text(str(p4info))
    runtime = with_runtime(tmp_path, {"p4info": "other.txtpb", "table_entries": [ENTRY]})
    status, output, _ = check(
        tmp_path, capsys, address(switch) + runtime + PORTS, "--duration", "0"
    )
    assert status == 1
    assert f"leaf.json: the program has no table {ENTRY['table']}\n" in output


def test_a_file_that_is_not_there_is_a_user_error(tmp_path, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", str(tmp_path / "nowhere.toml")])
    assert ended.value.code == 2
    assert "nowhere.toml: No such file" in capsys.readouterr().err
