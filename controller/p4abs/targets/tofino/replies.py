"""What the mailbox of p4src/tna answers, as snapshots."""

from collections.abc import Mapping

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.snapshot import COUNTER_MODULUS, Snapshot
from p4abs.targets.tofino.chip_clock import ChipClock

Reply = Mapping[str, int]
"""The fields of a packet-in by their names."""


class Replies:
    """Reads the replies of one session, each to a request that has started a backlog window."""

    def __init__(self, clock: ChipClock) -> None:
        self._clock = clock
        self._windows = BacklogWindows()

    def snapshot(self, port: int, sequence: int, reply: Reply) -> Snapshot:
        """A port's; `sequence` is that of the request."""
        admitted_bytes = reply["admitted_bytes_high"] << 32 | reply["admitted_bytes_low"]
        departed_bytes = (admitted_bytes - reply["backlog_bytes"]) % COUNTER_MODULUS
        timestamp_us = self._clock.timestamp_us(reply["timestamp_ns"])
        covered = self._windows.received(port, reply["backlog_window"], sequence)
        return Snapshot(
            timestamp_us,
            admitted_bytes,
            reply["dropped_bytes_high"] << 32 | reply["dropped_bytes_low"],
            departed_bytes,
            reply["queue_limit_bytes"],
            # A virtual queue drains at the capacity, so all time that nothing departs in is idle.
            unsaturated_us=timestamp_us,
            unsaturated_bytes=departed_bytes,
            least_backlog_bytes=reply["least_backlog_bytes"] if covered else None,
            greatest_backlog_bytes=reply["greatest_backlog_bytes"] if covered else None,
        )
