"""Options of a command that belong together, as one decorator."""

from collections.abc import Callable
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., Any])


def options(*each: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """The decorators that click.option gives, in the order in which the help lists them."""

    def decorate(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return decorate
