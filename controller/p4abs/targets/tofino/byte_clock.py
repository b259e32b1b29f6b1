"""When a port's last packet came, from two registers of p4src/tna: ticks and bytes of a clock.

`last_packet_65536ns` is the stamp's upper 32 of 48 bits. `clock_bytes` counts what the port's rate
could have sent, whole bytes for each 8 ns, modulo 2^32 (p4src/tna/byte_clock.p4): with the ticks
known, it tells the rest to 8 ns.
"""

_TICK_NS = 65536
_STEP_NS = 8
_WORD = 2**32
# Between the reads of the two registers. More than that: the clock is still that of another rate.
_LONGEST_NS = 2**24


def stamp_ns(ticks: int, clock_bytes: int, rate_bps: int | None) -> int:
    """Nanoseconds of the chip's clock; to a tick without a rate, or while a new one is unused.

    Right also when a packet has come between the reads of the registers.
    """
    if not rate_bps:
        return ticks * _TICK_NS
    bytes_per_step = rate_bps // 10**9
    beyond = (clock_bytes - bytes_per_step * ticks * (_TICK_NS // _STEP_NS)) % _WORD
    signed = beyond - _WORD if beyond >= _WORD // 2 else beyond
    beyond_ns = signed * _STEP_NS // bytes_per_step
    return ticks * _TICK_NS + (beyond_ns if abs(beyond_ns) < _LONGEST_NS else 0)
