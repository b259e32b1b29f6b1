"""Idle time of a link, from the time and the bytes of unsaturated operation.

The data plane counts the time in which the link was not busy throughout, and the bytes that it sent
in that time (p4src/adaptive/measurement/unsaturated_time.p4). The rest of that time was idle:

    idle_s = unsaturated_s - 8 unsaturated_bytes / C

So an error of the capacity C matters only for these few bytes.
"""

import numpy as np

from p4abs.columns import ByPort, Flags, Floats, Ints, between, choose, maximum, minimum
from p4abs.measurements import Snapshot, signed_advance

LONGEST_FRAME_BYTES = 2**16


class IdleTime(ByPort):
    """Splits idle time among intervals, so that each share fits into its interval and the sum is
    exact.

    A frame's bytes are counted when its transmission begins, but take their time afterwards. And
    with RegisterEntry, a snapshot has the time of the last departure, but may contain idle time
    after it. So idle time that does not fit into an interval is carried to the next one, but no
    more than was counted in the last interval or than the longest frame takes. So a wrong capacity,
    or a data plane that takes counted time back, does no lasting harm.
    """

    _by_port = ("_carry_s",)

    def __init__(self, ports: int | None = None) -> None:
        """For one port (None), or for so many."""
        self._carry_s: Floats = 0.0 if ports is None else np.zeros(ports)

    def forget(self, flags: Flags = True) -> None:
        """Starts anew, with nothing carried, where a flag is set."""
        self._carry_s = choose(flags, 0.0, self._carry_s)

    def between(self, before: Snapshot, after: Snapshot, capacity_bps: float) -> float | None:
        """Idle seconds between two snapshots of a link, 0 to their distance; None: not measured."""
        if not (before.measures_idle and after.measures_idle):
            return None
        idle_s: float
        idle_s, self._carry_s = self._split(before, after, capacity_bps)
        return idle_s

    def between_columns(
        self,
        before: Snapshot,
        after: Snapshot,
        capacity_bps: Floats,
        measured: Flags,
    ) -> Floats:
        """The same of the ports where it was `measured`; elsewhere NaN."""
        idle_s, carry_s = self._split(before, after, capacity_bps)
        self._carry_s = np.where(measured, carry_s, self._carry_s)
        return np.where(measured, idle_s, np.nan)

    def _split(
        self,
        before: Snapshot,
        after: Snapshot,
        capacity_bps: Floats,
    ) -> tuple[Floats, Floats]:
        """The idle time of this interval, and the idle time that is carried to the next one."""
        unsaturated_s, unsaturated_bytes = unsaturated(before, after)
        sending_s = 8 * unsaturated_bytes / capacity_bps
        duration_s = signed_advance(before.timestamp_us, after.timestamp_us) / 1e6
        owed_s = self._carry_s + unsaturated_s - sending_s
        idle_s = between(owed_s, 0.0, duration_s)
        # A frame still in transmission began in this interval, or no frame did since the last one.
        lowest_s = choose(sending_s > 0, -sending_s, minimum(self._carry_s, 0.0))
        # At most what was counted in this interval, or is owed for a frame that ended early.
        frame_s = 8 * LONGEST_FRAME_BYTES / capacity_bps
        owed_for_frame_s = minimum(self._carry_s, frame_s)
        highest_s = maximum(maximum(unsaturated_s, owed_for_frame_s), 0.0)
        return idle_s, between(owed_s - idle_s, lowest_s, highest_s)


def unsaturated(before: Snapshot, after: Snapshot) -> tuple[Floats, Ints]:
    """Seconds and bytes of unsaturated operation between snapshots that measure it."""
    return (
        signed_advance(before.unsaturated_us, after.unsaturated_us) / 1e6,
        signed_advance(before.unsaturated_bytes, after.unsaturated_bytes),
    )
