"""What a simulation measured. Everything but series is over the measurement window."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Series = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinkSeries:
    """One link over the whole run, shape (samples,) each.

    `time_s` is the end of every sample interval; byte counts are those of the interval,
    `limit_bytes` and `occupancy_bytes` hold at its end. `gains` are the policy's, by name.
    `active_flow_us` is the interval's time of all flows together, `long_flow_us` that of long ones,
    `timed_bytes` those of flows whose round-trip time is known and `timed_byte_us` these times that
    time; nan where no program counts them.
    """

    time_s: Series
    limit_bytes: Series
    occupancy_bytes: Series
    admitted_bytes: Series
    dropped_bytes: Series
    departed_bytes: Series
    gains: Mapping[str, Series] = field(default_factory=dict)
    active_flow_us: Series = field(default_factory=lambda: np.empty(0))
    long_flow_us: Series = field(default_factory=lambda: np.empty(0))
    timed_bytes: Series = field(default_factory=lambda: np.empty(0))
    timed_byte_us: Series = field(default_factory=lambda: np.empty(0))

    def utilization(self, capacity_bps: float, window_s: float) -> Series:
        """Departed bytes over what the link could send, in the last `window_s` of each time."""
        sent = _moving_sum(self.departed_bytes, self._samples(window_s))
        time = _moving_sum(np.diff(self.time_s, prepend=0.0), self._samples(window_s))
        return 8 * sent / (capacity_bps * time)

    def loss(self, window_s: float) -> Series:
        """Dropped over offered bytes in the last `window_s` of each time; 0 without traffic."""
        dropped = _moving_sum(self.dropped_bytes, self._samples(window_s))
        offered = _moving_sum(self.admitted_bytes, self._samples(window_s)) + dropped
        return dropped / np.maximum(offered, 1.0)

    def active_flows(self, window_s: float) -> Series:
        """The mean number of flows in the last `window_s` of each time."""
        return self._mean_number(self.active_flow_us, window_s)

    def long_flows(self, window_s: float) -> Series:
        """The same of long flows."""
        return self._mean_number(self.long_flow_us, window_s)

    def round_trip_s(self, from_s: float, until_s: float) -> float:
        """The mean round-trip time by what flows sent between two times; nan: none was known."""
        of_it = (self.time_s > from_s) & (self.time_s <= until_s)
        timed = self.timed_bytes[of_it].sum()
        return float(self.timed_byte_us[of_it].sum() / timed / 1e6) if timed > 0 else float("nan")

    def _mean_number(self, flow_us: Series, window_s: float) -> Series:
        time_s = _moving_sum(np.diff(self.time_s, prepend=0.0), self._samples(window_s))
        return _moving_sum(flow_us, self._samples(window_s)) / 1e6 / time_s

    def _samples(self, window_s: float) -> int:
        return max(1, round(window_s / float(self.time_s[0])))


@dataclass(frozen=True, slots=True)
class LinkResult:
    """One link: limit and occupancy in bytes as means over time, delays of admitted packets.

    `capacity_bps` is the mean over the window, `utilization` = 8 departed / (C window), of one of
    several queues of a link 1 - `idle`. `idle` is
    the share of the window in which the link had nothing to send (1 - utilization, but for a
    packet in transmission, stalls and changes of capacity), `loss` = dropped /
    (admitted + dropped) bytes, `queue_delay_*` from arrival to the start of transmission; nan
    without departures.
    """

    name: str
    capacity_bps: int
    mean_limit_bytes: float
    std_limit_bytes: float
    limit_p50_bytes: float
    limit_p99_bytes: float
    limit_max_bytes: float
    mean_occupancy_bytes: float
    utilization: float
    loss: float
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    queue_delay_mean_s: float
    queue_delay_p50_s: float
    queue_delay_p95_s: float
    queue_delay_p99_s: float
    series: LinkSeries
    idle: float = float("nan")


@dataclass(frozen=True, slots=True)
class FlowResult:
    """One source: counts over the measurement window; a WebUser or ShortFlows entry is one.

    `goodput_bps` is what the receiving application got per second; `offered_*`, `lost_*` and
    `marked_packets` (ECN) are counted at ports. `rtt_s` nan for CBR, and for entries with a range
    of them.
    `completion_s`: of a flow of finite size, from its start (None: not completed, or endless).
    `window_bytes`: series of the congestion window; empty unless the scenario records it.
    """

    rtt_s: float
    goodput_bps: float
    sent_packets: int
    offered_packets: int
    lost_packets: int
    offered_bytes: int
    lost_bytes: int
    marked_packets: int = 0
    completion_s: float | None = None
    window_bytes: Series = field(default_factory=lambda: np.empty(0))

    @property
    def loss(self) -> float:
        """Lost over offered bytes; 0 without traffic."""
        return self.lost_bytes / self.offered_bytes if self.offered_bytes else 0.0


@dataclass(frozen=True, slots=True)
class TrafficResult:
    """One entry of `Scenario.traffic`, in its order, by its name.

    `started`, `completed` and `completion_*` count the connections of WebUsers and
    ShortFlows in the measurement window (0 and nan otherwise).
    """

    name: str
    flows: tuple[FlowResult, ...]
    started: int = 0
    completed: int = 0
    completion_mean_s: float = float("nan")
    completion_p50_s: float = float("nan")
    completion_p95_s: float = float("nan")

    @property
    def goodput_bps(self) -> float:
        """Sum over the flows."""
        return sum(flow.goodput_bps for flow in self.flows)

    @property
    def loss(self) -> float:
        """Lost over offered bytes of all flows; 0 without traffic."""
        offered = sum(flow.offered_bytes for flow in self.flows)
        return sum(flow.lost_bytes for flow in self.flows) / offered if offered else 0.0


@dataclass(frozen=True, slots=True)
class CellResult:
    """All that one simulation gave, and what it took: `wall_s` seconds, `versions` by name."""

    links: tuple[LinkResult, ...]
    traffic: tuple[TrafficResult, ...]
    window_s: float
    wall_s: float
    versions: Mapping[str, str]

    def link(self, name: str | None = None) -> LinkResult:
        """The link of this name; without one, the first link. Raises KeyError."""
        for link in self.links:
            if name is None or link.name == name:
                return link
        raise KeyError(name)

    def of(self, name: str) -> TrafficResult:
        """The traffic entry of this name. Raises KeyError."""
        for entry in self.traffic:
            if entry.name == name:
                return entry
        raise KeyError(name)


def _moving_sum(values: Series, samples: int) -> Series:
    """Sum of each value and the `samples` - 1 before it; of fewer at the beginning."""
    sums = np.cumsum(values, dtype=np.float64)
    sums[samples:] = sums[samples:] - sums[:-samples]
    return sums
