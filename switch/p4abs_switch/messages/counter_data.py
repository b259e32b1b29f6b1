"""Counter values in messages (P4Runtime 1.5, section 9.3): int64 that are never negative."""

from finsy.proto import p4r

from p4abs_switch.status import invalid


def counts(what: str, message: p4r.CounterData) -> tuple[int, int]:
    """Packets and bytes. Raises RequestError INVALID_ARGUMENT for a negative number."""
    if message.packet_count < 0 or message.byte_count < 0:
        raise invalid(f"{what} cannot count to a negative number")
    return message.packet_count, message.byte_count


def data(packets: int, size_bytes: int) -> p4r.CounterData:
    """The message of a counter; counts past 63 bits wrap to 0, as they have no int64."""
    wrap = (1 << 63) - 1
    return p4r.CounterData(packet_count=packets & wrap, byte_count=size_bytes & wrap)
