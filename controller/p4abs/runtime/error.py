"""What is wrong in a runtime file."""

from p4abs.errors import UserError


class RuntimeFileError(UserError):
    """A runtime file cannot be applied; the message is one line that names the place."""
