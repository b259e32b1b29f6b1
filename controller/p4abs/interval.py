"""What one port did between two snapshots of its counters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """Bytes that one port admitted, dropped and sent during one control interval.

    `duration_s` comes from the data plane's own timestamps and is positive; byte counts are
    differences of counters and never negative. Raises ValueError otherwise.
    """

    duration_s: float
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int

    def __post_init__(self) -> None:
        if not self.duration_s > 0:
            raise ValueError(f"interval of {self.duration_s} s: the duration must be positive")
        if min(self.admitted_bytes, self.dropped_bytes, self.departed_bytes) < 0:
            raise ValueError(f"{self}: byte counts must not be negative")

    @property
    def offered_bytes(self) -> int:
        """Bytes that arrived for the port, S1 + S2 in the ABS paper's section 4.1."""
        return self.admitted_bytes + self.dropped_bytes

    @property
    def loss(self) -> float:
        """Fraction of the offered bytes that was dropped, p(n); 0 when nothing arrived."""
        return self.dropped_bytes / self.offered_bytes if self.offered_bytes else 0.0

    def utilization(self, capacity_bps: float) -> float:
        """Fraction of the capacity that was sent on the wire (section 2.3 of the ABS paper)."""
        return 8 * self.departed_bytes / (capacity_bps * self.duration_s)

    def offered_load(self, capacity_bps: float) -> float:
        """Fraction of the capacity that arrived, the u(n) of the ABS paper's section 4.1."""
        return 8 * self.offered_bytes / (capacity_bps * self.duration_s)
