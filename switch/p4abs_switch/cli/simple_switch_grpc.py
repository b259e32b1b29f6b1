"""The console script `p4abs-simple-switch-grpc`."""

from collections.abc import Sequence
from typing import NoReturn

from p4abs_switch.cli.console_script import end_with_drop_in


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line of BMv2's simple_switch_grpc and exits."""
    end_with_drop_in("p4abs-simple-switch-grpc", arguments)
