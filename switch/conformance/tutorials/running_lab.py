"""An exercise that runs: its hosts, the files they write, what it must show."""

import itertools
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from conformance.workplace.console import Console

PATIENCE_S = 60.0
_POLL_S = 0.1


class NotShown(Exception):
    """The exercise does not show what it must; one line."""


@dataclass
class RunningLab:
    """The Mininet prompt of a running exercise.

    folder: where it runs.
    """

    console: Console
    folder: Path
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def ask(self, line: str, patience_s: float = PATIENCE_S) -> str:
        """A line at Mininet's prompt, and the answer. Raises ConsoleError."""
        return self.console.ask(line, patience_s)

    def start(self, host: str, command: str) -> Path:
        """Starts a command on a host (or `sh`, beside the hosts); the file that it writes to."""
        log = self.folder / f"{host}-{next(self._numbers)}.log"
        self.ask(f"{host} {command} > {shlex.quote(log.name)} 2>&1 &")
        return log

    def receive(self, host: str, command: str = "./receive.py") -> Path:
        """Starts the exercise's receiver; returns when it says that it listens."""
        log = self.start(host, f"python3 -u {command}")
        wait_until(lambda: "sniffing" in read(log), f"{host}: {command} does not listen")
        return log

    def must_say(self, line: str, what: str, patience_s: float = PATIENCE_S) -> str:
        """Raises NotShown if the answer to a line lacks something."""
        answer = self.ask(line, patience_s)
        if what not in answer:
            raise NotShown(f"{line}: {last_line(answer)}; expected: {what}")
        return answer

    def send_until(self, line: str, arrived: Callable[[], bool], what: str, tries: int = 5) -> None:
        """Repeats a line until something has arrived: a receiver listens before it hears."""
        for _ in range(tries):
            self.ask(line)
            if holds_within(arrived, 2.0):
                return
        raise NotShown(f"{line}: never seen: {what}")


def read(log: Path) -> str:
    """What a command has written until now."""
    return log.read_text(errors="replace") if log.exists() else ""


def holds_within(condition: Callable[[], bool], patience_s: float) -> bool:
    """Whether a condition comes true in time."""
    deadline = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def wait_until(condition: Callable[[], bool], complaint: str, patience_s: float = 30.0) -> None:
    """Raises NotShown with the complaint if the condition does not come true in time."""
    if not holds_within(condition, patience_s):
        raise NotShown(complaint)


def last_line(text: str) -> str:
    """What was said last."""
    return (text.strip().splitlines() or ["nothing"])[-1].strip()
