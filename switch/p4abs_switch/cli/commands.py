"""The switch's commands: on `p4abs-switch` and, beside others, on `p4abs`."""

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

import click

from p4abs_switch.command_line.run import run
from p4abs_switch.errors import UserError

_MODULES = {
    "cli": "console",
    "differential": "differential",
    "read": "read",
    "stf": "stf",
    "switch": "switch",
    "trace": "trace",
}
"""By a command's name, which its function has, too."""

_OF_P4ABS = {"check", "control", "release", "runtime"}


class _Commands(click.Group):
    """A command's module is imported when it is run or listed."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(f"p4abs_switch.cli.{_MODULES[name]}"), name)
        return command

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is run, and its arguments. Raises UserError if there is none."""
        name = arguments[0]
        if name not in _MODULES and not name.startswith("-") and not context.resilient_parsing:
            raise UserError(f"no such command {name!r}; {_hint(name)}")
        return super().resolve_command(context, arguments)


def _hint(name: str) -> str:
    if name in _OF_P4ABS:
        return f"the package p4abs has it: p4abs {name}"
    if name.endswith((".json", ".p4")):
        return f"did you mean switch {name}?"
    close = get_close_matches(name, _MODULES, n=1)
    return f"did you mean {close[0]}?" if close else f"valid: {', '.join(_MODULES)}"


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name="p4abs-switch", prog_name="p4abs-switch", message="%(prog)s %(version)s"
)
def commands() -> None:
    """A software P4 switch with real queues, served over P4Runtime."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line of `p4abs-switch` and exits, see command_line.run()."""
    run(commands, "p4abs-switch", arguments)
