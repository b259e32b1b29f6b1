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


class _Integer(click.types.IntParamType):
    """A whole number in the digits 0 to 9. Python would also take those of other scripts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return super().convert(_digits(self, value, param, ctx), param, ctx)


INTEGER = _Integer()
"""The type of options that are whole numbers."""


class IntegerRange(click.IntRange):
    """The same within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return super().convert(_digits(self, value, param, ctx), param, ctx)


def _digits(
    kind: click.types.IntParamType,
    value: Any,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> Any:
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        kind.fail(f"{value!r} is not a whole number.", param, ctx)
    return value


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
