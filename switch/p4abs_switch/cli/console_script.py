"""What the console scripts in BMv2's place have in common."""

import sys
from collections.abc import Sequence
from typing import NoReturn

_INTERRUPTED = 130


def end_with(name: str, arguments: Sequence[str] | None) -> NoReturn:
    """Runs the command line of a script and exits; see drop_in. None: the process's arguments."""
    try:
        from p4abs_switch.cli.drop_in import run

        status = run(name, sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    sys.exit(status)
