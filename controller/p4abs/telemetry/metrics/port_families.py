"""The metrics of ports, one series a port, or one for each of two targets."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric

from p4abs.columns import Floats
from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.measurements import COUNTERS, EXTREMES, Measurement
from p4abs.states import PortState
from p4abs.telemetry.metrics.histogram import Histograms
from p4abs.telemetry.metrics.labels import SeriesOf, names_with, series_of
from p4abs.telemetry.metrics.switch_totals import SwitchTotals
from p4abs.telemetry.sums import Sums
from p4abs.telemetry.unhurried import unhurried

_TARGETS = ("utilization", "loss")

Value = float | None
_Sampled = tuple[SeriesOf, Sample]


T = TypeVar("T")


@dataclass(frozen=True)
class _Figure(Generic[T]):
    name: str
    unit: str
    help: str
    of: Callable[[T], Value]


def _total_of(each: Measurement) -> _Figure[Sums]:
    assert each.metric is not None
    name, text = each.metric
    if each.unit == "us":  # Prometheus knows times in seconds
        return _Figure(name, "seconds", text, lambda total: _seconds(total.known(each)))
    return _Figure(name, each.unit, text, lambda total: total.known(each))


def _seconds(time_us: Floats | None) -> Floats | None:
    return None if time_us is None else time_us / 1e6


def _last_of(each: Measurement) -> _Figure[Sample]:
    assert each.metric is not None
    return _Figure(
        each.metric.name,
        each.unit,
        each.metric.help,
        lambda last: getattr(last.interval, each.name),
    )


_TOTALS: tuple[_Figure[Sums], ...] = (
    _Figure(
        "p4abs_sampled_seconds",
        "seconds",
        "Time, by the data plane's clock, in which the port's other totals were counted.",
        lambda total: total.duration_s,
    ),
    *map(_total_of, COUNTERS),
    _Figure(
        "p4abs_idle_seconds",
        "seconds",
        "Time in which the link had nothing to send.",
        lambda total: total.idle_s if total.idle_known_s else None,
    ),
)
_LAST: tuple[_Figure[Sample], ...] = (
    _Figure(
        "p4abs_queue_limit_bytes",
        "bytes",
        "Queue limit in force; 0: none.",
        lambda last: last.limit_bytes,
    ),
    _Figure(
        "p4abs_decided_limit_bytes",
        "bytes",
        "Limit that the policy decided. Not written while the port is observed or released.",
        lambda last: last.decided_limit_bytes,
    ),
    *map(_last_of, EXTREMES),
)


@dataclass(frozen=True)
class _Port:
    series: SeriesOf
    settings: PortSettings
    total: Sums
    state: PortState
    is_known: bool
    last: Sample | None
    held_bytes: int | None
    queue_delay: Histograms
    position: int


def port_families(switches: Sequence[SwitchTotals], stepped_s: float) -> Iterator[Metric]:
    """All metrics of all ports; a port without a sample has its settings only.

    Of a switch that another controller has, that one tells how its ports are now.
    `stepped_s` is by how much the machine's clock has been set forward since control began.
    """
    ports = [
        _port(each, port) for each in switches for port in unhurried(each.switch.settings.port)
    ]
    sampled = [(port.series, port.last) for port in ports if port.last is not None]
    for total in _TOTALS:
        yield _family(CounterMetricFamily, total, ((port.series, port.total) for port in ports))
    for figure in _LAST:
        yield _family(GaugeMetricFamily, figure, sampled)
    yield _family(GaugeMetricFamily, _last_sampled(stepped_s), sampled)
    yield _drain_times(ports)
    yield _held(ports)
    yield _states([port for port in ports if port.is_known])
    yield _stalls(switches)
    yield _info(ports)
    yield _capacity(ports)
    yield _targets(ports)
    yield _gains(sampled)
    yield _queue_delay(ports)


def _last_sampled(stepped_s: float) -> _Figure[Sample]:
    return _Figure(
        "p4abs_last_sample_timestamp_seconds",
        "seconds",
        "When the port was last sampled, since the Unix epoch.",
        lambda last: last.time_s + stepped_s,
    )


def _port(switch: SwitchTotals, port: PortSettings) -> _Port:
    meter = switch.switch.meters[port.index]
    last = meter.last if switch.switch.is_known else None
    return _Port(
        series_of(switch.switch.name, port),
        port,
        meter.total,
        switch.switch.state(port.index),
        switch.switch.is_known,
        last,
        switch.switch.meter.held_bytes(meter.position),
        switch.queue_delay,
        meter.position,
    )


def _family(
    kind: type[CounterMetricFamily | GaugeMetricFamily],
    figure: _Figure[T],
    rows: Iterable[tuple[SeriesOf, T]],
) -> Metric:
    family = kind(figure.name, figure.help, labels=names_with(), unit=figure.unit)
    for series, row in unhurried(rows):
        if (value := figure.of(row)) is not None:
            family.add_metric(series.labels(), value)
    return family


def _info(ports: Sequence[_Port]) -> Metric:
    """A join brings the name to other series: `* on(switch, port) group_left(name)`."""
    family = GaugeMetricFamily(
        "p4abs_port_info",
        "1: the port's name on the front panel, and whether its limit is controlled or observed.",
        labels=names_with("name", "mode"),
    )
    for port in unhurried(ports):
        family.add_metric(port.series.labels(port.settings.name or "", port.settings.mode), 1.0)
    return family


def _capacity(ports: Sequence[_Port]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_capacity_bytes_per_second",
        "The link's capacity in Ethernet frames without FCS, as measured and as declared.",
        labels=names_with("source"),
        unit="bytes_per_second",
    )
    for port in unhurried(ports):
        measured_bps = None if port.last is None else port.last.measured_capacity_bps
        for source, value_bps in (("measured", measured_bps), ("declared", port.settings.capacity)):
            if value_bps is not None:
                family.add_metric(port.series.labels(source), value_bps / 8)
    return family


def _drain_times(ports: Sequence[_Port]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_drain_time_seconds",
        "Time that a queue as long as the limit takes to drain.",
        labels=names_with(),
        unit="seconds",
    )
    for port in unhurried(ports):
        if port.last is None:
            continue
        capacity_bps = port.last.measured_capacity_bps or port.settings.capacity
        if capacity_bps and port.last.decided_limit_bytes:
            family.add_metric(
                port.series.labels(), 8 * port.last.decided_limit_bytes / capacity_bps
            )
    return family


def _held(ports: Sequence[_Port]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_memory_held_bytes",
        "Part of the shared memory that the port holds.",
        labels=names_with(),
        unit="bytes",
    )
    for port in unhurried(ports):
        if port.is_known and (held_bytes := port.held_bytes) is not None:
            family.add_metric(port.series.labels(), held_bytes)
    return family


def _targets(ports: Sequence[_Port]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_target_ratio",
        "The port's targets.",
        labels=names_with("target"),
        unit="ratio",
    )
    for port in unhurried(ports):
        family.add_metric(port.series.labels("utilization"), port.settings.utilization)
        family.add_metric(port.series.labels("loss"), port.settings.loss)
    return family


def _gains(sampled: Sequence[_Sampled]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_gain",
        "How strongly the policy reacts to errors of a target, where the policy has a gain.",
        labels=names_with("target"),
    )
    for series, last in unhurried(sampled):
        for target in _TARGETS:
            if target in last.gains:
                family.add_metric(series.labels(target), last.gains[target])
    return family


def _states(ports: Sequence[_Port]) -> Metric:
    """One series a port, of its present state: of all states they would be thirteen."""
    family = GaugeMetricFamily(
        "p4abs_port_state",
        "1: the port is in this state. A port has one state at a time.",
        labels=names_with("state"),
    )
    for port in unhurried(ports):
        family.add_metric(port.series.labels(port.state.text), 1.0)
    return family


def _stalls(switches: Sequence[SwitchTotals]) -> Metric:
    """A port that is well has no series."""
    family = GaugeMetricFamily(
        "p4abs_port_stalled",
        "1: the controller gets no new measurements of the port, so its limit stays as it is.",
        labels=names_with("reason"),
    )
    for each in switches:
        stalls = each.switch.stalls
        for port in each.switch.settings.port if stalls else ():
            if port.index in stalls:
                labels = series_of(each.switch.name, port).labels(stalls[port.index].value)
                family.add_metric(labels, 1.0)
    return family


def _queue_delay(ports: Sequence[_Port]) -> Metric:
    family = HistogramMetricFamily(
        "p4abs_queue_delay_ratio",
        "Queue delay at the end of each interval, divided by that of a full queue.",
        labels=names_with(),
        unit="ratio",
    )
    for port in unhurried(ports):
        histograms, position = port.queue_delay, port.position
        family.add_metric(
            port.series.labels(), histograms.buckets(position), histograms.sum(position)
        )
    return family
