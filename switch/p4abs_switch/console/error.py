"""Why a command does nothing."""

from p4abs_switch.errors import UserError


class CommandError(UserError):
    """A command cannot be carried out; the message is one line that names what would be valid."""
