"""The chip's clock of 48 bits of nanoseconds as a timestamp that does not wrap after 78 hours."""

_MODULUS_NS = 2**48


class ChipClock:
    """Follows the stamps of one session; these may come in another order than they were taken."""

    def __init__(self) -> None:
        self._last_ns: int | None = None

    def timestamp_us(self, stamp_ns: int) -> int:
        """Microseconds, right while stamps are less than 39 hours apart."""
        return self.timestamp_ns(stamp_ns) // 1000

    def timestamp_ns(self, stamp_ns: int) -> int:
        """The same in nanoseconds."""
        if self._last_ns is None:
            # A stamp that was taken before the first one may arrive after it; its time must not be
            # negative.
            self._last_ns = stamp_ns + _MODULUS_NS
        half = _MODULUS_NS // 2
        advance_ns = (stamp_ns - self._last_ns + half) % _MODULUS_NS - half
        self._last_ns += advance_ns
        return self._last_ns
