"""What the traffic manager's queues can do for ports under the program's limits, however a switch
is reached."""

from collections.abc import Callable

from p4abs.access.capabilities import Capabilities
from p4abs.targets.tofino.chip import TOFINO_2_MEMORY_BYTES
from p4abs.targets.tofino.offer import FRAME_OVERHEAD_BYTES, MARKS_NOTHING

# What a word of the mailbox, or of the register, holds.
MAX_LIMIT_BYTES = 2**32 - 1


def capabilities(port_unsupported: Callable[[int], str]) -> Capabilities:
    """A queue empties at its port's rate, whatever that is."""
    return Capabilities(
        measurement_unsupported="the switch does not report for how long a queue was busy",
        marking_unsupported=MARKS_NOTHING,
        port_unsupported=port_unsupported,
        max_limit_bytes=MAX_LIMIT_BYTES,
        frame_overhead_bytes=FRAME_OVERHEAD_BYTES,
        memory_bytes=TOFINO_2_MEMORY_BYTES,
    )
