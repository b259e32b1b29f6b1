"""What a test's author can correct."""


class StfError(Exception):
    """A test or a program cannot be read; the message is one line that says why."""
