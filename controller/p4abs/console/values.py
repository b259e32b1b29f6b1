"""Numbers and arguments of commands."""

from collections.abc import Sequence

from p4abs.console.error import CommandError

GREATEST_ID = 2**32 - 1
"""Of P4Runtime's ids and ports."""
GREATEST_COUNT = 2**63 - 1
"""Of P4Runtime's counts, bursts and times."""


def whole(text: str, what: str, greatest: int = GREATEST_ID) -> int:
    """A whole number from 0, decimal or with 0x. Raises CommandError."""
    try:
        number = int(text, 0)
    except ValueError:
        number = -1
    if not 0 <= number <= greatest:
        raise CommandError(f"{what} is {text!r}; valid: a whole number from 0 to {greatest}")
    return number


def words(line: str, usage: str, *, more: bool = False) -> list[str]:
    """A command's arguments, as many as its usage names, or `more`. Raises CommandError."""
    found = line.split()
    count = len(usage.split())
    if len(found) < count or (len(found) > count and not more):
        raise CommandError(f"{len(found)} arguments; valid: {usage or 'none'}{' ...' * more}")
    return found


def hexadecimal(value: bytes, width_bits: int) -> str:
    """A P4Runtime byte string with all digits of its width."""
    return f"{int.from_bytes(value, 'big'):0{2 * ((width_bits + 7) // 8)}x}"


def shortest(value: bytes, _width_bits: int) -> str:
    """The digits of a P4Runtime byte string without leading bytes of zeros, but of one at least."""
    return (value.lstrip(b"\0") or b"\0").hex()


def with_colons(value: bytes, width_bits: int) -> str:
    """The same with colons between bytes."""
    digits = hexadecimal(value, width_bits)
    return ":".join(digits[place : place + 2] for place in range(0, len(digits), 2))


def before_arrow(found: Sequence[str], usage: str) -> tuple[list[str], list[str]]:
    """What stands before `=>` and behind it. Raises CommandError without one."""
    if "=>" not in found:
        raise CommandError(f"no => between key and what it leads to; valid: {usage}")
    arrow = found.index("=>")
    return list(found[:arrow]), list(found[arrow + 1 :])
