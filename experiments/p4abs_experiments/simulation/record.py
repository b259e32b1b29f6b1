"""The series of a simulation while it runs, and the figures of its links at the end."""

from collections.abc import Mapping

import numpy as np

from p4abs_experiments.network import Link
from p4abs_experiments.simulation.ns3 import Port
from p4abs_experiments.simulation.result import LinkResult, LinkSeries

_Snapshot = tuple[int, int, int, int, int, int, int]


class LinkRecord:
    """A port's snapshots and its policy's gains, sample by sample."""

    def __init__(self, link: Link, port: Port, *, is_queue: bool) -> None:
        self._link = link
        self._is_queue = is_queue
        self._port = port
        self._first, self._idle_before_s = port.snapshot(), 0.0
        self._snapshots: list[_Snapshot] = [port.snapshot()]
        self._flow_counts = [port.flow_counts()]
        self._gains: list[Mapping[str, float]] = []

    def sample(self, gains: Mapping[str, float]) -> None:
        self._snapshots.append(self._port.snapshot())
        self._flow_counts.append(self._port.flow_counts())
        self._gains.append(gains)

    def start_window(self) -> None:
        self._first, self._idle_before_s = self._port.snapshot(), self._port.idle_s()
        self._port.start_delay_record()

    def result(self) -> LinkResult:
        port = self._port
        first, last = self._first, port.snapshot()
        capacity_bps = self._link.mean_capacity_bps(first[0] / 1e6, last[0] / 1e6)
        series = self._series()
        window = series.time_s > first[0] / 1e6
        changes = (after - before for before, after in zip(first, last, strict=True))
        duration_us, admitted, dropped, departed, *_ = changes
        offered = admitted + dropped
        limit_bytes = series.limit_bytes[window]
        idle = 1e6 * (port.idle_s() - self._idle_before_s) / duration_us
        used = 8e6 * departed / (capacity_bps * duration_us)
        p50_bytes, p99_bytes, max_bytes = np.quantile(limit_bytes, (0.5, 0.99, 1.0))
        return LinkResult(
            name=port.name,
            capacity_bps=round(capacity_bps),
            mean_limit_bytes=float(limit_bytes.mean()),
            std_limit_bytes=float(limit_bytes.std()),
            limit_p50_bytes=float(p50_bytes),
            limit_p99_bytes=float(p99_bytes),
            limit_max_bytes=float(max_bytes),
            mean_occupancy_bytes=port.mean_occupancy_bytes(),
            utilization=1 - idle if self._is_queue else used,
            loss=dropped / offered if offered else 0.0,
            admitted_bytes=admitted,
            dropped_bytes=dropped,
            departed_bytes=departed,
            queue_delay_mean_s=port.delay_mean_s(),
            queue_delay_p50_s=port.delay_quantile_s(0.5),
            queue_delay_p95_s=port.delay_quantile_s(0.95),
            queue_delay_p99_s=port.delay_quantile_s(0.99),
            series=series,
            idle=idle,
        )

    def _series(self) -> LinkSeries:
        columns = np.array(self._snapshots, dtype=np.float64).T
        time_us, admitted, dropped, departed, limit, _, _ = columns
        active_us, long_us, _, timed, timed_us = np.array(self._flow_counts, dtype=np.float64).T
        names = {name for gains in self._gains for name in gains}
        return LinkSeries(
            time_s=time_us[1:] / 1e6,
            # A limit holds until the next snapshot, so this is the one of the interval.
            limit_bytes=limit[1:],
            occupancy_bytes=(admitted - departed)[1:],
            admitted_bytes=np.diff(admitted),
            dropped_bytes=np.diff(dropped),
            departed_bytes=np.diff(departed),
            gains={
                name: np.array([gains.get(name, np.nan) for gains in self._gains])
                for name in sorted(names)
            },
            active_flow_us=np.diff(active_us),
            long_flow_us=np.diff(long_us),
            timed_bytes=np.diff(timed),
            timed_byte_us=np.diff(timed_us),
        )
