"""What the queues of p4src/tna can do for ports, however a switch is reached."""

from collections.abc import Callable, Iterable

from p4abs.access.capabilities import Capabilities
from p4abs.targets.tofino.chip import TOFINO_2_MEMORY_BYTES

# UNLIMITED_BYTES of p4src/tna/virtual_queue.p4.
MAX_LIMIT_BYTES = 2**28
# WIRE_OVERHEAD_BYTES of p4src/tna/frame_bytes.p4: FCS, preamble and gap.
FRAME_OVERHEAD_BYTES = 24
MEASURES_NOTHING = "the program's queue is a virtual one, which drains at the capacity"
MEASURES_NO_BUSY_TIME = "the switch does not report for how long a queue was busy"
MARKS_NOTHING = "Tofino's program marks no packets; leave ecn-marking out"


def of_virtual_queue(
    port_unsupported: Callable[[int], str], drain_rates_bps: Iterable[int]
) -> Capabilities:
    """Those of a program that has these rates."""
    return Capabilities(
        measurement_unsupported=MEASURES_NOTHING,
        marking_unsupported=MARKS_NOTHING,
        port_unsupported=port_unsupported,
        drain_rates_bps=tuple(drain_rates_bps),
        max_limit_bytes=MAX_LIMIT_BYTES,
        frame_overhead_bytes=FRAME_OVERHEAD_BYTES,
    )


def of_queues(port_unsupported: Callable[[int], str]) -> Capabilities:
    """Of the traffic manager's queues under the program's limits. A queue empties at its port's
    rate, whatever that is."""
    return Capabilities(
        measurement_unsupported=MEASURES_NO_BUSY_TIME,
        marking_unsupported=MARKS_NOTHING,
        port_unsupported=port_unsupported,
        max_limit_bytes=2**32 - 1,  # what a word of the mailbox, or of the register, holds
        frame_overhead_bytes=FRAME_OVERHEAD_BYTES,
        memory_bytes=TOFINO_2_MEMORY_BYTES,
    )
