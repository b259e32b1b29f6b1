"""Standard output that takes nothing any more."""

import sys
from contextlib import suppress


def give_up(error: OSError) -> str:
    """Closes it; returns what to say of it.

    Open, what waits to be written would be tried again, and complained of, at the very end.
    """
    with suppress(OSError):
        sys.stdout.close()
    return f"standard output: {error.strerror}"
