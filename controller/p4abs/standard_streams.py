"""Standard streams that are closed, or whose reader is gone or has stopped."""

import os
import select
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def prepare() -> None:
    """Opens the null device for those that were closed when the process was started.

    Otherwise the next file or socket would get the number of a standard stream. Characters that the
    output's encoding lacks are written as their codes.
    """
    for name, mode in _MODES.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def close_output(error: OSError) -> str:
    """Closes standard output; returns the error, if any.

    Otherwise Python would try the buffered output again at its end, and complain.
    """
    with suppress(OSError):
        sys.stdout.close()
    return f"standard output: {error.strerror}"


def accepts_line(stream: TextIO, patience_s: float) -> bool:
    """Whether the stream accepts a line of up to PIPE_BUF bytes, 4096, without waiting longer."""
    poll = select.poll()
    try:
        poll.register(stream.fileno(), select.POLLOUT)
        return bool(poll.poll(1000 * patience_s))
    except (OSError, ValueError):
        return True  # no file, a closed one, or no resources to ask by
