"""Fields of requests to the service beside P4Runtime. Everything here raises RequestError."""

from google.protobuf.struct_pb2 import Struct

from p4abs_switch.status import invalid

GREATEST_ID = 2**64 - 1
GREATEST_COUNT = 2**63 - 1


def is_set(request: Struct, name: str) -> bool:
    """Whether it is there and true."""
    return name in request.fields and request.fields[name].bool_value


def whole_if_any(request: Struct, name: str, greatest: int) -> int | None:
    """A whole number from 0; None without one."""
    return whole(request, name, greatest) if name in request.fields else None


def whole(request: Struct, name: str, greatest: int) -> int:
    """A whole number from 0."""
    text = request.fields[name].string_value if name in request.fields else ""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(greatest))
    if not is_number or int(text) > greatest:
        raise invalid(f"{name} is {text!r}; valid: decimal digits, for 0 to {greatest}")
    return int(text)
