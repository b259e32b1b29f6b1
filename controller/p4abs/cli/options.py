"""Options of a command that belong together, as one decorator; and times among them."""

from collections.abc import Callable
from typing import Any, TypeVar

from p4abs.units import DURATION, UnitError, format_duration, parse_duration

Command = TypeVar("Command", bound=Callable[..., Any])


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
        least = "above 0 and" if above_zero else "from 0"
        raise UnitError(
            f"{option}: {text!r} is no duration {least} up to {format_duration(DURATION.largest)}: "
            f"write seconds, such as '10', or one of the units {', '.join(DURATION.units)}, such "
            "as '5min'"
        )
    return time_s
