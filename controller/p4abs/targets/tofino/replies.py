"""What the mailbox of p4src/tna answers, as snapshots."""

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.snapshot import COUNTER_MODULUS, Snapshot
from p4abs.targets.tofino.chip_clock import ChipClock
from p4abs.targets.tofino.records import Record


class Replies:
    """Reads the records of one session, each of a request that has started a backlog window."""

    def __init__(self, clock: ChipClock) -> None:
        self._clock = clock
        self._windows = BacklogWindows()

    def snapshot(self, port: int, sequence: int, record: Record) -> Snapshot:
        """A port's; `sequence` is that of the request."""
        admitted_bytes = record["admitted_bytes_high"] << 32 | record["admitted_bytes_low"]
        departed_bytes = (admitted_bytes - record["backlog_bytes"]) % COUNTER_MODULUS
        timestamp_us = self._clock.timestamp_us(record["timestamp_ns"])
        covered = self._windows.received(port, record["backlog_window"], sequence)
        return Snapshot(
            timestamp_us,
            admitted_bytes,
            record["dropped_bytes_high"] << 32 | record["dropped_bytes_low"],
            departed_bytes,
            record["queue_limit_bytes"],
            # A virtual queue drains at the capacity, so all time that nothing departs in is idle.
            unsaturated_us=timestamp_us,
            unsaturated_bytes=departed_bytes,
            least_backlog_bytes=record["least_backlog_bytes"] if covered else None,
            greatest_backlog_bytes=record["greatest_backlog_bytes"] if covered else None,
        )
