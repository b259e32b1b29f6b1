"""What the command line refuses: one line on standard error, exit status 2, nothing changed."""

import socket
from pathlib import Path

import pytest
from p4abs import __version__
from p4abs.cli import main

PORT = ("--port", "2,capacity=10Mbit")
# Nobody listens there: a command that gets as far as connecting does not end with status 2.
NOBODY = {"control": ("--grpc-addr", "127.0.0.1:1")}

REFUSED = {
    "configuration without its option": ("control", "abs.toml"),
    "port keys behind a blank": ("control", "--port", "2", "capacity=10Mbit"),
    "configuration to check with an option": ("check", "--config", "abs.toml"),
    "no such command": ("steer",),
    "no such option": ("control", "--speed", "3"),
    "no port": ("control",),
    "departures without capacity": ("control", "--port", "2,utilization-from=departures"),
    "virtual queue without capacity": (
        "control",
        "--port",
        "2",
        "--push-pipeline",
        "virtual_queue",
    ),
    "port without number": ("control", "--port", "capacity=10Mbit"),
    "port key without value": ("control", "--port", "2,capacity"),
    "port key twice": ("control", "--port", "2,loss=0.1,loss=0.2"),
    "port twice": ("control", "--port", "2,loss=0.1", "--port", "2,loss=0.2"),
    "port with two numbers": ("control", "--port", "2,number=3"),
    "unknown port key": ("control", "--port", "2,capacity=10Mbit,delay=3ms"),
    "unknown parameter": ("control", "--port", "2,capacity=10Mbit,parameters.speed=3"),
    "policy without what it requires": ("control", *PORT, "--policy", "fpq"),
    "delay cap without a delay": ("control", *PORT, "--policy", "delay-cap"),
    "negative capacity": ("control", "--port", "2,capacity=-10Mbit"),
    "unknown policy": ("control", *PORT, "--policy", "adt2"),
    "removed policy": ("control", *PORT, "--policy", "abs-1"),
    "interval without unit": ("control", *PORT, "--interval", "20"),
    "duration": ("control", *PORT, "--duration", "soon"),
    "no such configuration": ("control", "--config", "nowhere.toml"),
    "no such pipeline": ("control", *PORT, "--push-pipeline", "nowhere"),
    "sample file of unknown kind": ("control", *PORT, "--samples", "samples.txt"),
    "rotation of no samples": ("control", *PORT, "--samples-rotate", "1d"),
    "samples rotated each second": (
        "control",
        *PORT,
        "--samples",
        "a.csv",
        "--samples-rotate",
        "1s",
    ),
    "samples in tiny files": ("control", *PORT, "--samples", "a.csv", "--samples-max-size", "1kB"),
    "samples of no size": ("control", *PORT, "--samples", "a.csv", "--samples-max-size", "large"),
    "old samples of no rotation": ("control", *PORT, "--samples", "a.csv", "--samples-keep", "3"),
    "no old samples": (
        *("control", *PORT, "--samples", "a.csv", "--samples-rotate", "1d", "--samples-keep", "0"),
    ),
    "sample file nowhere": ("control", *PORT, "--samples", "nowhere/samples.csv"),
    "one file for samples and summary": (
        *("control", *PORT, "--samples", "run.csv", "--summary", "./run.csv"),
    ),
    "parameters that are no table": (
        *("control", "--port", "2,capacity=10Mbit,parameters=5,parameters.precision=0.2"),
    ),
    "parameter with the name of an argument": (
        *("control", "--port", "2,capacity=10Mbit,parameters.name=1"),
    ),
    "summary file nowhere": ("control", *PORT, "--summary", "nowhere/summary.json"),
    "metrics for other machines": ("control", *PORT, "--metrics", "0.0.0.0:9105"),
    "metrics with a token alone": ("control", *PORT, "--metrics-token", "nowhere"),
    "page for other machines": ("control", *PORT, "--web", "0.0.0.0:8080"),
    "page nowhere": ("control", *PORT, "--web", "8080"),
    "page with a token from nowhere": (
        *("control", *PORT, "--web", "127.0.0.1:0", "--web-token", "nowhere"),
    ),
    "page with a certificate alone": (
        *("control", *PORT, "--web", "127.0.0.1:0", "--web-certificate", "me.pem"),
    ),
    "page with an endless token": (
        *("control", *PORT, "--web", "127.0.0.1:0", "--web-token", "/dev/zero"),
    ),
    "page with an endless certificate": (
        *("control", *PORT, "--web", "127.0.0.1:0"),
        *("--web-certificate", "/dev/zero", "--web-key", "/dev/zero"),
    ),
    "endless configuration": ("control", "--config", "/dev/zero"),
    "endless CA": ("control", *PORT, "--tls-ca", "/dev/zero"),
    "endless runtime file": ("runtime", "/dev/zero"),
    "endless commands": ("cli", "/dev/zero"),
    "token without a page": ("control", *PORT, "--web-token", "nowhere"),
    "replica that there is not": ("control", *PORT, "--replica", "3/2"),
    "replica of thousands of digits": ("control", *PORT, "--replica", f"1/{'9' * 5000}"),
    "replica zero": ("control", *PORT, "--replica", "0/2"),
    "replica of nothing": ("control", *PORT, "--replica", "2"),
    "replica with an election id": ("control", *PORT, "--replica", "1/2", "--election-id", "3"),
    "unknown order": ("control", *PORT, "--sort", "size"),
    "log of another kind": ("control", *PORT, "--log", "xml"),
    "metrics nowhere": ("control", *PORT, "--metrics", "9105"),
    "command line without a switch's port": ("cli", "--grpc-addr", "127.0.0.1"),
    "negative device id": ("cli", "--device-id", "-1"),
    "device id of more than 64 bits": ("cli", "--device-id", str(2**64)),
    "election id zero": ("cli", "--election-id", "0"),
    "election id of more than 128 bits": ("cli", "--election-id", str(2**128)),
    "key without a certificate": ("cli", "--tls-ca", "ca.pem", "--tls-key", "me.pem"),
    "port beyond the registers": (
        *("control", "--port", "512,capacity=10Mbit", "--push-pipeline", "queue"),
    ),
}


def run(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([arguments[0], *NOBODY.get(arguments[0], ()), *arguments[1:]])
    output = capsys.readouterr()
    return int(str(ended.value.code)), output.out, output.err


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_one_line_and_status_2(name, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, output, errors = run(REFUSED[name], capsys)
    assert (status, output) == (2, "")
    assert errors.startswith("p4abs: ")
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_below_a_link_to_itself_is_refused_by_name(capsys, tmp_path: Path) -> None:
    (loop := tmp_path / "loop").symlink_to(loop)
    status, output, errors = run(("control", *PORT, "--samples", f"{loop}/run.csv"), capsys)
    assert (status, output) == (2, "")
    assert errors.startswith(f"p4abs: {loop}/run.csv: ")
    assert errors.count("\n") == 1


def test_the_pages_token_is_never_written_over(capsys, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("0123456789abcdef" * 2)
    arguments = ("control", *PORT, "--web", "127.0.0.1:0", "--web-token", str(token))
    status, output, errors = run((*arguments, "--summary", str(token)), capsys)
    assert (status, output) == (2, "")
    assert "--web-token and --summary are the same file" in errors


@pytest.mark.parametrize("option", ["--summary", "--samples"])
def test_the_configuration_is_never_written_over(option, capsys, tmp_path: Path) -> None:
    file = tmp_path / "abs.csv"
    file.write_text(text := '[[port]]\nnumber = 2\ncapacity = "10Mbit"\n')
    arguments = ("control", "--config", str(file), option, f"{tmp_path}/./abs.csv")
    status, output, errors = run(arguments, capsys)
    assert (status, output) == (2, "")
    assert f"--config and {option} are the same file" in errors
    assert file.read_text() == text


def test_an_address_in_use_is_a_failure_that_may_be_tried_again(capsys, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        samples = tmp_path / "samples.csv"
        arguments = ("control", *PORT, "--metrics", address, "--samples", str(samples))
        status, output, errors = run(arguments, capsys)
    assert (status, output) == (1, "")
    assert errors == f"p4abs: --metrics: {address}: address already in use; give another port\n"
    assert not samples.exists()


@pytest.mark.parametrize("duration", ["0", "-1", "nan", "9999h", "", "\u00b2"])
def test_a_duration_that_ends_no_run_is_refused_with_what_would_be_valid(duration, capsys) -> None:
    status, _, errors = run(("control", *PORT, "--duration", duration), capsys)
    assert (status, errors) == (
        2,
        f"p4abs: --duration: {duration!r}: must be a duration above 0 and at most 8760h, in "
        "seconds, such as '10', or with a unit (us, ms, s, m, min, h, d), such as '5min'\n",
    )


def test_a_program_without_the_registers_is_refused_by_name(capsys, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "other.p4info.txtpb").write_text("")
    arguments = ("control", *PORT, "--push-pipeline", str(tmp_path / "other"))
    status, _, errors = run(arguments, capsys)
    assert status == 2
    assert "lacks the registers departed_at_us, admitted_bytes" in errors


def test_a_program_that_cannot_measure_the_capacity_is_refused_with_what_would_be_valid(
    capsys,
) -> None:
    arguments = ("control", "--port", "2", "--push-pipeline", "virtual_queue")
    status, _, errors = run(arguments, capsys)
    assert status == 2
    assert errors.startswith(
        "p4abs: 127.0.0.1:1: port 2: capacity is missing, and cannot be measured: "
    )
    assert "virtual one, which drains at the capacity" in errors
    assert "give capacity, such as '10Mbit', or use the program queue" in errors


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "the program's name is empty; valid: queue, shared_queue, virtual_queue, "),
        ("quue", "there is no program quue and no file quue.json; did you mean queue?"),
        ("mine", "there is no program mine and no file mine.json; valid: queue, shared_queue, "),
        ("mine.json", "mine.json: No such file or directory; valid: queue, shared_queue, virtual_"),
        ("mine.p4", "mine.p4: P4 source; compile it: p4c-bm2-ss --arch v1model --p4runtime-files "),
        ("mine.p4info.txtpb", "mine.p4info.txtpb: a P4Info; give the .json file that p4c-bm2-ss "),
    ],
)
def test_what_is_no_program_is_told_what_to_do_with(given: str, message: str, capsys) -> None:
    status, _, errors = run(("control", *PORT, "--push-pipeline", given), capsys)
    assert status == 2
    assert errors.startswith(f"p4abs: {message}")


def test_a_program_without_its_p4info_says_how_it_is_written(capsys, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{}")
    given = str(tmp_path / "mine.json")
    _, _, errors = run(("control", *PORT, "--push-pipeline", given), capsys)
    assert errors.endswith(f"writes it with --p4runtime-files {tmp_path}/mine.p4info.txtpb\n")


def test_a_misspelt_command_has_the_nearest_one_named(capsys) -> None:
    _, _, errors = run(("kontrol",), capsys)
    assert errors.endswith("did you mean control?\n")


# More types within types than Python follows.
DEEP_TYPE = "tuple { members { " * 3000 + "} } " * 3000
DEEP_P4INFO = (
    f'type_info {{ new_types {{ key: "t" value {{ original_type {{ {DEEP_TYPE} }} }} }} }}'
)


@pytest.mark.parametrize(
    ("p4info", "reason"),
    [
        (b"tables: 3\n{", ""),
        (DEEP_P4INFO.encode(), ""),
        (b'{"pkgInfo": {"arch": "v1model"}}', "it is JSON; p4c-bm2-ss writes text to a file named"),
        (b"\x1a\x05\xbb\x01", "it is not UTF-8; p4c-bm2-ss writes text to a file named"),
    ],
    ids=["nonsense", "deep", "JSON", "binary"],
)
def test_a_p4info_that_is_none_is_refused(
    capsys, tmp_path: Path, p4info: bytes, reason: str
) -> None:
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "other.p4info.txtpb").write_bytes(p4info)
    status, _, errors = run(("control", *PORT, "--push-pipeline", str(tmp_path / "other")), capsys)
    assert status == 2
    assert f"not a P4Info in text form: {reason}" in errors
    assert errors.count("\n") == 1


def test_the_version_and_the_commands_are_shown(capsys) -> None:
    assert run(("--version",), capsys)[:2] == (0, f"p4abs {__version__}\n")
    status, output, _ = run(("--help",), capsys)
    assert status == 0
    assert {"control", "runtime"} <= set(output.split())
