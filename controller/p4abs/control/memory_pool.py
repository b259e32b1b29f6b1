"""The memory that the queues of one switch share."""

from collections.abc import Mapping

import numpy as np

from p4abs.columns import Ints


class MemoryPool:
    """B of the ABS paper's section 3.2: the sum of all queue limits stays within it.

    So does the sum of the queues, also while limits fall.

    `size_bytes` None means that memory is not shared.
    """

    def __init__(self, size_bytes: int | None) -> None:
        self.size_bytes = size_bytes

    def left_bytes(self, held: Mapping[int, int]) -> int | None:
        """M(n) = B - sum of what the ports hold; None when memory is not shared.

        A port holds its limit, or what a higher one before has let in. Memory that a limit gives
        back is so granted to others when the queue has drained, and no sooner.
        """
        if self.size_bytes is None:
            return None
        return max(0, self.size_bytes - sum(held.values()))

    def left_in_turn(
        self, held_bytes: Ints, new_limit_bytes: Ints, others_bytes: int
    ) -> Ints | None:
        """M(n) of each port when those before it have their new limits and others hold so much."""
        if self.size_bytes is None:
            return None
        granted_bytes = np.cumsum(np.maximum(0, new_limit_bytes - held_bytes))
        taken_bytes = others_bytes + held_bytes.sum() + np.append(0, granted_bytes[:-1])
        return np.maximum(0, self.size_bytes - taken_bytes)

    def shares(self, wanted: Mapping[int, int], lowest: Mapping[int, int]) -> dict[int, int]:
        """Limits by port: the wanted ones, or when these exceed the memory, less.

        Then every port gets its lowest limit and, in proportion, of what it wanted beyond. The
        lowest limits together must fit into the memory.
        """
        if self.size_bytes is None or sum(wanted.values()) <= self.size_bytes:
            return dict(wanted)
        spare = self.size_bytes - sum(lowest.values())
        beyond = {port: wanted[port] - lowest[port] for port in wanted}
        total = sum(beyond.values())
        return {port: lowest[port] + beyond[port] * spare // total for port in wanted}
