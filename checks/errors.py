"""Why a check cannot be made."""


class CheckError(Exception):
    """What follows cannot be checked; the text says where and why, in one line."""


class ListError(CheckError):
    """A list in docs/contributing.md cannot be read or names what does not exist.

    The text names it and what is valid.
    """


class SourceError(CheckError):
    """A source cannot be read, or is not there."""
