"""Standard error, written by a thread of its own: who has something to say waits for no reader."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from p4abs.background import Background

MOST_WAITING = 1000
"""Lines that wait for a reader who has stopped."""

LEFT_OUT = "standard error: not read fast enough, {} messages were left out"
"""What is said of so many."""

# What such a reader gets at the end.
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
        """Waits for what is left to be written, unless nobody reads it. Nothing is to follow."""
        self._background.close(_PATIENCE_S)

    def _say_what_was_left_out_at_last(self) -> None:
        if self._left_out:
            _write(self._left_out_line(self._left_out))


def _write(line: str) -> None:
    # Not by Python's own stream: a thread that waits within it makes the process abort at its end.
    with suppress(OSError):
        descriptor = sys.stderr.fileno()
        rest = f"{line}\n".encode(sys.stderr.encoding, errors="backslashreplace")
        while rest:
            rest = rest[os.write(descriptor, rest) :]
