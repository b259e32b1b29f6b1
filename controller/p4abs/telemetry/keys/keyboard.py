"""The terminal at standard input, read key by key, without waiting and without an echo."""

import contextlib
import os
import re
import signal
import sys
import termios
import tty
from typing import Any, TextIO

_LOCAL_MODES = 3  # among the attributes of a terminal
# A key of one character, or what a terminal sends for one such as an arrow.
_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


class Keyboard:
    """Its modes are as they were at the end. Where standard input is no terminal it has no keys.

    In the background the terminal belongs to another process, so it is neither read nor set.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        """For the main thread."""
        stream = stream or sys.stdin
        self._descriptor = stream.fileno() if stream.isatty() else None
        self._modes: list[Any] | None = None
        if self._descriptor is not None:
            # They would stop the process, which controls switches.
            for number in (signal.SIGTTIN, signal.SIGTTOU):
                signal.signal(number, signal.SIG_IGN)

    def descriptors(self) -> list[int]:
        """What to wait on for keys; puts the terminal in the mode for them.

        To be asked again and again: a shell sets its modes while the process is stopped.
        """
        if self._descriptor is None or not _is_ours(self._descriptor):
            return []
        try:
            modes = termios.tcgetattr(self._descriptor)
            if modes[_LOCAL_MODES] & termios.ICANON:
                self._modes = self._modes or modes
                tty.setcbreak(self._descriptor, termios.TCSANOW)
        except (OSError, termios.error):
            return []
        return [self._descriptor]

    def pressed(self) -> list[str]:
        """The keys that were pressed; waits for the first."""
        if self._descriptor is None:
            return []
        try:
            text = os.read(self._descriptor, 1024).decode(errors="ignore")
        except OSError:
            text = ""
        if not text:
            self._descriptor = None  # the terminal is gone
        return _KEY.findall(text)

    def give_back(self) -> None:
        """The terminal is as it was before. May be called more than once."""
        modes, self._modes = self._modes, None
        if modes is not None and self._descriptor is not None and _is_ours(self._descriptor):
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSANOW, modes)


def _is_ours(descriptor: int) -> bool:
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return True  # not the terminal by which a shell controls this process
