"""Options of commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
PATH = click.Path(path_type=Path)


def option(names: str, help: str, metavar: str | None = None, **more: Any) -> Decorator:
    """An option, and what help says of it; a default that is given is shown there.

    names: with blanks between them; more: as click.option takes it.
    """
    shown: dict[str, Any] = {"show_default": True} if "default" in more else {}
    return click.option(*names.split(), help=help, metavar=metavar, **shown, **more)


def options(*each: Decorator) -> Callable[[Command], Command]:
    """Options that belong together, in the order in which the help lists them."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(each):
            command = decorator(command)
        return command

    return decorate
