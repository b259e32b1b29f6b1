"""Numbers and arguments of commands."""

import ipaddress
import re
from collections.abc import Sequence

from p4abs_switch.bytestring import encode, parsed
from p4abs_switch.errors import InputError, wrong_number

_MAC = re.compile(r"[0-9A-Fa-f]{1,2}([:-])[0-9A-Fa-f]{1,2}(\1[0-9A-Fa-f]{1,2}){4}")
_FORMS = (
    'a number such as 17 or "0x11", an IP address such as "10.0.1.1" or'
    ' a MAC address such as "08:00:00:00:01:11"'
)

GREATEST_ID = 2**32 - 1
"""Of P4Runtime's ids."""
GREATEST_PORT = 510
"""Of BMv2's ports that packets can leave by; 511 drops them."""
GREATEST_SESSION = 2**15 - 1
"""Of BMv2's mirroring sessions."""
GREATEST_COUNT = 2**63 - 1
"""Of P4Runtime's counts, bursts and times."""


def whole(text: str, what: str, greatest: int = GREATEST_ID, least: int = 0) -> int:
    """A whole number, decimal or with 0x. Raises InputError."""
    try:
        number = parsed(text)
    except ValueError:
        number = -1
    if not least <= number <= greatest:
        raise InputError(f"{what} is {text!r}; valid: a whole number from {least} to {greatest}")
    return number


def words(line: str, usage: str) -> list[str]:
    """A command's arguments, as many as its usage names. Raises InputError."""
    found = line.split()
    if len(found) != len(usage.split()):
        raise InputError(wrong_number(len(found), "argument", usage))
    return found


def hexadecimal(value: int, width_bits: int) -> str:
    """A number with all digits of its width."""
    return f"{value:0{2 * ((width_bits + 7) // 8)}x}"


def shortest(value: int, _width_bits: int) -> str:
    """The digits of whole bytes, as few as there can be."""
    return encode(value).hex()


def with_colons(value: int, width_bits: int) -> str:
    """The same with colons between bytes."""
    digits = hexadecimal(value, width_bits)
    return ":".join(digits[place : place + 2] for place in range(0, len(digits), 2))


def before_arrow(found: Sequence[str], usage: str) -> tuple[list[str], list[str]]:
    """The words before and after `=>`. Raises InputError if there is none."""
    if "=>" not in found:
        glued = next((word for word in found if "=>" in word), None)
        if glued is not None:
            raise InputError(f"{glued!r}: => needs a blank before it and after it")
        raise InputError(f"no => between key and parameters; needed: {usage}")
    arrow = found.index("=>")
    return list(found[:arrow]), list(found[arrow + 1 :])


def number_in(value: str, width_bits: int, what: str) -> int:
    """The number that a text means, of `bit<width_bits>`. Raises InputError, naming `what`."""
    number, own_bits = meant(value)
    if number is None:
        raise InputError(f"{what} is {value!r}; valid: {_FORMS}")
    if own_bits not in (None, width_bits):
        raise InputError(
            f"{what} is {value!r}, an address of {own_bits} bits, and not bit<{width_bits}>"
        )
    if number < 0 or number.bit_length() > width_bits:
        raise InputError(f"{what} is {value!r}, which does not fit in bit<{width_bits}>")
    return number


def meant(value: str) -> tuple[int | None, int | None]:
    """The number that is meant, None for none; and of an address how many bits it has."""
    if _MAC.fullmatch(value):
        octets = bytes(int(byte, 16) for byte in re.split("[:-]", value))
        return int.from_bytes(octets, "big"), 8 * len(octets)
    try:
        return parsed(value), None
    except ValueError:
        pass
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return None, None
    return int(address), address.max_prefixlen
