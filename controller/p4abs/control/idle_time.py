"""Idle time of a link, from the time and the bytes of unsaturated operation.

The data plane counts for how long the queue was not busy throughout, and what the link sent in that
time (p4src/departures). What is left of that time once the bytes are sent was idle:

    idle_s = unsaturated_s - 8 unsaturated_bytes / C

so that an error of the capacity C matters for those few bytes only.
"""

from p4abs.snapshot import COUNTER_MODULUS, Snapshot

LONGEST_FRAME_BYTES = 2**16


class IdleTime:
    """Splits idle time among intervals: each share within its interval, their sum exact.

    A frame's bytes are counted when its transmission begins and take their time afterwards, and a
    snapshot may know of idle time after its own timestamp (that of the last departure, where
    RegisterEntry takes it). What does not fit into an interval is carried to the next one. No more
    is carried than was counted in the last interval or than the longest frame takes: a wrong
    capacity, or a data plane that takes counted time back, does no lasting harm.
    """

    def __init__(self) -> None:
        self._carry_s = 0.0

    def forget(self) -> None:
        """Starts anew, with nothing carried."""
        self._carry_s = 0.0

    def between(self, before: Snapshot, after: Snapshot, capacity_bps: float) -> float | None:
        """Idle seconds between two snapshots of a link, 0 to their distance; None: not measured."""
        counted = unsaturated(before, after)
        if counted is None:
            return None
        unsaturated_s, sending_s = counted[0], 8 * counted[1] / capacity_bps
        duration_s = (after.timestamp_us - before.timestamp_us) / 1e6
        owed_s = self._carry_s + unsaturated_s - sending_s
        idle_s = min(max(owed_s, 0.0), duration_s)
        # A frame still in transmission began in this interval, or no frame did since the last one.
        lowest_s = -sending_s if sending_s > 0 else min(self._carry_s, 0.0)
        # Counted in this interval; or for a frame that had been expected to end later.
        frame_s = 8 * LONGEST_FRAME_BYTES / capacity_bps
        highest_s = max(unsaturated_s, min(self._carry_s, frame_s), 0.0)
        self._carry_s = min(max(owed_s - idle_s, lowest_s), highest_s)
        return idle_s


def unsaturated(before: Snapshot, after: Snapshot) -> tuple[float, int] | None:
    """Seconds and bytes of unsaturated operation between two snapshots; None: not measured."""
    if (
        before.unsaturated_us is None
        or before.unsaturated_bytes is None
        or after.unsaturated_us is None
        or after.unsaturated_bytes is None
    ):
        return None
    return (
        _signed(after.unsaturated_us - before.unsaturated_us) / 1e6,
        _signed(after.unsaturated_bytes - before.unsaturated_bytes),
    )


def _signed(difference: int) -> int:
    """The difference of two counters that wrap; what was counted may be taken back."""
    half = COUNTER_MODULUS // 2
    return (difference + half) % COUNTER_MODULUS - half
