"""What a program can do for the ports of its switch, whatever the target."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class SwitchPort:
    """A port as the switch tells of it.

    forwarded_packets: how many packets the program has sent to this port alone.
    """

    queues: int
    is_up: bool = True
    forwarded_packets: int = 0


@dataclass(frozen=True)
class Capabilities:
    """`..._unsupported` are texts for people; empty: it is supported.

    measurement_unsupported: why no capacity can be measured.
    marking_unsupported: why no packet can be marked instead of dropped.
    port_unsupported: why a port, by its number, cannot be controlled.
    is_for_v1model: whether the switch can run the builds of p4src in its place.
    queues: how many queues of a port it has registers for.
    ports: the switch's ports by their numbers; none: it does not tell.
    selection_unsupported: why no packet can be given a queue by its DSCP.
    sharing_unsupported: why queues cannot share memory but by their limits.
    drain_rates_bps: the only rates that a queue can empty at, ascending; empty: any.
    max_limit_bytes: None: any limit that a register holds.
    limit_unit_bytes: limits are whole multiples of it, rounded down.
    frame_overhead_bytes: what each frame counts in addition to its own bytes.
    memory_bytes: what all queues together can hold; None: not known, or the queues are virtual.
    """

    measurement_unsupported: str
    marking_unsupported: str
    port_unsupported: Callable[[int], str]
    sharing_unsupported: str = "queues of this program cannot share memory"
    is_for_v1model: bool = False
    queues: int = 1
    ports: Mapping[int, SwitchPort] = field(default_factory=dict)
    selection_unsupported: str = "the program has one queue a port"
    drain_rates_bps: tuple[int, ...] = ()
    max_limit_bytes: int | None = None
    limit_unit_bytes: int = 1
    frame_overhead_bytes: int = 0
    memory_bytes: int | None = None

    def drain_rate_bps(self, capacity_bps: int) -> int | None:
        """The greatest rate that is not above the capacity; None: all are."""
        if not self.drain_rates_bps:
            return capacity_bps
        return max((rate for rate in self.drain_rates_bps if rate <= capacity_bps), default=None)
