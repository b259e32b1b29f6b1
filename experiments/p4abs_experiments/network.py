"""What is simulated: links with buffers and their sizing, traffic, times. Plain frozen data.

Lengths are Ethernet frames without FCS in bytes, rates bit/s of such frames. A range `(lo, hi)`
is drawn from uniformly, once per flow, with the cell's seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from p4abs.errors import UserError

Range = tuple[float, float]

RENO = "newreno"
"""The Reno of the seeds. ns-3.37's other one, TcpLinuxReno, leaves every recovery with a window
that is two or three segments too large: it counts selectively acknowledged segments twice."""

PACKET_BYTES = 600
"""Seed 000's packets: its BDP columns fit this length."""


class InvalidScenario(UserError):
    """A scenario contradicts itself; the message names the part and what would be valid."""


# --- buffers ---------------------------------------------------------------------------------


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

    ``initial_limit_bytes`` is the limit at time 0, and for ``static`` the limit. ``parameters``
    are the policy's own (`p4abs.policies.default_parameters` names them), also the figures that
    a formula needs, for instance the number of flows. ``interval_s`` is T. ``memory`` lists
    (from time in s, bytes): what the limit may be from then on (seed 000, section 4.5); empty
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


# --- traffic ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TcpFlows:
    """`count` TCP connections that always have data to send, or `size_bytes` each.

    ``path`` and ``reverse_path`` (of the acknowledgements) name links; an empty reverse path is
    a pure delay. ``rtt_s`` is the round-trip time without queueing. ``stop_s`` None: never.
    ``window_bytes`` None: the receiver's window is no hindrance. ``jitter_s`` None: one packet's
    serialisation time at the first link. ``name`` labels the entry in the results.
    """

    count: int
    path: tuple[str, ...]
    rtt_s: Range
    congestion_control: str = RENO
    packet_bytes: int = PACKET_BYTES
    start_s: Range = (0.0, 1.0)
    stop_s: float | None = None
    size_bytes: int | None = None
    window_bytes: int | None = None
    initial_window_segments: int = 10
    jitter_s: float | None = None
    reverse_path: tuple[str, ...] = ()
    name: str = "tcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class CbrFlows:
    """`count` UDP sources of constant rate; with `on_s` exponential phases of those means.

    ``rate_bps`` is each source's rate while it sends; ``delay_s`` one way.
    """

    count: int
    path: tuple[str, ...]
    rate_bps: float
    packet_bytes: int = PACKET_BYTES
    delay_s: Range = (0.02, 0.02)
    start_s: Range = (0.0, 1.0)
    stop_s: float | None = None
    on_s: float | None = None
    off_s: float = 0.0
    name: str = "cbr"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebUsers:
    """`count` web users: pages of objects, one TCP connection each (seed 000, section 4.4)."""

    count: int
    path: tuple[str, ...]
    rtt_s: Range
    congestion_control: str = RENO
    packet_bytes: int = PACKET_BYTES
    start_s: Range = (0.0, 1.0)
    pages: tuple[int, int] = (10, 2000)
    page_gap_s: float = 1.0
    objects: tuple[int, int] = (1, 5)
    object_gap_s: float = 0.01
    object_bytes: float = 10_000.0
    pareto_shape: float = 1.2
    window_bytes: int | None = None
    initial_window_segments: int = 10
    jitter_s: float | None = None
    reverse_path: tuple[str, ...] = ()
    name: str = "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortFlows:
    """TCP connections of `size_bytes` that start as a Poisson process of `flows_per_s`.

    A ``pareto_shape`` > 1 makes ``size_bytes`` the mean of Pareto sizes; 0: all are equal.
    """

    path: tuple[str, ...]
    flows_per_s: float
    size_bytes: float
    rtt_s: Range
    pareto_shape: float = 0.0
    congestion_control: str = RENO
    packet_bytes: int = PACKET_BYTES
    start_s: float = 0.0
    stop_s: float | None = None
    window_bytes: int | None = None
    initial_window_segments: int = 10
    jitter_s: float | None = None
    reverse_path: tuple[str, ...] = ()
    name: str = "short"


Traffic = TcpFlows | CbrFlows | WebUsers | ShortFlows


# --- scenario --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A network, its traffic and the times: all that a simulation needs but the seed.

    The first link is the one that tables are about. The measurement window is
    [measure_from_s, duration_s]; series cover the whole run in steps of ``sample_interval_s``.
    ``n_flows`` is what tables print (number of long flows). ``record_windows`` adds the series
    of every TcpFlows source's congestion window. Raises InvalidScenario.
    """

    name: str
    links: tuple[Link, ...]
    traffic: tuple[Traffic, ...]
    n_flows: int
    duration_s: float
    measure_from_s: float
    sample_interval_s: float = 0.02
    delayed_ack_segments: int = 1
    record_windows: bool = False

    def __post_init__(self) -> None:
        names = [link.name for link in self.links]
        if not names or len(set(names)) < len(names):
            raise InvalidScenario(f"{self.name}: links need distinct names, not {names}")
        for entry in self.traffic:
            for hop in (*entry.path, *_reverse_path(entry)):
                if hop not in names:
                    raise InvalidScenario(
                        f"{self.name}: {entry.name} passes the link {hop!r}; "
                        f"valid: {', '.join(names)}"
                    )
        if not 0 <= self.measure_from_s < self.duration_s:
            raise InvalidScenario(
                f"{self.name}: measure_from_s={self.measure_from_s} must lie between 0 and "
                f"duration_s={self.duration_s}"
            )

    def link(self, name: str | None = None) -> Link:
        """The link of this name; without one, the first link. Raises InvalidScenario."""
        for link in self.links:
            if name is None or link.name == name:
                return link
        raise InvalidScenario(
            f"{self.name}: no link {name!r}; valid: {', '.join(link.name for link in self.links)}"
        )

    def with_sizing(self, sizing: Sizing, link: str | None = None) -> Scenario:
        """This scenario with one link (by default the first) sized differently."""
        target = self.link(link)
        links = (replace(each, sizing=sizing) if each is target else each for each in self.links)
        return replace(self, links=tuple(links))


def _reverse_path(entry: Traffic) -> tuple[str, ...]:
    return () if isinstance(entry, CbrFlows) else entry.reverse_path
