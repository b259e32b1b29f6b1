"""What a port's registers held at one instant."""

from dataclasses import dataclass

COUNTER_MODULUS = 2**64


def advance(before: int, after: int) -> int:
    """By how much a counter that wraps has advanced between two readings."""
    return (after - before) % COUNTER_MODULUS


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One port's registers. Byte counters are cumulative and wrap at 2^64.

    `timestamp_us` is the data plane's time at which `departed_bytes` was exact;
    `limit_bytes` is the limit in force from this snapshot on, 0 for none.

    `unsaturated_us` is the time in which the link was not busy throughout, `unsaturated_bytes` what
    it sent in that time: a link of C bit/s has been idle for unsaturated_us / 1e6 -
    8 unsaturated_bytes / C seconds. None: the target does not measure it. The extremes of the
    backlog are those since the snapshot before; None: not known. `marked_bytes`, cumulative, were
    marked instead of dropped; None: the target cannot.
    """

    timestamp_us: int
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    limit_bytes: int
    unsaturated_us: int | None = None
    unsaturated_bytes: int | None = None
    least_backlog_bytes: int | None = None
    greatest_backlog_bytes: int | None = None
    marked_bytes: int | None = None

    @property
    def occupancy_bytes(self) -> int:
        """Bytes that stand in the queue."""
        return advance(self.departed_bytes, self.admitted_bytes)
