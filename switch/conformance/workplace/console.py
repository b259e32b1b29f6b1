"""A program at a pseudo-terminal, asked as a person would ask it."""

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

_CHUNK_BYTES = 65536
_GRACE_S = 10.0

MININET_PROMPT = "mininet> "


class ConsoleError(Exception):
    """The program has ended, or does not ask again; the message holds what it said last."""


class Console:
    """Use it with `with`; the program is killed at the end if it has not ended by itself.

    folder: where it runs; all that it says is in console.log there.
    prompt: with what the program asks for a line, if it does.
    """

    def __init__(self, command: Sequence[str], folder: Path, path: str, prompt: str = "") -> None:
        self._prompt = prompt
        self._log = (folder / "console.log").open("w")
        self._unread = ""
        self._has_ended = False
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path, "TERM": "dumb"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)
        self._log.close()

    def ask(self, line: str, patience_s: float) -> str:
        """Types a line; returns what comes until the next prompt. Raises ConsoleError."""
        os.write(self._master, f"{line}\n".encode())
        return self.wait(patience_s)

    def wait(self, patience_s: float) -> str:
        """What comes until the next prompt. Raises ConsoleError."""
        deadline = time.monotonic() + patience_s
        while self._prompt not in self._unread:
            if not self._receive(deadline):
                raise ConsoleError(f"no answer within {patience_s:g} s{self._said_last()}")
            if self._has_ended:
                raise ConsoleError(f"has ended{self._said_last()}")
        said, _, self._unread = self._unread.partition(self._prompt)
        return said

    def wait_for_end(self, patience_s: float) -> str:
        """What comes until the program ends by itself. Raises ConsoleError."""
        deadline = time.monotonic() + patience_s
        while not self._has_ended:
            if not self._receive(deadline):
                raise ConsoleError(f"no end within {patience_s:g} s{self._said_last()}")
        return self._unread

    def leave(self, line: str) -> None:
        """Types a last line and gives the program some time to end."""
        os.write(self._master, f"{line}\n".encode())
        deadline = time.monotonic() + _GRACE_S
        while self._process.poll() is None and time.monotonic() < deadline:
            if select.select([self._master], [], [], 0.1)[0]:
                try:
                    os.read(self._master, _CHUNK_BYTES)
                except OSError:  # it has closed its terminal, and is killed if it does not end
                    with suppress(subprocess.TimeoutExpired):
                        self._process.wait(_GRACE_S)
                    return

    def _receive(self, deadline_s: float) -> bool:
        """Waits for something to read; False if nothing comes in time."""
        remaining_s = max(0, deadline_s - time.monotonic())
        if not select.select([self._master], [], [], remaining_s)[0]:
            return False
        try:
            text = os.read(self._master, _CHUNK_BYTES).decode(errors="replace")
        except OSError:  # EIO: the program has closed its terminal
            self._has_ended = True
            return True
        self._log.write(text)
        self._log.flush()
        self._unread += text.replace("\r", "")
        return True

    def _said_last(self) -> str:
        # That make has failed is no reason.
        said = self._unread.strip().splitlines()
        lines = [line for line in said if not line.startswith("make: ")]
        return f": {lines[-1].strip()}" if lines else ""
