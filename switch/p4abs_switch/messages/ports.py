"""Port numbers in messages: those of the switch (P4Runtime 1.5, sections 9.2.2 and 9.5)."""

from p4abs_switch import bytestring
from p4abs_switch._engine import PORT_LIMIT
from p4abs_switch.status import invalid


def decode(value: bytes | int, what: str) -> int:
    """The port of a field; older fields are plain numbers.

    Raises RequestError INVALID_ARGUMENT, which begins with `what`, if no port can have the number.
    """
    port = value if isinstance(value, int) else int.from_bytes(value, "big")
    if not 0 <= port < PORT_LIMIT:
        raise invalid(f"{what} port {port}; valid: 0 to {PORT_LIMIT - 1}")
    return port


def encode(port: int) -> bytes:
    """The field of a port."""
    return bytestring.encode(port)
