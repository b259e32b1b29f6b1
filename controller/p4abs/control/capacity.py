"""A link's capacity, measured while it is saturated, and a queue's, while it has frames to send.

Between two snapshots the link sent `departed - unsaturated` bytes in the time in which the queue
was busy throughout (p4src/adaptive/departures), so that

    C = 8 (departed_bytes - unsaturated_bytes) / (T - unsaturated_s)

A queue that shares its link may wait for other queues even before the frame that leaves it empty,
and this wait counts as saturated time. So the bytes of that frame count too, with their time on the
link, whose rate C is known. The rest of T is not idle (p4abs/control/idle_time.py):

    C_queue = 8 departed_bytes / (T - idle_s),  idle_s = unsaturated_s - 8 unsaturated_bytes / C

A snapshot cuts one transmission in two, and a stall of the switch (a queue that stands and does not
move) looks like a slow link. So rates are taken over windows of many frames, and the capacity is
the median of the last few windows. Stalls in less than half of them do not change it, and a new
capacity replaces the old one after half of them.
"""

import math
from collections import deque
from collections.abc import Sequence
from statistics import median

import numpy as np

from p4abs.columns import ByPort, Flags, Floats, Ints, choose
from p4abs.control.idle_time import unsaturated
from p4abs.measurements import Snapshot, signed_advance

FULL_FRAME_BYTES = 1514
# A window is uncertain by a frame at each end: its rate by at most 1/64, the median by 0.3 %.
WINDOW_FRAMES = 64
# It is also uncertain by the resolution of the data plane's clock, 1 us.
WINDOW_S = 1e-3
WINDOWS = 11
ENOUGH_WINDOWS = 5


def rate_of_shared_link(link_bps: int | None, shares_link: bool) -> float:
    """The rate of the link that a queue shares; infinite for one that has its link for itself."""
    return link_bps if shares_link and link_bps is not None else math.inf


class RecentRates:
    """A port's rates over its last windows."""

    def __init__(self) -> None:
        self._rates_bps: deque[float] = deque(maxlen=WINDOWS)

    def add(self, rate_bps: float) -> int | None:
        """Takes the next rate; returns the capacity, None while too little is known."""
        self._rates_bps.append(rate_bps)
        return round(median(self._rates_bps)) if len(self._rates_bps) >= ENOUGH_WINDOWS else None

    @property
    def is_settled(self) -> bool:
        return len(self._rates_bps) == WINDOWS


class _Window(ByPort):
    """The window that goes on, for one port or for several; `mtu_bytes` are of their frames.

    `shared_bps`: see rate_of_shared_link().
    """

    _by_port = ("_min_bytes", "_bytes", "_s", "_shared_bps")

    def __init__(self, mtu_bytes: Ints, shared_bps: Floats) -> None:
        self._shared_bps = shared_bps
        self._min_bytes = WINDOW_FRAMES * mtu_bytes
        self._bytes: Ints = 0 * mtu_bytes
        self._s: Floats = 0.0 * mtu_bytes

    def forget(self, flags: Flags = True) -> None:
        """Windows are discarded where a flag is set."""
        self._bytes = choose(flags, 0, self._bytes)
        self._s = choose(flags, 0.0, self._s)

    def add(self, before: Snapshot, after: Snapshot, flags: Flags) -> tuple[Flags, Floats]:
        """Takes the interval where a flag is set; whether a window has ended, and its rate in
        bit/s."""
        unsaturated_s, unsaturated_bytes = unsaturated(before, after)
        departed_bytes = signed_advance(before.departed_bytes, after.departed_bytes)
        duration_s = signed_advance(before.timestamp_us, after.timestamp_us) / 1e6
        uncounted_bytes = choose(self._shared_bps == math.inf, unsaturated_bytes, 0)
        sending_s = 8 * unsaturated_bytes / self._shared_bps
        self._s += choose(flags, duration_s - unsaturated_s + sending_s, 0.0)
        self._bytes += choose(flags, departed_bytes - uncounted_bytes, 0)
        ended = flags & (self._bytes >= self._min_bytes) & (self._s >= WINDOW_S)
        rate_bps = 8 * self._bytes / choose(ended, self._s, 1.0)
        self.forget(ended)
        return ended, rate_bps


class CapacityMeter:
    """Takes a port's snapshots in the order of time; knows its capacity after enough bytes.

    `shared_bps`: see rate_of_shared_link().
    """

    def __init__(self, mtu_bytes: int = FULL_FRAME_BYTES, shared_bps: float = math.inf) -> None:
        self._rates = RecentRates()
        self._window = _Window(mtu_bytes, shared_bps)
        self.capacity_bps: int | None = None
        """To some per mille once `is_settled`; None while too little is known."""

    def forget(self) -> None:
        """Begins a new series of snapshots: the window that goes on is discarded."""
        self._window.forget()

    def add(self, before: Snapshot, after: Snapshot) -> None:
        """Takes what the link did between two snapshots, where the target measures it."""
        if not (before.measures_idle and after.measures_idle):
            return
        ended, rate_bps = self._window.add(before, after, True)
        if ended:
            self.capacity_bps = self._rates.add(rate_bps) or self.capacity_bps

    @property
    def is_settled(self) -> bool:
        return self._rates.is_settled


class CapacityMeters(ByPort):
    """The same for several ports; a `capacity_bps` that is not known is NaN."""

    _by_port = ("_rates", "_window", "capacity_bps", "is_settled")

    def __init__(self, mtu_bytes: Sequence[int], shared_bps: Sequence[float]) -> None:
        ports = len(mtu_bytes)
        self._rates = [RecentRates() for _ in range(ports)]
        self._window = _Window(np.array(mtu_bytes), np.array(shared_bps))
        self.capacity_bps = np.full(ports, np.nan)
        self.is_settled = np.zeros(ports, np.bool_)

    def forget(self, flags: Flags) -> None:
        """New series of snapshots begin where a flag is set."""
        self._window.forget(flags)

    def add(self, before: Snapshot, after: Snapshot, flags: Flags) -> None:
        """Takes what the links did between two snapshots each, where a flag is set."""
        ended, rate_bps = self._window.add(before, after, flags)
        for port in np.flatnonzero(ended):
            self.capacity_bps[port] = self._rates[port].add(rate_bps[port].item()) or np.nan
            self.is_settled[port] = self._rates[port].is_settled
