"""`python -m p4abs_switch` and the console script `p4abs-switch`."""

import os
from typing import NoReturn

from p4abs_switch.cli.console_script import end_with


def main() -> NoReturn:
    """Runs one of the switch's commands and exits."""
    # What gRPC has to say arrives as errors too; its own log would be lines of no use.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    end_with(_run)


def _run() -> NoReturn:
    from p4abs_switch.cli.commands import main as run

    run()


if __name__ == "__main__":
    main()
