"""Links, the buffers in front of them, and how these are sized."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p4abs_experiments.network.traffic import PACKET_BYTES


@dataclass(frozen=True, slots=True)
class P4Buffer:
    """Admission by the project's compiled P4 program."""


@dataclass(frozen=True, slots=True)
class PlainBuffer:
    """The same tail-drop rule in C++."""


@dataclass(frozen=True, slots=True)
class QueueDisc:
    """A queue disc of ns-3, such as "RedQueueDisc", with its attributes as ns-3 writes them.

    It is not sized by a policy: its `Link.sizing` is None.
    """

    type_id: str
    attributes: Mapping[str, str] = field(default_factory=dict)


Buffer = P4Buffer | PlainBuffer | QueueDisc


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """How a link's queue limit is set: a policy of `p4abs.policies`, its targets and bounds.

    `initial_limit_bytes` is the limit at time 0, and for `static` the limit. `parameters`
    are the policy's own (`p4abs.policies.default_parameters` names them), also the figures that
    a formula needs, for instance the number of flows. `interval_s` is T. `memory` lists
    (from time in s, bytes): what the limit may be from then on (the ABS paper, section 4.5); empty
    for no such bound.
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


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a fixed rate with a buffer in front."""

    name: str
    capacity_bps: int
    sizing: Sizing | None
    buffer: Buffer = P4Buffer()
