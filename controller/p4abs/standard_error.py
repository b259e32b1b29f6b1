"""Standard error, written by a thread of its own, so that no writer waits for a reader."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from p4abs.background import Background

MOST_WAITING = 1000
"""The most lines that wait for a stopped reader."""

LEFT_OUT = "standard error: not read fast enough, {} messages were left out"
"""The message about lines that were left out."""

# The time that a stopped reader has at the end.
_PATIENCE_S = 5.0


class StandardError:
    """Takes lines, for one thread at a time. Those beyond MOST_WAITING are left out.

    `left_out` is what is said of so many, when lines are taken again.
    """

    def __init__(self, left_out: Callable[[int], str]) -> None:
        self._left_out_line = left_out
        self._left_out = 0
        self._background = Background(_write, MOST_WAITING, self._say_what_was_left_out_at_last)

    def say(self, line: str) -> None:
        """Returns at once."""
        if self._left_out and self._background.offer(self._left_out_line(self._left_out)):
            self._left_out = 0
        if self._left_out or not self._background.offer(line):
            self._left_out += 1

    def close(self) -> None:
        """Waits until the remaining lines are written, unless nobody reads them. It is the last
        call."""
        self._background.close(_PATIENCE_S)

    def _say_what_was_left_out_at_last(self) -> None:
        if self._left_out:
            _write(self._left_out_line(self._left_out))


def _write(line: str) -> None:
    # Python's own stream is not used: the process would abort at its end if a thread waits in it.
    with suppress(OSError):
        descriptor = sys.stderr.fileno()
        rest = f"{line}\n".encode(sys.stderr.encoding, errors="backslashreplace")
        while rest:
            rest = rest[os.write(descriptor, rest) :]
