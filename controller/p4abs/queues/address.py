"""Which queue of which port, and the index under which registers and controller have it.

A queue's index is queue * PORT_COUNT + port (p4src/adaptive/queues.p4). So the index of a port's
queue 0 is the port's number, and whatever knows numbers of ports knows indices of queues.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from p4abs.p4_constants import PORT_COUNT

MAX_QUEUES = 8
"""A port has queues 0 to 7, as v1model's priorities."""


@dataclass(frozen=True, slots=True, order=True)
class QueueAddress:
    """A queue of a port; most ports have queue 0 only."""

    port: int
    queue: int = 0

    @classmethod
    def at(cls, index: int) -> Self:
        return cls(index % PORT_COUNT, index // PORT_COUNT)

    @property
    def index(self) -> int:
        return self.queue * PORT_COUNT + self.port


def port_text(index: int) -> str:
    """For people: `port 3`, or `port 3 queue 7`; queue 0 goes without saying."""
    at = QueueAddress.at(index)
    return f"port {at.port}" + (f" queue {at.queue}" if at.queue else "")


def port_word(index: int) -> str:
    """The same in one word: `3` or `3.7`."""
    at = QueueAddress.at(index)
    return f"{at.port}.{at.queue}" if at.queue else f"{at.port}"


def ranges_of(indices: Sequence[int]) -> list[str]:
    """These ports as they may be written, for example `1-4`, `7` and `1-4 queue 7`."""
    ranges: list[tuple[int, int]] = []
    for index in sorted(indices):
        if ranges and ranges[-1][1] == index - 1 and index % PORT_COUNT:
            ranges[-1] = (ranges[-1][0], index)
        else:
            ranges.append((index, index))
    return [_range(QueueAddress.at(first), QueueAddress.at(last)) for first, last in ranges]


def _range(first: QueueAddress, last: QueueAddress) -> str:
    ports = f"{first.port}" if first == last else f"{first.port}-{last.port}"
    return f"{ports} queue {first.queue}" if first.queue else ports


def format_ports(indices: Sequence[int]) -> str:
    """These ports, for example `port 3` or `ports 1-4, 7`."""
    return f"port{'s' if len(indices) > 1 else ''} {', '.join(ranges_of(indices))}"
