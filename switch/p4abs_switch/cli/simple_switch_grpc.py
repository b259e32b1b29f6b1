"""The console script `p4abs-simple-switch-grpc`."""

import sys
from collections.abc import Sequence

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and exits; see drop_in."""
    try:
        from p4abs_switch.cli.drop_in import run

        status = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    sys.exit(status)
