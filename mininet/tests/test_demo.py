"""How the demonstration begins and ends, headless, in namespaces of this machine; takes root."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import demo as command
import pytest
from absdemo.ledger import RUN_DIRECTORY, Entry, exclusive, read_ledger
from absdemo.topology import remove_leftovers
from p4abs.cli import run as run_command

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "mininet" / "demo.py"
TIMEOUT_S = 120

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces take root")


def demo(*options: str) -> subprocess.Popen[str]:
    return started(sys.executable, str(DEMO), "--headless", *options)


def started(*command: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


def interfaces() -> list[str]:
    return [path.name for path in Path("/sys/class/net").glob("absd-*")]


def part_of(entry: Entry) -> str | None:
    """Whether a process is `p4abs switch` or `p4abs control`."""
    words = Path(f"/proc/{entry.pid}/cmdline").read_text().split("\0")
    return next((part for part in ("switch", "control") if part in words), None)


def wait_for(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)


UNDISTURBED = ("--duration", "600")
STALLED_AT_ONCE = ("--duration", "50", "--disturb", "stall")


def stopped(entry: Entry) -> bool:
    """Whether a process has got SIGSTOP; see proc(5)."""
    return Path(f"/proc/{entry.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.fixture
def running(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """A demonstration whose traffic flows."""
    options = getattr(request, "param", UNDISTURBED)
    process = demo(*options, "--flows", "4", "--results", str(tmp_path))
    wait_for((tmp_path / "logs" / "iperf3-sender-4.log").exists, process)
    yield process
    process.kill()
    process.communicate()
    with exclusive():
        remove_leftovers()


@needs_root
@pytest.mark.parametrize(
    ("running", "number", "stalled"),
    [(UNDISTURBED, signal.SIGINT, False), (STALLED_AT_ONCE, signal.SIGTERM, True)],
    indirect=["running"],
)
def test_an_interrupted_demonstration_cleans_up(
    running: subprocess.Popen[str], number: signal.Signals, stalled: bool
) -> None:
    recorded = read_ledger(RUN_DIRECTORY / "processes")
    wait_for(lambda: any(stopped(entry) for entry in recorded) == stalled, running)
    assert interfaces()
    running.send_signal(number)
    running.communicate(timeout=TIMEOUT_S)
    assert running.returncode == 128 + number
    assert interfaces() == []
    assert recorded
    assert not any(entry.alive() for entry in recorded)


@needs_root
@pytest.mark.parametrize(
    ("program", "told"), [("switch", "p4abs-switch"), ("control", "p4abs control (static)")]
)
def test_a_part_that_dies_ends_the_demonstration_in_one_line(
    running: subprocess.Popen[str], program: str, told: str
) -> None:
    entries = read_ledger(RUN_DIRECTORY / "processes")
    parts = {part_of(entry): entry for entry in entries}
    parts[program].signal(signal.SIGKILL)
    _, errors = running.communicate(timeout=TIMEOUT_S)
    assert running.returncode == 1
    assert errors.startswith(f"demo: {told} ended")
    assert "ended with status -9" in errors
    assert errors.count("\n") == 1
    assert interfaces() == []


@needs_root
def test_the_start_after_a_crash_cleans_up(running: subprocess.Popen[str], tmp_path: Path) -> None:
    recorded = read_ledger(RUN_DIRECTORY / "processes")
    running.kill()
    running.communicate()
    assert any(entry.alive() for entry in recorded)
    following = demo("--duration", "600", "--flows", "1", "--results", str(tmp_path / "next"))
    try:
        wait_for((tmp_path / "next" / "logs" / "iperf3-sender-1.log").exists, following)
        assert not any(entry.alive() for entry in recorded)
    finally:
        following.terminate()
        following.communicate(timeout=TIMEOUT_S)
    assert interfaces() == []


@needs_root
def test_a_second_demonstration_is_refused(running: subprocess.Popen[str]) -> None:
    second = demo("--duration", "600")
    _, errors = second.communicate(timeout=TIMEOUT_S)
    assert second.returncode == 2
    assert errors.count("\n") == 1
    assert "another demonstration" in errors
    assert running.poll() is None


def refused(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The line on standard error, with status 2."""
    with pytest.raises(SystemExit) as ended:
        run_command(command.main, "demo", ["--headless", *options])
    errors = capsys.readouterr().err
    assert (ended.value.code, errors.count("\n")) == (2, 1)
    return errors


def test_an_unknown_option_ends_in_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "--colour" in refused(capsys, "--colour", "blue")


@pytest.mark.parametrize(
    "options",
    [
        ("--target", "tofino"),
        ("--flows", "0"),
        ("--rate", "fast"),
        ("--congestion-control", "vegas"),
        ("--utilization", "98"),
        ("--policy", "guess"),
        ("--capacity-declared", "fast"),
        ("--disturb", "quake"),
        ("--results", "/dev/null/results"),
    ],
)
def test_bad_values_end_in_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], options: tuple[str, str], tmp_path: Path
) -> None:
    assert options[1] in refused(capsys, "--results", str(tmp_path / "results"), *options)
    assert not (tmp_path / "results").exists()


IN_ANOTHER_NAMESPACE = """
import socket, subprocess
from absdemo.topology import remove_leftovers
subprocess.run("ip link add absd-1 type veth peer name other".split(), check=True)
remove_leftovers()
assert [name for _, name in socket.if_nameindex()] == ["lo"]
"""


@needs_root
def test_leftovers_are_those_of_this_network_namespace() -> None:
    """/sys still shows that from which `unshare` or `nsenter` came."""
    python = (sys.executable, "-c", IN_ANOTHER_NAMESPACE)
    subprocess.run(("unshare", "--net", *python), cwd=DEMO.parent, check=True)
