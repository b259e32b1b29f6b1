"""What a command ends with: 0 done, 1 failed, 2 refused for what the user asked."""

from p4abs.errors import P4absError, UserError

USER_ERROR, FAILURE, INTERRUPTED = 2, 1, 130


def exit_status(error: P4absError) -> int:
    """The status of a command that could not do its work."""
    return USER_ERROR if isinstance(error, UserError) else FAILURE
