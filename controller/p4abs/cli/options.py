"""Options of a command that belong together, as one decorator; and how some of them are read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from p4abs.errors import UserError
from p4abs.units import DURATION, UnitError, format_duration, parse_duration

_MAX_DIGITS = 100  # more digits than any valid number has; Python itself reads only some thousands

Command = TypeVar("Command", bound=Callable[..., Any])


class _Integer(click.types.IntParamType):
    """A whole number in the digits 0 to 9. Python would also take those of other scripts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and not is_whole(value.removeprefix("-")):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)


INTEGER = _Integer()
"""The type of options that are whole numbers."""

PATH = click.Path(path_type=Path, dir_okay=False)
"""The type of options that are files."""


def options(*each: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """The decorators that click.option gives, in the order in which the help lists them."""

    def decorate(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return decorate


def seconds(option: str, text: str, *, above_zero: bool = False) -> float:
    """A time, which needs no unit. Raises UnitError with the option's name and what is valid."""
    try:
        time_s = parse_duration(text if text[-1:].isalpha() else f"{text}s")
    except UnitError:
        time_s = -1.0
    if time_s < 0 or (above_zero and not time_s):
        least = "above 0 and at most" if above_zero else "from 0 to"
        raise UnitError(
            f"{option}: {text!r}: must be a duration {least} {format_duration(DURATION.largest)}, "
            f"in seconds, such as '10', or with a unit ({', '.join(DURATION.units)}), such as "
            "'5min'"
        )
    return time_s


def is_whole(text: str) -> bool:
    """Whether a text is a whole number from 0, which int() reads."""
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def parse_key_values(option: str, text: str) -> tuple[str, dict[str, str]]:
    """Splits `NUMBER,key=value,...` into the number's text and values by key. Raises UserError."""
    number, *pairs = text.split(",")
    if not is_whole(number):
        raise UserError(f"{option} {text}: must begin with a port's number, such as {option} 2,...")
    values: dict[str, str] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key or not value:
            raise UserError(f"{option} {text}: {pair!r} must be KEY=VALUE")
        if key in values:
            raise UserError(f"{option} {text}: {key} is given twice")
        values[key] = value
    return number, values
