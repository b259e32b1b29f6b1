"""`python -m p4abs` and the console script `p4abs`."""

import os
import sys
from typing import NoReturn

_INTERRUPTED = 130


def main() -> NoReturn:
    """Runs the command line; see p4abs.cli."""
    # What gRPC has to say arrives as errors too; its own log would be lines of no use.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        from p4abs.cli import main as run
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
