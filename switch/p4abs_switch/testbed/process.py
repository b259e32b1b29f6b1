"""A process: waited for until it is ready, watched, and ended by its id."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Self

from p4abs_switch.testbed.listening import listens
from p4abs_switch.testbed.undivided import undivided

READY_DEADLINE_S = 30.0
END_DEADLINE_S = 5.0
_POLL_S = 0.02
# The kernel tells only of ends after it was asked: a parent that has ended before is another one.
_IF_PARENT_LIVES = 'test "$PPID" = "$0" && exec "$@"'

# Starts a command whose output goes to a file; a namespace or a ledger has a way of its own.
Start = Callable[[Sequence[str], IO[bytes]], "subprocess.Popen[bytes]"]


class NotInstalled(Exception):
    """A program is not installed; says how one gets it."""


class ProcessFailed(Exception):
    """A process did not get ready, or has ended by itself; one line with what it said last."""


def ends_with_parent(command: Sequence[str], signal_name: str = "KILL") -> tuple[str, ...]:
    """The command, which gets the signal when this process, its parent, ends in any way.

    It does not begin if this process has ended by then.
    """
    asked = ("setpriv", "--pdeathsig", signal_name)
    return (*asked, "sh", "-c", _IF_PARENT_LIVES, str(os.getpid()), *command)


def start_here(command: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
    """Starts a process that ends with this one."""
    return subprocess.Popen(
        ends_with_parent(command), stdin=subprocess.DEVNULL, stdout=output, stderr=output
    )


class Processes:
    """Use it with `with`: what is started ends with it, or with this process.

    prefix: goes before each command.
    """

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        self._prefix = prefix
        self._started: list[subprocess.Popen[bytes]] = []

    def start(
        self, command: Sequence[str], output: IO[bytes] | int, **options: str
    ) -> "subprocess.Popen[bytes]":
        """Starts a process; `options` are added to its environment."""
        with undivided():
            process = subprocess.Popen(
                ends_with_parent((*self._prefix, *command)),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | options,
            )
            self._started.append(process)
        return process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Ends them all, the last one first."""
        for process in reversed(self._started):
            end(process)


class RunningProcess:
    """A started process.

    name: as messages call it.
    address: where it serves, as HOST:PORT; empty if it serves nothing, or not yet.
    log: where its output goes.
    """

    def __init__(self, name: str, command: Sequence[str], log: Path, start: Start) -> None:
        self.address = ""
        self.log = log
        self._name = name
        with log.open("wb") as output:
            self._process = start(command, output)

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until(
        self, ready: Callable[[], bool], what: str, deadline_s: float = READY_DEADLINE_S
    ) -> None:
        """Waits until it is ready.

        what: what it has done then, such as "listened on port 9559".
        Raises ProcessFailed when it ends before or takes longer than the deadline; it has ended
        then in any case.
        """
        end_s = time.monotonic() + deadline_s
        while not ready():
            self.check_alive()
            if time.monotonic() > end_s:
                self.end()
                raise ProcessFailed(
                    f"{self._name} is not ready after {deadline_s:g} s: never {what}"
                    f"{self._said_last()}"
                )
            time.sleep(_POLL_S)

    def wait_until_listening(
        self, ports: Sequence[int], deadline_s: float = READY_DEADLINE_S
    ) -> None:
        """Waits until it listens on all of these TCP ports. Raises ProcessFailed."""
        for port in ports:
            ready = partial(listens, self.pid, port)
            self.wait_until(ready, f"listened on port {port}", deadline_s)

    def check_alive(self) -> None:
        """Raises ProcessFailed if it has ended."""
        status = self._process.poll()
        if status is not None:
            raise ProcessFailed(f"{self._name} ended with status {status}{self._said_last()}")

    def send_signal(self, number: signal.Signals) -> None:
        """Sends it a signal if it still runs."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """SIGKILL at once; it has ended."""
        self._process.kill()
        self._process.wait()

    def end(self, grace_s: float = END_DEADLINE_S) -> None:
        """SIGTERM, then SIGKILL after the grace period. Afterwards the log is complete."""
        end(self._process, grace_s)

    def _said_last(self) -> str:
        return f": {last_line(self.log)}"


def end(process: "subprocess.Popen[bytes]", grace_s: float = END_DEADLINE_S) -> None:
    """SIGTERM, then SIGKILL after the grace period; the process has ended."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(grace_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_to_end(
    command: Sequence[str], timeout_s: float, grace_s: float, output: IO[bytes] | None = None
) -> int:
    """Runs a command; returns its exit status. Raises subprocess.TimeoutExpired.

    If it takes too long, or this process ends before, it gets SIGTERM and has the grace period.
    """
    process = subprocess.Popen(
        ends_with_parent(command, "TERM"),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    try:
        return process.wait(timeout_s)
    finally:
        end(process, grace_s)


def last_line(log: Path) -> str:
    """What a process has said last."""
    return (log.read_text(errors="replace").strip().splitlines() or ["no message"])[-1]
