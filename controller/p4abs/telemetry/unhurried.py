"""Work that gives way to the control loop.

Python runs one thread at a time. A thread that computes lets another one go on after 5 ms at the
earliest (`sys.getswitchinterval`), and again each time that one has waited for the network.
"""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

# About a tenth of a millisecond of work, and the shortest pause that Linux keeps well.
_AT_A_TIME = 16
_PAUSE_S = 0.0002


def unhurried(items: Iterable[T]) -> Iterator[T]:
    """The items, with pauses in which other threads run."""
    for index, item in enumerate(items, 1):
        yield item
        if index % _AT_A_TIME == 0:
            time.sleep(_PAUSE_S)
