"""What a command ends with: 0 done, 1 failed, 2 refused for what the user asked."""

from p4abs.errors import P4absError, UserError

FAILURE = 1
"""The command could not do its work, or found something wrong in what it checked."""
USER_ERROR = 2
"""An option, the configuration or a file is not valid."""
INTERRUPTED = 130
"""Ctrl-C ended the command before it had begun its work."""


def exit_status(error: P4absError) -> int:
    """The status of a command that could not do its work."""
    return USER_ERROR if isinstance(error, UserError) else FAILURE
