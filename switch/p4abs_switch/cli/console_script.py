"""What the console scripts in BMv2's place have in common."""

import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

_INTERRUPTED = 130


def end_with_drop_in(name: str, arguments: Sequence[str] | None) -> NoReturn:
    """Runs the command line of a switch and exits; see drop_in. None: the process's arguments."""

    def run() -> int:
        from p4abs_switch.cli.drop_in import run as run_drop_in

        return run_drop_in(name, sys.argv[1:] if arguments is None else arguments)

    end_with(run)


def end_with(run: Callable[[], int]) -> NoReturn:
    """Exits with the status of `run`, which imports what it needs: that may be interrupted, too."""
    try:
        status = run()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    sys.exit(status)
