"""Byte strings: P4 integers in P4Runtime messages (P4Runtime 1.4, section 8.3)."""

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


def encode(number: int) -> bytes:
    """The shortest byte string of an unsigned integer; zero is one byte."""
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


def encode_signed(number: int) -> bytes:
    """The shortest two's complement byte string of an integer."""
    magnitude = number if number >= 0 else ~number
    return number.to_bytes(magnitude.bit_length() // 8 + 1, "big", signed=True)


def canonical(value: bytes) -> bytes:
    """The shortest byte string of the same unsigned integer."""
    return value.lstrip(b"\0") or b"\0"
