"""Python's log on standard error or in a file. A thread writes it: no writer waits for a reader."""

import logging
import os
import sys
from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import IO

MAX_WAITING = 1000
"""The most lines that wait for a stopped reader."""

LEFT_OUT = "standard error: not read fast enough, {} messages were left out"
"""The message about lines that were left out, once lines are taken again."""

# The time that a stopped reader has at the end.
_PATIENCE_S = 5.0


class LogHandler(logging.Handler):
    """It has a thread from the first record on.

    file: None: what is standard error then.
    """

    def __init__(self, file: IO[bytes] | None = None) -> None:
        super().__init__()
        self._file = file
        self._lines: Queue[str | None] = Queue(MAX_WAITING)
        self._thread = Thread(target=self._write, daemon=True)
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """See logging.Handler."""
        if not self._thread.is_alive():
            self._thread.start()
        try:
            if self._left_out:
                self._lines.put_nowait(LEFT_OUT.format(self._left_out))
                self._left_out = 0
            self._lines.put_nowait(self.format(record))
        except Full:
            self._left_out += 1

    def close(self) -> None:
        """Waits for what is left to be written, unless nobody reads it. See logging.Handler."""
        if self._thread.is_alive():
            with suppress(Full):
                if self._left_out:
                    self._lines.put(LEFT_OUT.format(self._left_out), timeout=_PATIENCE_S)
                self._lines.put(None, timeout=_PATIENCE_S)
                self._thread.join(_PATIENCE_S)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            # Python's own stream is not used: the process would abort at its end if a thread waits
            # in it.
            with suppress(OSError):
                descriptor = (self._file or sys.stderr).fileno()
                rest = f"{line}\n".encode(sys.stderr.encoding, errors="backslashreplace")
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
