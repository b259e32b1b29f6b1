"""Errors of commands: one line and an exit status, on every command line."""

import click


class Failure(click.ClickException):
    """What could not be done; the message is one line. Exit status 1."""

    exit_code = 1


class UserError(click.ClickException):
    """Something the user asked for cannot be; nothing has been changed. Exit status 2."""

    exit_code = 2


class InputError(UserError):
    """A name, a number or a program that means nothing here; the message says what would."""


def one_line(text: str) -> str:
    """The text with all white space, line breaks too, shrunk to single blanks."""
    return " ".join(text.split())


def wrong_number(given: int, of_what: str, needed: str) -> str:
    """The message for a wrong number of arguments; `needed` names those that are needed."""
    plural = "" if given == 1 else "s"
    return f"{given} {of_what}{plural} given; needed: {needed or 'none'}"
