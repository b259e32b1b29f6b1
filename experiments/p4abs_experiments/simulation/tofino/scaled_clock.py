"""The clock of a program whose time passes faster or slower than the simulation's."""

from p4abs.targets.tofino.clocks import ChipClock

STAMP_MODULUS_NS = 2**48


class ScaledClock(ChipClock):
    """Timestamps in the simulation's time, from a beginning of their own."""

    def __init__(self, link_bps: int, clock_bps: int) -> None:
        super().__init__()
        self._link_bps = link_bps
        self._clock_bps = clock_bps

    def timestamp_us(self, stamp_ns: int) -> int:
        return self.timestamp_ns(stamp_ns) * self._clock_bps // (1000 * self._link_bps)

    def start_ns(self, wrap_s: float) -> int:
        """The stamp at the beginning of a simulation in which stamps wrap after `wrap_s`."""
        before_ns = round(1e9 * wrap_s) * self._link_bps // self._clock_bps
        return (STAMP_MODULUS_NS - before_ns) % STAMP_MODULUS_NS
