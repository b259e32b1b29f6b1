"""The root of the package's typed errors."""


class P4absError(Exception):
    """Anything that p4abs can explain in one line, which is its message."""


class UserError(P4absError):
    """Something the user asked for cannot be; nothing has been changed. Exit status 2."""


def one_line(text: str) -> str:
    """The text with all white space, line breaks too, shrunk to single blanks."""
    return " ".join(text.split())


def shown(value: object) -> str:
    """A value as messages quote it, in at most 60 characters."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."
