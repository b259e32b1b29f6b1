"""P4 numbers as texts, and as byte strings: canonical, as P4Runtime sends them (P4Runtime 1.5,
section 8.3), and filled, as BMv2 does."""

import re

_WHOLE = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+)")


def parsed(text: str) -> int:
    """The whole number that a text is: decimal, or with 0x, 0o or 0b. Python also takes digits of
    other scripts, underscores and blanks, which are slips here. Raises ValueError."""
    if not _WHOLE.fullmatch(text):
        raise ValueError("not a whole number")
    return int(text, 0)


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
