"""Commands that installed packages register as entry points of the group `p4abs.commands`."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from typing import Any

import click

from p4abs.errors import UserError
from p4abs.suggestions import suggestion

ENTRY_POINT_GROUP = "p4abs.commands"

_OF_SWITCH = ("cli", "differential", "read", "stf", "switch", "trace")
_PACKAGES = {"demo": "p4abs-demonstration", **dict.fromkeys(_OF_SWITCH, "p4abs-switch")}
"""Of commands that other packages register."""

_COMMANDS_OF_FILES = {".json": "switch", ".toml": "control --config"}
"""What a file is given to, by its name's ending."""


class BrokenRegistration(UserError):
    """A package registers a command that cannot be loaded; the message names both."""


class RegisteredCommands(click.Group):
    """A group of entry points. A command's module is imported when it is run or listed.

    The help lists a broken registration with what is wrong; running it raises BrokenRegistration.
    """

    def __init__(self, entry_points: Iterable[EntryPoint], **settings: Any) -> None:
        super().__init__(**settings)
        self._entry_points: dict[str, list[EntryPoint]] = {}
        for entry_point in entry_points:
            self._entry_points.setdefault(entry_point.name, []).append(entry_point)

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(self._entry_points)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self._entry_points:
            return None
        try:
            return _load(name, self._entry_points[name])
        except BrokenRegistration as error:
            return _refusing(name, error)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is run, and its arguments. Raises UserError if nobody registers it."""
        name = arguments[0]
        known = name in self._entry_points or name.startswith("-")
        if not known and not context.resilient_parsing:
            raise UserError(f"no such command {name!r}; {self._hint(name)}")
        return super().resolve_command(context, arguments)

    def _hint(self, name: str) -> str:
        if name in _PACKAGES:
            return f"the package {_PACKAGES[name]} has it; in a clone, `make setup` installs all"
        for ending, command in _COMMANDS_OF_FILES.items():
            if name.endswith(ending) and command.split()[0] in self._entry_points:
                return f"did you mean {command} {name}?"
        return suggestion(name, sorted(self._entry_points))


def _load(name: str, entry_points: list[EntryPoint]) -> click.Command:
    if len(entry_points) > 1:
        modules = " and ".join(entry_point.value for entry_point in entry_points)
        raise BrokenRegistration(f"the command {name!r} is registered more than once: {modules}")
    (entry_point,) = entry_points
    try:
        command = entry_point.load()
    # Importing runs another package's code. Whatever it raises, the other commands must still work.
    except Exception as error:
        raise BrokenRegistration(
            f"the command {name!r} ({entry_point.value}) cannot be loaded "
            f"({type(error).__name__}: {error}); 'make setup' installs it again"
        ) from error
    if not isinstance(command, click.Command):
        raise BrokenRegistration(
            f"the command {name!r} ({entry_point.value}) is not a click command, but of the type "
            f"{type(command).__name__}"
        )
    return command


def _refusing(name: str, error: BrokenRegistration) -> click.Command:
    def refuse() -> None:
        raise error

    return click.Command(
        name,
        callback=refuse,
        short_help=str(error),
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
