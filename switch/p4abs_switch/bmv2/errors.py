"""What is wrong with a name, a number or a program."""


class InputError(Exception):
    """It means nothing here; the message is one line that says what would."""
