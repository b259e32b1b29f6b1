"""What a user is told, to the letter: where, what is wrong, and what to do."""

import subprocess
import sys
from pathlib import Path

import pytest
from p4abs.cli import main

AGREEMENT = """
[[port]]
number = 1
capacity = "{capacity}"
[[port.agreement]]
name = "{name}"
loss = 0.01
"""
UNIT = "must be a rate with a unit (bit, kbit, Mbit, Gbit, Tbit), such as '10Mbit'"
CONFIGURATIONS = {
    "name of other letters": (
        {"name": "g\u00f6lden-zwei", "capacity": "10Mbit"},
        "p4abs: abs.toml:6: name: 'g\u00f6lden-zwei': must be a name of 1 to 32 of the characters "
        "A-Z, a-z, 0-9, '_', '.' and '-', the first one a letter or digit, such as 'gold'\n",
    ),
    "digits of full width": (
        {"name": "gold", "capacity": "\uff11\uff10Mbit"},
        f"p4abs: abs.toml:4: capacity: '\uff11\uff10Mbit': {UNIT}\n",
    ),
}
COMMANDS = {
    "address without brackets": (
        ("cli", "--grpc-addr", "::1:9559"),
        "p4abs: --grpc-addr: '::1:9559': must be HOST:PORT, such as '127.0.0.1:9559' or "
        "'[::1]:9559'\n",
    ),
    "address of a runtime file without brackets": (
        ("runtime", "program.json", "--grpc-addr", "::1:9559"),
        "p4abs: --grpc-addr: '::1:9559': must be HOST:PORT, such as '127.0.0.1:9559' or "
        "'[::1]:9559'\n",
    ),
    "certificate without its key": (
        ("runtime", "program.json", "--tls-certificate", "a.pem"),
        "p4abs: --tls-certificate and --tls-key go together and need --tls-ca\n",
    ),
    "negative device id": (
        ("runtime", "program.json", "--device-id", "-1"),
        "p4abs: --device-id: -1: valid: 0 to 18446744073709551615\n",
    ),
    "too many replicas": (
        ("control", "--port", "2", "--replica", "1/100000000"),
        "p4abs: --replica: '1/100000000': COUNT must be 1 to 255\n",
    ),
    "program as a runtime file": (
        ("runtime", "program.json"),
        "p4abs: program.json: a compiled program, not a runtime file; run it with `p4abs "
        'switch`, or name it in a runtime file as "bmv2_json"\n',
    ),
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    output = capsys.readouterr()
    return int(str(ended.value.code)), output.out, output.err


@pytest.mark.parametrize(("values", "told"), CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
def test_a_value_in_a_configuration_is_told_with_its_line(
    values: dict[str, str], told: str, capsys, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("abs.toml").write_text(AGREEMENT.format(**values))
    assert run(capsys, "check", "abs.toml") == (2, "", told)


@pytest.mark.parametrize(("arguments", "told"), COMMANDS.values(), ids=COMMANDS.keys())
def test_what_cannot_be_is_told_in_one_line(
    arguments: tuple[str, ...], told: str, capsys, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.json").write_text('{"pipelines": []}')
    assert run(capsys, *arguments) == (2, "", told)


def test_where_nothing_listens_a_command_asks_whether_a_switch_runs(capsys) -> None:
    told = "get pipeline: UNAVAILABLE: nothing listens there; is a switch running?"
    assert run(capsys, "cli", "--grpc-addr", "127.0.0.1:1") == (
        *(1, ""),
        f"p4abs: 127.0.0.1:1: {told}\n",
    )


@pytest.mark.parametrize("descriptors", [8, 31])
def test_too_few_file_descriptors_are_one_line_and_status_2(descriptors: int) -> None:
    program = Path(sys.executable).with_name("p4abs")
    command = f"ulimit -n {descriptors}; exec {program} cli --grpc-addr 127.0.0.1:1"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        *(2, ""),
        f"p4abs: only {descriptors} file descriptors; at least 32 are needed: raise the limit "
        "(ulimit -n)\n",
    )
