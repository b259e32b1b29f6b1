"""What commands say in one line and an exit status, on whichever command line they stand."""

import click


class Failure(click.ClickException):
    """What could not be done; the message is one line. Exit status 1."""

    exit_code = 1


class UserError(click.ClickException):
    """Something the user asked for cannot be; nothing has been changed. Exit status 2."""

    exit_code = 2


def one_line(text: str) -> str:
    """The text with all white space, line breaks too, shrunk to single blanks."""
    return " ".join(text.split())
