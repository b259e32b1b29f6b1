"""Byte strings of P4 numbers: canonical, as P4Runtime sends them (P4Runtime 1.5, section 8.3), and
filled, as BMv2 does."""


def encode(number: int) -> bytes:
    """The shortest byte string of an unsigned integer; zero is one byte."""
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


def canonical(value: bytes) -> bytes:
    """The shortest byte string of the same unsigned integer."""
    return value.lstrip(b"\0") or b"\0"


def filled(value: bytes, width_bits: int) -> bytes:
    """All bytes of a number that fits so many bits."""
    length = (width_bits + 7) // 8
    return value[-length:].rjust(length, b"\0")
