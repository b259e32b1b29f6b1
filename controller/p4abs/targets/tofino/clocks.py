"""What the chip tells of time: when a port's last packet came, and timestamps that do not wrap."""

_TICK_NS = 65536
_STEP_NS = 8
_WORD = 2**32
# Between the reads of the two registers. More than that: the clock is still that of another rate.
_LONGEST_NS = 2**24


def stamp_ns(ticks: int, clock_bytes: int, rate_bps: int | None) -> int:
    """Nanoseconds of the chip's clock; to a tick without a rate, or while a new one is unused.

    `ticks` is last_packet_65536ns, the upper 32 of the stamp's 48 bits. `clock_bytes` counts what
    the port's rate could have sent, whole bytes for each 8 ns, modulo 2^32
    (p4src/tna/byte_clock.p4); it gives the rest to 8 ns.
    Right also when a packet has come between the reads of the registers.
    """
    if not rate_bps:
        return ticks * _TICK_NS
    bytes_per_step = rate_bps // 10**9
    beyond = (clock_bytes - bytes_per_step * ticks * (_TICK_NS // _STEP_NS)) % _WORD
    signed = beyond - _WORD if beyond >= _WORD // 2 else beyond
    beyond_ns = signed * _STEP_NS // bytes_per_step
    return ticks * _TICK_NS + (beyond_ns if abs(beyond_ns) < _LONGEST_NS else 0)


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
