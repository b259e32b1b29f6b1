"""Values of runtime files as P4Runtime's byte strings."""

import ipaddress
import json
import re
from collections.abc import Sequence

from finsy.p4values import encode_exact

from p4abs.errors import UserError


class RuntimeFileError(UserError):
    """A runtime file cannot be applied; the message is one line that names the place."""


class EntriesRefused(RuntimeFileError):
    """Entries of a runtime file that no switch takes.

    reasons: for each of them a line that names file and place.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        others = len(reasons) - 1
        more = f" (and {others} more error{'s' if others > 1 else ''})" if others else ""
        super().__init__(f"{reasons[0]}{more}")
        self.reasons = tuple(reasons)


_MAC = re.compile(r"[0-9A-Fa-f]{1,2}([:-])[0-9A-Fa-f]{1,2}(\1[0-9A-Fa-f]{1,2}){4}")
# Python also takes the digits of other scripts, underscores and blanks.
_WHOLE = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+)")
_FORMS = (
    'a number such as 17 or "0x11", an IP address such as "10.0.1.1" or'
    ' a MAC address such as "08:00:00:00:01:11"'
)


def shown(value: object) -> str:
    """A value as messages quote it, in JSON's spelling, printable and in at most 60 characters."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def is_what(value: object) -> str:
    """What messages say that a value of the file is; JSON's null counts as no value."""
    return "is missing" if value is None else f"is {shown(value)}"


def encode(value: object, width_bits: int, what: str) -> bytes:
    """The shortest byte string of a value of `bit<width_bits>`, which may be in a list of its own.

    Raises RuntimeFileError, naming `what`.
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    number, own_bits = _number(value)
    if number is None:
        raise RuntimeFileError(f"{what} {is_what(value)}; valid: {_FORMS}")
    if own_bits not in (None, width_bits):
        raise RuntimeFileError(
            f"{what} is {shown(value)}, an address of {own_bits} bits, and not bit<{width_bits}>"
        )
    if number < 0 or number.bit_length() > width_bits:
        raise RuntimeFileError(f"{what} is {shown(value)}, which does not fit in bit<{width_bits}>")
    return encode_exact(number, max(1, width_bits))  # a width of 0 would stand for a text


def masked(value: bytes, mask: int) -> bytes:
    """A value without the bits that its mask leaves out: P4Runtime wants them to be 0."""
    return encode_exact(int.from_bytes(value, "big") & mask, 8 * len(value))


def _number(value: object) -> tuple[int | None, int | None]:
    """The number that is meant, None for none; and of an address how many bits it has."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value, None
    if not isinstance(value, str):
        return None, None
    if _MAC.fullmatch(value):
        octets = bytes(int(byte, 16) for byte in re.split("[:-]", value))
        return int.from_bytes(octets, "big"), 8 * len(octets)
    if _WHOLE.fullmatch(value):
        try:
            return int(value, 0), None
        except ValueError:
            return None, None  # begins with 0, or is too long
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return None, None
    return int(address), address.max_prefixlen
