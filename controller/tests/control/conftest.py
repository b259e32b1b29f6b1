"""A link of exact times and the counters that a data plane would hold of it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from p4abs.measurements import Snapshot

BYTES_PER_US = 1


@dataclass(frozen=True)
class Frame:
    """Arrives, begins its transmission, has left the link."""

    arrival_us: int
    start_us: int
    size_bytes: int

    @property
    def end_us(self) -> int:
        return self.start_us + self.size_bytes // BYTES_PER_US


class IdealLink:
    """An unlimited FIFO before a link of 8 Mbit/s.

    The frames are given by gaps in us before each arrival and sizes in bytes.
    """

    CAPACITY_BPS = 8_000_000 * BYTES_PER_US

    def __init__(self, arrivals: Sequence[tuple[int, int]]) -> None:
        self._frames: list[Frame] = []
        now_us = self.end_us = 0
        for gap_us, size_bytes in arrivals:
            now_us += gap_us
            frame = Frame(now_us, max(now_us, self.end_us), size_bytes)
            self._frames.append(frame)
            self.end_us = frame.end_us

    def idle_us(self, now_us: int) -> int:
        """For how long the link has had nothing to send since 0."""
        begun = [frame for frame in self._frames if frame.start_us <= now_us]
        return now_us - sum(min(frame.end_us, now_us) - frame.start_us for frame in begun)

    def snapshot(self, now_us: int) -> Snapshot:
        """What is counted at `now_us`: departures by the beginning of their transmissions."""
        admitted = bisect_right([frame.arrival_us for frame in self._frames], now_us)
        departed = bisect_right([frame.start_us for frame in self._frames], now_us)
        unsaturated_us, unsaturated_bytes = _unsaturated(self._frames[:admitted], now_us)
        if admitted == departed:
            last = self._frames[departed - 1] if departed else Frame(0, 0, 0)
            unsaturated_us += now_us - last.start_us
            unsaturated_bytes += last.size_bytes
        sizes = [frame.size_bytes for frame in self._frames]
        return Snapshot(
            timestamp_us=now_us,
            admitted_bytes=sum(sizes[:admitted]),
            dropped_bytes=0,
            departed_bytes=sum(sizes[:departed]),
            limit_bytes=5000,
            unsaturated_us=unsaturated_us,
            unsaturated_bytes=unsaturated_bytes,
        )


def _unsaturated(admitted: Sequence[Frame], now_us: int) -> tuple[int, int]:
    """From one transmission's beginning to the next, where that frame found the queue empty.

    Its arrival counts the time so far and the frame before it, its departure counts how long it
    has waited for that one (p4src/adaptive/departures/queue.p4).
    """
    time_us = size_bytes = 0
    before = Frame(0, 0, 0)
    for frame in admitted:
        if frame.arrival_us >= before.start_us:
            waited_us = frame.start_us - frame.arrival_us if frame.start_us <= now_us else 0
            time_us += frame.arrival_us - before.start_us + waited_us
            size_bytes += before.size_bytes
        before = frame
    return time_us, size_bytes


@pytest.fixture(scope="session")
def ideal_link() -> type[IdealLink]:
    return IdealLink
