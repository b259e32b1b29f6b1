"""The words of p4src/tna in which measurements (measurements.py) are told, by their names there."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import reduce

from p4abs.measurements import COUNTER_MODULUS

_TICK_NS = 2**18
"""flow_ticks_t of p4src/tna/headers.p4."""


@dataclass(frozen=True)
class Words:
    """Fields of a mailbox_record, of 32 bits each, the high one first. A program has all of them or
    none.

    `wraps`: the name that a count of two fields has in the pipe's control, where BF Runtime reads
    it. `tick_ns`: the unit of a time; 0: what is counted is no time.
    """

    fields: tuple[str, ...]
    wraps: str = ""
    tick_ns: int = 0

    def are_in(self, told: Container[str]) -> bool:
        """Whether a program that tells these fields has counted this."""
        return self.fields[0] in told

    def number(self, values: Sequence[int]) -> int:
        """What the fields hold; a time in microseconds."""
        number = reduce(lambda high, low: high << 32 | low, values)
        return number * self.tick_ns // 1000 % COUNTER_MODULUS if self.tick_ns else number


def _count(name: str, wraps: str, tick_ns: int = 0) -> Words:
    return Words((f"{name}_high", f"{name}_low"), wraps, tick_ns)


def _flows(name: str, tick_ns: int = 0) -> Words:
    return _count(name, f"count_flow.{name}.wraps_of_sum", tick_ns)


COUNTS = {
    "admitted_bytes": _count("admitted_bytes", "wraps_of_admitted"),
    "dropped_bytes": _count("dropped_bytes", "wraps_of_dropped"),
}
FLOWS = {
    "active_flow_us": _flows("active_ticks", _TICK_NS),
    "long_flow_us": _flows("long_ticks", _TICK_NS),
    "untracked_bytes": _flows("untracked_bytes"),
}
"""Of programs for Tofino 2; an operator may leave them out."""
OF_QUEUES = {
    **COUNTS,
    "departed_bytes": Words(("backlog_bytes",)),  # what has not departed of the admitted ones
    "limit_bytes": Words(("queue_limit_bytes",)),
    "least_backlog_bytes": Words(("least_backlog_bytes",)),
    "greatest_backlog_bytes": Words(("greatest_backlog_bytes",)),
}
