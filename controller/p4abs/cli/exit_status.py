"""What a command ends with: 0 done, 1 failed, 2 refused for what the user asked."""

from p4abs.errors import P4absError, UserError

FAILURE = 1
"""The command could not do its work, or what it checked is not as it should be."""
USER_ERROR = 2
"""What was asked for is not valid: options, a configuration or a file."""
INTERRUPTED = 130
"""Ctrl-C ended the command before it had begun its work."""


def exit_status(error: P4absError) -> int:
    """The status of a command that could not do its work."""
    return USER_ERROR if isinstance(error, UserError) else FAILURE
