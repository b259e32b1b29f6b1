"""What a test's author can correct."""

from p4abs_switch.errors import InputError


class StfError(InputError):
    """A test cannot be read; the message is one line that says why."""
