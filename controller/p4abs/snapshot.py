"""What a port's registers held at one instant."""

from dataclasses import dataclass

COUNTER_MODULUS = 2**64


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One port's registers. Byte counters are cumulative and wrap at 2^64.

    `timestamp_us` is the data plane's time at which `departed_bytes` was exact;
    `limit_bytes` is the limit in force from this snapshot on, 0 for none.
    """

    timestamp_us: int
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    limit_bytes: int

    @property
    def occupancy_bytes(self) -> int:
        """Bytes that stand in the queue."""
        return (self.admitted_bytes - self.departed_bytes) % COUNTER_MODULUS
