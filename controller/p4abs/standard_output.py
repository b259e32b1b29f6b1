"""Standard output that takes nothing, any more or for now."""

import select
import sys
from contextlib import suppress


def give_up(error: OSError) -> str:
    """Closes it; returns what to say of it.

    Open, what waits to be written would be tried again, and complained of, at the very end.
    """
    with suppress(OSError):
        sys.stdout.close()
    return f"standard output: {error.strerror}"


def is_taken(patience_s: float) -> bool:
    """Whether a line of up to PIPE_BUF bytes, 4096, can be written without waiting longer."""
    try:
        output = sys.stdout.fileno()
    except (OSError, ValueError):
        return True  # no file, or a closed one
    poll = select.poll()
    poll.register(output, select.POLLOUT)
    return bool(poll.poll(1000 * patience_s))
