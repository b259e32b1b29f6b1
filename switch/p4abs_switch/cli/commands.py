"""The switch's commands: on `p4abs-switch` and, beside others, on `p4abs`."""

from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from p4abs_switch.command_line.run import run

_MODULES = {
    "cli": "console",
    "differential": "differential",
    "read": "read",
    "stf": "stf",
    "switch": "switch",
    "trace": "trace",
}
"""By a command's name, which its function has, too."""


class _Commands(click.Group):
    """A command's module is imported when it is run or listed."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(f"p4abs_switch.cli.{_MODULES[name]}"), name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name="p4abs-switch", prog_name="p4abs-switch", message="%(prog)s %(version)s"
)
def commands() -> None:
    """A software P4 switch with real queues, served over P4Runtime."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line of `p4abs-switch` and exits, see command_line.run()."""
    run(commands, "p4abs-switch", arguments)
