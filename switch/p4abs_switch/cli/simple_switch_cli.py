"""The console script `p4abs-simple-switch-cli`."""

import os
from typing import NoReturn

from p4abs_switch.cli.console_script import end_with


def main() -> NoReturn:
    """Runs the command line of BMv2's simple_switch_CLI and exits."""
    # What gRPC has to say arrives as errors too; its own log would be lines of no use.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    end_with(_run)


def _run() -> NoReturn:
    from p4abs_switch.cli.thrift_console import simple_switch_cli
    from p4abs_switch.command_line.run import run

    run(simple_switch_cli, "p4abs-simple-switch-cli")
