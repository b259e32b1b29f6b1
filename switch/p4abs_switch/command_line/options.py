"""Options of commands."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_WHOLE = re.compile(r"-?[0-9]+")

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
PATH = click.Path(path_type=Path)


def is_integer(text: str) -> bool:
    """Whether it is a whole number in the digits 0 to 9. Python would also take those of other
    scripts."""
    return _WHOLE.fullmatch(text) is not None


class _Integer(click.types.IntParamType):
    """A whole number in the digits 0 to 9."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and not is_integer(value):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)


INTEGER = _Integer()
"""The type of options that are whole numbers."""


class IntegerRange(_Integer, click.IntRange):
    """The same within bounds."""


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
