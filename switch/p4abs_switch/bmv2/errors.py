"""What is wrong with a name, a number or a program."""

from p4abs_switch.errors import UserError


class InputError(UserError):
    """It means nothing here; the message is one line that says what would."""
