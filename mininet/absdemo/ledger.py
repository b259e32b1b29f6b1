"""The processes that a demonstration starts, and how each of them ends, even after a crash.

Every process is written to a ledger before anything else happens to it. A later start reads the
ledger of a run that did not end properly and ends what is left of it: by process id, and only if
the start time still matches, so a reused id is never touched.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from p4abs_switch.testbed.undivided import undivided

RUN_DIRECTORY = Path("/run/p4abs-demo")
GRACE_S = 3.0  # from SIGTERM to SIGKILL
POLL_S = 0.02


class AlreadyRunning(Exception):
    """Another demonstration holds the lock."""


def start_time(pid: int) -> int | None:
    """When a process started, in clock ticks since boot (proc(5)); None: it does not run."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return None if state == "Z" else int(fields[18])


@dataclass(frozen=True)
class Entry:
    """A process in the ledger."""

    pid: int
    started: int

    def alive(self) -> bool:
        """Whether it still runs, and its id is no other process's by now."""
        return start_time(self.pid) == self.started

    def signal(self, number: signal.Signals) -> None:
        """Unless it has ended."""
        if self.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


def end(entries: Sequence[Entry], grace_s: float = GRACE_S) -> None:
    """SIGTERM, and SIGKILL for those that are still there after the grace period.

    SIGCONT in between: a process that has been stopped takes no SIGTERM before it goes on.
    """
    endings = (((signal.SIGTERM, signal.SIGCONT), grace_s), ((signal.SIGKILL,), GRACE_S))
    for numbers, patience_s in endings:
        for entry in entries:
            for number in numbers:
                entry.signal(number)
        deadline = time.monotonic() + patience_s
        while any(entry.alive() for entry in entries) and time.monotonic() < deadline:
            time.sleep(POLL_S)


@dataclass
class Ledger:
    """All processes of one run; the file outlives a crash."""

    path: Path
    grace_s: float = GRACE_S
    entries: list[Entry] = field(default_factory=list[Entry])

    def record(self, pid: int) -> Entry:
        """Writes a process down; one that has ended already with a time at which none started."""
        entry = Entry(pid, start_time(pid) or 0)
        self.entries.append(entry)
        with self.path.open("a") as file:
            file.write(f"{entry.pid} {entry.started}\n")
        return entry

    def start(self, command: Sequence[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts a process in a session of its own: Ctrl-C reaches the demonstration alone."""
        with undivided():
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
            self.record(process.pid)
        return process

    def end_all(self) -> None:
        """All processes end, see end(); what is written of them goes."""
        end(self.entries, self.grace_s)
        self.entries.clear()
        self.path.unlink(missing_ok=True)


def read_ledger(path: Path) -> list[Entry]:
    """What an earlier run wrote; a line cut off by a crash is skipped."""
    if not path.exists():
        return []
    lines = (line.split() for line in path.read_text().splitlines())
    return [Entry(int(words[0]), int(words[1])) for words in lines if len(words) == 2]


@contextlib.contextmanager
def exclusive(directory: Path = RUN_DIRECTORY) -> Iterator[Ledger]:
    """The ledger of this run, after what a crashed run left behind has been ended.

    The kernel releases the lock when the demonstration dies, however it dies.
    """
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning("another demonstration is running on this machine") from None
        path = directory / "processes"
        end(read_ledger(path))
        path.unlink(missing_ok=True)
        ledger = Ledger(path)
        try:
            yield ledger
        finally:
            ledger.end_all()
