"""Port numbers in messages: those of the switch (P4Runtime 1.5, sections 9.2.2 and 9.5).

A program whose ports have a type of strings has them called so here, too (section 18.1).
"""

from p4abs_switch import bytestring
from p4abs_switch._engine import PORT_LIMIT
from p4abs_switch.program.translation import SdnStrings
from p4abs_switch.status import invalid


def decode(value: bytes | int, what: str, names: SdnStrings | None) -> int:
    """The port of a field; older fields are plain numbers. `names`: of the program's ports, if any.

    Raises RequestError INVALID_ARGUMENT, which begins with `what`, if no port can be called so.
    """
    port = value if isinstance(value, int) else _number(value, what, names)
    if not 0 <= port < PORT_LIMIT:
        raise invalid(f"{what} port {port}; valid: 0 to {PORT_LIMIT - 1}")
    return port


def encode(port: int, names: SdnStrings | None) -> bytes:
    """The field of a port."""
    return bytestring.encode(port) if names is None else names.string(port)


def _number(value: bytes, what: str, names: SdnStrings | None) -> int:
    return int.from_bytes(value, "big") if names is None else names.number(value, f"{what} port")
