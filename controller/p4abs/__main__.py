"""`python -m p4abs` and the console script `p4abs`."""

import os
import signal
import sys

_INTERRUPTED = 130


def main() -> None:
    """Runs the command line and exits; see p4abs.cli."""
    # What gRPC has to say arrives as errors too; its own log would be lines of no use.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if sys.argv[1:2] == ["control"]:
        # The kernel keeps the signal until the controller can reload its configuration
        # (cli/control_run.py).
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        from p4abs.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
