"""A link that two queues share, and the counters that a data plane would hold of the first."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from p4abs.measurements import Snapshot

LINK_BPS = 8_000_000  # a byte in a microsecond

Arrivals = Sequence[tuple[int, int]]
"""Times in us, which do not decrease, and sizes in bytes."""


class SharedLink:
    """Frames of the queue above go first; a frame that is being sent is not interrupted."""

    def __init__(self, above: Arrivals, below: Arrivals) -> None:
        self._arrived_us = [time_us for time_us, _ in above]
        self._sizes = [size for _, size in above]
        self._begun_us: list[int] = []
        free_us, waiting = 0, list(reversed(below))
        for arrived_us, size in above:
            while waiting and max(free_us, waiting[-1][0]) < arrived_us:
                came_us, taken = waiting.pop()
                free_us = max(free_us, came_us) + taken
            self._begun_us.append(max(free_us, arrived_us))
            free_us = self._begun_us[-1] + size
        self._sent = [0, *accumulate(self._sizes)]
        self._unsaturated = [*accumulate(self._unsaturated_after(), _sum, initial=(0, 0))]

    def rate_while_busy_bps(self) -> float:
        """What the queue above sent, by the time in which a frame of it waited or was sent."""
        busy_us = until_us = 0
        for arrived_us, begun_us, size in zip(
            self._arrived_us, self._begun_us, self._sizes, strict=True
        ):
            busy_us += begun_us + size - max(arrived_us, until_us)
            until_us = begun_us + size
        return 8e6 * self._sent[-1] / busy_us

    def snapshot(self, now_us: int) -> Snapshot:
        """What is counted of the queue above; departures when their transmissions begin."""
        admitted = bisect_right(self._arrived_us, now_us)
        departed = bisect_right(self._begun_us, now_us)
        unsaturated_us, unsaturated_bytes = self._unsaturated[max(0, admitted - 1)]
        if admitted == departed > 0:
            unsaturated_us += now_us - self._begun_us[departed - 1]
            unsaturated_bytes += self._sizes[departed - 1]
        return Snapshot(
            timestamp_us=now_us,
            admitted_bytes=self._sent[admitted],
            dropped_bytes=0,
            departed_bytes=self._sent[departed],
            limit_bytes=5000,
            unsaturated_us=unsaturated_us,
            unsaturated_bytes=unsaturated_bytes,
        )

    def _unsaturated_after(self) -> list[tuple[int, int]]:
        """Of each frame but the last, in us and bytes: nothing unless it left the queue empty, or
        else to the next arrival or to its own end (p4src/adaptive/departures/overtaken_queue.p4).
        """
        frames = zip(self._arrived_us, self._begun_us, self._sizes, strict=True)
        return [
            (max(arrived_us, begun_us + size) - begun_us, size)
            if arrived_us >= begun_us
            else (0, 0)
            for (_, begun_us, size), (arrived_us, _, _) in pairwise(frames)
        ]


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]
