"""A link's capacity, measured while it is saturated.

Between two snapshots the link sent `departed - unsaturated` bytes in the time in which the queue
was busy throughout (p4src/departures), so that

    C = 8 (departed_bytes - unsaturated_bytes) / (T - unsaturated_s)

A snapshot cuts one transmission in two, and a stall of the switch (a queue that stands and
does not move) looks like a slow link. So rates are taken over windows of many frames, and the
capacity is the median of the last few: stalls in less than half of them do not move it, and a new
capacity has replaced the old one after half of them.
"""

from collections import deque
from statistics import median

from p4abs.control.idle_time import unsaturated
from p4abs.snapshot import Snapshot, advance

# A window's ends are uncertain by a frame each: its rate by 1/64 at most, their median by 0.3 %.
WINDOW_BYTES = 64 * 1514
# And by the resolution of the data plane's clock, 1 us.
WINDOW_S = 1e-3
WINDOWS = 11
ENOUGH_WINDOWS = 5


class CapacityMeter:
    """Takes snapshots in the order of time; knows the capacity after enough saturated bytes."""

    def __init__(self) -> None:
        self._rates_bps: deque[float] = deque(maxlen=WINDOWS)
        self._capacity_bps: int | None = None
        self.forget()

    def forget(self) -> None:
        """Begins a new series of snapshots: the window under way is given up."""
        self._window_bytes = 0
        self._window_s = 0.0

    def add(self, before: Snapshot, after: Snapshot) -> None:
        """Takes what the link did between two snapshots, where the target measures it."""
        counted = unsaturated(before, after)
        if counted is None:
            return
        departed_bytes = advance(before.departed_bytes, after.departed_bytes)
        self._window_s += (after.timestamp_us - before.timestamp_us) / 1e6 - counted[0]
        self._window_bytes += departed_bytes - counted[1]
        if self._window_bytes >= WINDOW_BYTES and self._window_s >= WINDOW_S:
            self._rates_bps.append(8 * self._window_bytes / self._window_s)
            if len(self._rates_bps) >= ENOUGH_WINDOWS:
                self._capacity_bps = round(median(self._rates_bps))
            self.forget()

    @property
    def capacity_bps(self) -> int | None:
        """The capacity, to some per mille once `is_settled`; None while too little is known."""
        return self._capacity_bps

    @property
    def is_settled(self) -> bool:
        """Whether all windows are filled."""
        return len(self._rates_bps) == WINDOWS
