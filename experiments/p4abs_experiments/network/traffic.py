"""What loads the links: endless and short TCP flows, UDP of constant rate, web users.

In the `pauses` of an entry its sources have nothing to send: TcpFlows only send again what was
lost, CbrFlows are silent, WebUsers and ShortFlows start no connection.
"""

from dataclasses import dataclass

from p4abs_experiments.network.times import Span

Range = tuple[float, float]
"""`(lo, hi)`: drawn from uniformly, once per flow, with the cell's seed."""

RENO = "newreno"
"""The Reno of the papers (RFC 5681). The other one, `reno`, is ns-3.37's TcpLinuxReno, which leaves
every recovery with a window that is two or three segments too large: it counts selectively
acknowledged segments twice."""

PACKET_BYTES = 600
"""The packets of the ABS paper: its BDP columns fit this length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tcp:
    """What all TCP connections have.

    `path` and `reverse_path` (of the acknowledgements) name links; an empty reverse path is
    a pure delay. `rtt_s` is the round-trip time without queueing. `window_bytes` None: the
    receiver's window is no limit. `jitter_s` None: one packet's serialisation time at the first
    link. With `ecn` buffers that mark may mark new data instead of dropping it (RFC 3168); `dctcp`
    always has it.
    """

    path: tuple[str, ...]
    rtt_s: Range
    congestion_control: str = RENO
    packet_bytes: int = PACKET_BYTES
    window_bytes: int | None = None
    initial_window_segments: int = 10
    jitter_s: float | None = None
    reverse_path: tuple[str, ...] = ()
    ecn: bool = False
    pauses: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TcpFlows(_Tcp):
    """`count` TCP connections that always have data to send, or `size_bytes` each.

    `stop_s` None: never. `name` labels the entry in the results.
    """

    count: int
    start_s: Range = (0.0, 1.0)
    stop_s: float | None = None
    size_bytes: int | None = None
    name: str = "tcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class CbrFlows:
    """`count` UDP sources of constant rate; with `on_s` exponential phases of those means.

    `rate_bps` is each source's rate while it sends; `delay_s` one way.
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
    pauses: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WebUsers(_Tcp):
    """`count` web users: pages of objects, one TCP connection each (the ABS paper, section 4.4)."""

    count: int
    start_s: Range = (0.0, 1.0)
    pages: tuple[int, int] = (10, 2000)
    page_gap_s: float = 1.0
    objects: tuple[int, int] = (1, 5)
    object_gap_s: float = 0.01
    object_bytes: float = 10_000.0
    pareto_shape: float = 1.2
    name: str = "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortFlows(_Tcp):
    """TCP connections of `size_bytes` that start as a Poisson process of `flows_per_s`.

    A `pareto_shape` > 1 makes `size_bytes` the mean of Pareto sizes; 0: all are equal.
    """

    flows_per_s: float
    size_bytes: float
    pareto_shape: float = 0.0
    start_s: float = 0.0
    stop_s: float | None = None
    name: str = "short"


Traffic = TcpFlows | CbrFlows | WebUsers | ShortFlows
