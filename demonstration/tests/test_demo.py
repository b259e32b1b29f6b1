"""`p4abs demo` in namespaces of its own, which end with it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from p4abs_demonstration.namespaces import processes
from p4abs_switch.testbed import namespaces
from p4abs_switch.testbed.namespaces import NoNamespace, enter_own

DEADLINE_S = 120.0
SETPRIV = shutil.which("setpriv") or "setpriv"
AS_NOBODY = (SETPRIV, "--reuid=65534", "--regid=65534", "--clear-groups")
BEGUN = "TCP begins"
ROOT = Path(__file__).resolve().parents[2]
ROUTER = ROOT / "p4src" / "build" / "examples" / "adaptive_router.json"
PROGRAMS = ROOT / "switch" / "tests" / "programs"

namespaces_needed = pytest.mark.skipif(
    subprocess.run(["unshare", "--map-root-user", "--net", "true"], capture_output=True).returncode
    != 0,
    reason="this machine lets nobody make network namespaces",
)


class Demonstration:
    """A running `p4abs demo`, and what it says."""

    def __init__(self, *options: str, before: Sequence[str] = (), **environment: str) -> None:
        self.process = subprocess.Popen(
            [*before, sys.executable, "-m", "p4abs", "demo", "--headless", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
        )

    def wait_until_begun(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if BEGUN in line:
                return
        pytest.fail(f"it ended before: {self.process.communicate()}")

    def end(self) -> tuple[int, str, str]:
        output, errors = self.process.communicate(timeout=DEADLINE_S)
        return self.process.returncode, output, errors

    def children(self) -> set[int]:
        """Its processes; they all are its own children."""
        pid = self.process.pid
        return {int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Demonstration]:
    """A demonstration under control."""
    demonstration = Demonstration("--flows", "2", "--duration", "600", "--results", str(tmp_path))
    demonstration.wait_until_begun()
    yield demonstration
    demonstration.process.kill()
    demonstration.process.communicate()


def runs(pid: int) -> bool:
    """Whether a process is there, and not only its exit status."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@namespaces_needed
def test_it_ends_with_a_table_of_its_phases_and_leaves_its_files(tmp_path: Path) -> None:
    options = ("--flows", "2", "--duration", "10", "--results", str(tmp_path))
    status, output, errors = Demonstration(*options).end()
    assert (status, errors) == (0, "")
    assert output.index(BEGUN) < output.index("oversized buffer")
    for phase in ("before", "abs", "half-load", "full-load"):
        assert any(line.split()[:1] == [phase] for line in output.splitlines())
    assert (tmp_path / "summary.json").exists()
    assert len((tmp_path / "timeseries.csv").read_text().splitlines()) > 1


@namespaces_needed
def test_it_runs_a_program_of_others_that_is_made_adaptive(tmp_path: Path) -> None:
    options = ("--flows", "2", "--duration", "10", "--results", str(tmp_path))
    status, output, errors = Demonstration(*options, "--program", str(ROUTER)).end()
    assert (status, errors) == (0, "")
    assert any(line.split()[:1] == ["full-load"] for line in output.splitlines())
    names, *rows = (tmp_path / "timeseries.csv").read_text().splitlines()
    column = names.split(",").index("limit_bytes")
    limits = {int(row.split(",")[column]) for row in rows}
    assert len(limits) > 2  # they are sized


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (PROGRAMS / "router.json", "cannot fill the program's tables: it has none of"),
        (PROGRAMS / "nothing.json", "No such file"),
    ],
)
def test_a_program_that_it_cannot_run_is_told_before_anything_is_built(
    program: Path, told: str
) -> None:
    status, output, errors = Demonstration("--program", str(program)).end()
    assert (status, output) == (2, "")
    assert told in errors
    assert len(errors.splitlines()) == 1


@pytest.fixture
def tools() -> Iterator[Path]:
    """A folder for PATH that everybody may read, with nothing that needs installing but ip."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for tool in ("ip", "unshare", "nsenter", "setpriv", "sh", "sleep"):
            found = shutil.which(tool)
            assert found is not None
            (folder / tool).symlink_to(found)
        yield folder


@namespaces_needed
def test_it_takes_no_root_and_no_iperf3(tools: Path) -> None:
    reading = [*AS_NOBODY, sys.executable, "-c", "import p4abs"]
    if subprocess.run(reading, capture_output=True).returncode != 0:
        pytest.skip("only root can become nobody, who must be able to read what is installed")
    demonstration = Demonstration(
        *("--flows", "2", "--duration", "10"), before=AS_NOBODY, PATH=str(tools)
    )
    status, output, errors = demonstration.end()
    assert (status, errors) == (0, "")
    assert "greedy" in output


@namespaces_needed
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_one_ends_all_of_its_processes(
    begun: Demonstration, number: signal.Signals
) -> None:
    children = begun.children()
    assert len(children) > 3
    begun.process.send_signal(number)
    status, output, _ = begun.end()
    assert status == 128 + number
    assert output.endswith("everything has been cleaned up\n")
    assert not any(map(runs, children))


@namespaces_needed
def test_a_killed_one_leaves_no_process(begun: Demonstration) -> None:
    children = begun.children()
    assert any(map(runs, children))
    begun.process.kill()
    wait_for(lambda: not any(map(runs, children)))


@namespaces_needed
def test_this_machine_never_sees_its_interfaces(begun: Demonstration) -> None:
    theirs = Path(f"/proc/{begun.process.pid}/net/dev").read_text()
    assert "port1" in theirs
    assert "port1" not in Path("/proc/net/dev").read_text()


@namespaces_needed
def test_a_part_that_dies_ends_it_in_one_line(begun: Demonstration) -> None:
    (switch,) = (child for child in begun.children() if "switch" in command(child))
    os.kill(switch, signal.SIGKILL)
    status, _, errors = begun.end()
    assert status == 1
    assert errors.startswith("p4abs: p4abs-switch ended with status -9")
    assert errors.count("\n") == 1


@namespaces_needed
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--flows", "0"), "flows 0"),
        (("--congestion-control", "vegas"), "vegas"),
        (("--results", "/dev/null/results"), "/dev/null/results"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(options: tuple[str, str], named: str) -> None:
    status, output, errors = Demonstration(*options).end()
    assert (status, output) == (2, "")
    assert named in errors
    assert errors.count("\n") == 1


@namespaces_needed
def test_a_missing_program_is_named_with_its_package(tmp_path: Path) -> None:
    status, _, errors = Demonstration(PATH=str(tmp_path)).end()
    assert status == 2
    assert "ip is not installed (Debian package iproute2)" in errors


def test_without_rights_one_line_says_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_flags: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(namespaces, "_unshare", refuse)
    with pytest.raises(NoNamespace, match="run it as root, or let users") as refused:
        enter_own()
    assert "\n" not in str(refused.value)


def test_what_was_started_has_ended_afterwards(tmp_path: Path) -> None:
    with processes.Processes() as started, (tmp_path / "log").open("wb") as log:
        process = started.start(["sleep", "infinity"], log)
        assert process.poll() is None
    assert process.returncode == -signal.SIGKILL


def command(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
