"""The ledger ends what was started, and nothing else, also after a crash."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from absdemo.ledger import AlreadyRunning, Ledger, exclusive, start_time
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess

IGNORES_SIGTERM = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf")
time.sleep(60)
"""


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def test_all_processes_of_a_run_end_with_it(tmp_path: Path) -> None:
    with exclusive(tmp_path) as ledger, (tmp_path / "log").open("wb") as log:
        process = ledger.start(["sleep", "60"], log)
        assert start_time(process.pid) is not None
    assert start_time(process.pid) is None
    process.wait()


def test_a_process_that_ignores_sigterm_ends_too(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "processes", grace_s=0.2)
    log = tmp_path / "log"
    process = RunningProcess("deaf", [sys.executable, "-uc", IGNORES_SIGTERM], log, ledger.start)
    process.wait_until(lambda: "deaf" in log.read_text(), "said so")
    ledger.end_all()
    assert start_time(process.pid) is None
    with pytest.raises(ProcessFailed, match=f"status -{int(signal.SIGKILL)}"):
        process.check_alive()


def test_a_stopped_process_ends_within_its_grace(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "processes", grace_s=5)
    process = RunningProcess("sleep", ["sleep", "60"], tmp_path / "log", ledger.start)
    process.send_signal(signal.SIGSTOP)
    process.wait_until(lambda: state(process.pid) == "T", "stopped")
    ledger.end_all()
    with pytest.raises(ProcessFailed, match=f"status -{int(signal.SIGTERM)}"):
        process.check_alive()


def state(pid: int) -> str:
    """Of a process, as proc(5) names it: T is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_what_a_crashed_run_left_behind_is_ended(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    Ledger(tmp_path / "processes").record(sleeper.pid)
    with exclusive(tmp_path):
        assert start_time(sleeper.pid) is None


def test_a_process_that_got_a_recorded_id_later_is_left_alone(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    started = start_time(sleeper.pid)
    assert started is not None
    (tmp_path / "processes").write_text(f"{sleeper.pid} {started - 1}\n")
    with exclusive(tmp_path):
        assert start_time(sleeper.pid) == started


def test_a_line_that_was_cut_off_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "processes").write_text("12")
    with exclusive(tmp_path) as ledger:
        assert ledger.entries == []


def test_only_one_demonstration_runs_at_a_time(tmp_path: Path) -> None:
    with exclusive(tmp_path), pytest.raises(AlreadyRunning), exclusive(tmp_path):
        pass
