"""The memory that the queues of one switch share."""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from p4abs.columns import Ints


@dataclass
class MemoryPool:
    """B of the ABS paper's section 3.2: the sum of all queue limits stays within it.

    So does the sum of the queues, also while limits fall. `size_bytes` None: nothing is shared.
    """

    size_bytes: int | None


def filled(size_bytes: int, wanted_bytes: Ints, min_bytes: Ints, priority: Ints) -> Ints:
    """Divides a memory among ports; all arrays are over the ports.

    Each port gets its `min_bytes` in any case. The rest goes to the highest priority first. Ports
    of one priority share it by max-min fairness: all get the same, except those that want less
    (Bertsekas and Gallager, Data Networks, section 6.5.2). If the sum of `min_bytes` fits into the
    memory, the result does.
    """
    wanted_bytes = np.maximum(wanted_bytes, min_bytes)
    if int(wanted_bytes.sum()) <= size_bytes:
        return wanted_bytes
    got_bytes = min_bytes.copy()
    for each in sorted({*priority.tolist()}, reverse=True):
        own = priority == each
        others_bytes = int(got_bytes[~own].sum())
        got_bytes[own] = _level(size_bytes - others_bytes, wanted_bytes[own], min_bytes[own])
    return got_bytes


def _level(size_bytes: int, wanted_bytes: Ints, min_bytes: Ints) -> Ints:
    """For ports of one priority: each gets what it wants, up to the highest level that fits."""

    def got_bytes(level: int) -> Ints:
        # np.clip takes twice as long for so few.
        return np.minimum(np.maximum(level, min_bytes), wanted_bytes)

    def sum_bytes(level: int) -> int:
        return int(got_bytes(level).sum())

    level = bisect_right(range(int(wanted_bytes.max()) + 1), size_bytes, key=sum_bytes) - 1
    return got_bytes(level)
