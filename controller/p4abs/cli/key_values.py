"""Options of the form `NUMBER,key=value,key=value`."""

from p4abs.errors import UserError


def parse_key_values(option: str, text: str) -> tuple[str, dict[str, str]]:
    """The leading number, as text, and the keys with their values. Raises UserError."""
    number, *pairs = text.split(",")
    if not (number.isascii() and number.isdigit()):
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
