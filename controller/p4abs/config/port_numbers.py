"""Which ports a `number` names: one, a range, or a list of both."""

import re

from p4abs.p4_constants import PORT_COUNT

_RANGE = re.compile(r"\s*(\d{1,18})\s*(?:-\s*(\d{1,18})\s*)?", re.ASCII)
_VALID = "a port, a range of ports or a list of both, such as 2, '1-256' or [1, '5-8']"


def port_numbers(value: object) -> list[int]:
    """The ports in the order in which they are written, both ends of a range included.

    Raises ValueError with what would be valid.
    """
    numbers: dict[int, None] = {}
    for part in value if isinstance(value, list) else [value]:
        for number in _part(part):
            if number in numbers:
                raise ValueError(f"port {number} is named twice; name each port once")
            numbers[number] = None
    if not numbers:
        raise ValueError(f"names no port; write {_VALID}")
    return list(numbers)


def _part(part: object) -> range:
    if isinstance(part, int) and not isinstance(part, bool):
        first = last = part
    elif isinstance(part, str) and (match := _RANGE.fullmatch(part)):
        first, last = int(match[1]), int(match[2] or match[1])
    else:
        raise ValueError(f"must be {_VALID}")
    for number in (first, last):
        if not 0 <= number < PORT_COUNT:
            raise ValueError(f"port {number}: the P4 program has the ports 0 to {PORT_COUNT - 1}")
    if last < first:
        raise ValueError(
            f"the range {first}-{last} is reversed; write the lower port first: '{last}-{first}'"
        )
    return range(first, last + 1)
