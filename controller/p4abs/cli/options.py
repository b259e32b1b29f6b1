"""Options of a command that belong together, as one decorator; and times among them."""

from collections.abc import Callable
from typing import Any, TypeVar

from p4abs.units import UnitError, parse_duration

Command = TypeVar("Command", bound=Callable[..., Any])


def options(*each: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """The decorators that click.option gives, in the order in which the help lists them."""

    def decorate(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return decorate


def seconds(option: str, text: str) -> float:
    """A time, which needs no unit. Raises UnitError with the option's name."""
    try:
        return parse_duration(f"{text}s" if text.replace(".", "", 1).isdigit() else text)
    except UnitError as error:
        raise UnitError(f"{option}: {error}") from None
