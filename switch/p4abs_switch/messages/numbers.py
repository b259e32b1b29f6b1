"""Numbers in messages: byte strings checked against their width (P4Runtime 1.5, section 8.3)."""

from p4abs_switch.status import Code, RequestError


def decode(value: bytes, width_bits: int, what: str) -> int:
    """The unsigned integer of a `bit<W>`; any number of leading zeros is accepted.

    Raises RequestError OUT_OF_RANGE, naming `what`, for an empty or too large value.
    """
    if not value:
        raise RequestError(Code.OUT_OF_RANGE, f"{what} is empty; a bit<{width_bits}> is expected")
    number = int.from_bytes(value, "big")
    if number.bit_length() > width_bits:
        raise RequestError(
            Code.OUT_OF_RANGE, f"{what} is {number:#x}, which does not fit in bit<{width_bits}>"
        )
    return number


def decode_signed(value: bytes, width_bits: int, what: str) -> int:
    """The integer of an `int<W>`; any sign extension is accepted. Errors as decode()."""
    if not value:
        raise RequestError(Code.OUT_OF_RANGE, f"{what} is empty; an int<{width_bits}> is expected")
    number = int.from_bytes(value, "big", signed=True)
    limit = 1 << (width_bits - 1)
    if not -limit <= number < limit:
        raise RequestError(
            Code.OUT_OF_RANGE, f"{what} is {number}, which does not fit in int<{width_bits}>"
        )
    return number
