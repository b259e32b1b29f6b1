"""What the virtual queue of p4src/tna can do for ports, however a switch is reached."""

from collections.abc import Callable, Iterable

from p4abs.access.capabilities import Capabilities

# UNLIMITED_BYTES of p4src/tna/virtual_queue.p4.
GREATEST_LIMIT_BYTES = 2**28
# WIRE_OVERHEAD_BYTES of p4src/tna/frame_bytes.p4: FCS, preamble and gap.
FRAME_OVERHEAD_BYTES = 24
MARKS_NOTHING = "Tofino's program marks no packets; leave ecn-marking out"


def capabilities(
    port_hindrance: Callable[[int], str], drain_rates_bps: Iterable[int]
) -> Capabilities:
    """Those of a program that has these rates."""
    return Capabilities(
        measurement_hindrance="the program's queue is a virtual one, which drains at the capacity",
        marking_hindrance=MARKS_NOTHING,
        port_hindrance=port_hindrance,
        drain_rates_bps=tuple(drain_rates_bps),
        greatest_limit_bytes=GREATEST_LIMIT_BYTES,
        frame_overhead_bytes=FRAME_OVERHEAD_BYTES,
    )
