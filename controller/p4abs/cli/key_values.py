"""Options of the form `NUMBER,key=value,key=value`."""

from p4abs.errors import UserError

_MOST_DIGITS = 100  # more than any number has that is served; Python reads no more than thousands


def is_whole(text: str) -> bool:
    """Whether a text is a whole number from 0, which int() reads."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def parse_key_values(option: str, text: str) -> tuple[str, dict[str, str]]:
    """The leading number, as text, and the keys with their values. Raises UserError."""
    number, *pairs = text.split(",")
    if not is_whole(number):
        raise UserError(f"{option} {text}: begin with the port's number, such as {option} 2,...")
    values: dict[str, str] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key or not value:
            raise UserError(f"{option} {text}: {pair!r} is not of the form KEY=VALUE")
        if key in values:
            raise UserError(f"{option} {text}: {key} is given twice")
        values[key] = value
    return number, values
