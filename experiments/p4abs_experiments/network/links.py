"""Links, the buffers in front of them, and how these are sized."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from p4abs_experiments.network.times import Span
from p4abs_experiments.network.traffic import PACKET_BYTES


@dataclass(frozen=True, slots=True)
class P4Buffer:
    """Admission by the project's compiled P4 program.

    With `ecn_marking` packets above the limit are marked instead of dropped, up to twice the
    limit, where their transport understands it (`ecn` of their traffic entry).
    """

    ecn_marking: bool = False


@dataclass(frozen=True, slots=True)
class PlainBuffer:
    """The same rule in C++."""

    ecn_marking: bool = False


@dataclass(frozen=True, slots=True)
class QueueDisc:
    """A queue disc of ns-3, such as "RedQueueDisc", with its attributes as ns-3 writes them.

    Some mark packets of sources with `ecn` if their attribute UseEcn is "true". It is not sized by
    a policy: its `Link.sizing` is None.
    """

    type_id: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SharedBuffer:
    """A queue in a memory that the data plane shares out; the link is in such a `Pool`.

    `alpha` is the port's factor of the free memory. It is not sized by a policy: its `Link.sizing`
    is None.
    """

    alpha: float = 1.0


Buffer = P4Buffer | PlainBuffer | QueueDisc | SharedBuffer


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """How a link's queue limit is set: a policy of `p4abs.policies`, its targets and bounds.

    `initial_limit_bytes` is the limit at time 0, and for `static` the limit. `parameters` are the
    policy's own, also the figures that a formula needs, for instance the number of flows.
    `interval_s` is T. `memory` lists (from time in s, bytes): what the limit may be from then on
    (the ABS paper, section 4.5); empty for no such bound. `variation` changes the law `abs`, see
    `varied_law`.
    """

    initial_limit_bytes: int
    policy: str = "static"
    parameters: Mapping[str, float] = field(default_factory=dict)
    utilization: float = 0.98
    loss: float = 0.02
    max_delay_s: float | None = None
    min_limit_bytes: int = 2 * PACKET_BYTES
    max_limit_bytes: int = 100_000_000
    interval_s: float = 0.02
    memory: tuple[tuple[float, int], ...] = ()
    variation: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link with a buffer in front.

    `declared_capacity_bps` is what the controller is told; None: the truth. `capacity_changes`
    lists (from time in s, bit/s), `capacity_bps` holds before. In `stalls`, (from, to) in s, the
    switch admits what fits, but nothing leaves; in `outages` the link is down: nothing leaves, and
    what arrives is lost before the buffer sees it.
    """

    name: str
    capacity_bps: int
    sizing: Sizing | None
    buffer: Buffer = P4Buffer()
    declared_capacity_bps: int | None = None
    capacity_changes: tuple[tuple[float, int], ...] = ()
    stalls: tuple[Span, ...] = ()
    outages: tuple[Span, ...] = ()

    @property
    def told_capacity_bps(self) -> int:
        """What the controller knows of the capacity."""
        return self.declared_capacity_bps or self.capacity_bps

    def mean_capacity_bps(self, from_s: float, to_s: float) -> float:
        """The mean over time of the true capacity, stalls and outages included."""
        changes = [(0.0, self.capacity_bps), *self.capacity_changes, (to_s, 0)]
        bits = sum(
            rate_bps * max(0.0, min(until_s, to_s) - max(since_s, from_s))
            for (since_s, rate_bps), (until_s, _) in pairwise(changes)
        )
        return bits / (to_s - from_s)
