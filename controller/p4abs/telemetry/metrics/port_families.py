"""The metrics of ports, one series a port, or one for each of two targets."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    StateSetMetricFamily,
)
from prometheus_client.metrics_core import Metric

from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.policies import Binding
from p4abs.telemetry.metrics.port_totals import PortTotals
from p4abs.telemetry.metrics.unhurried import unhurried

_TARGETS = ("utilization", "loss")

Value = float | None


@dataclass(frozen=True)
class _Total:
    name: str
    unit: str
    help: str
    of: Callable[[PortTotals], Value]


@dataclass(frozen=True)
class _Last:
    name: str
    unit: str
    help: str
    of: Callable[[Sample], Value]


_TOTALS = (
    _Total(
        "p4abs_sampled_seconds",
        "seconds",
        "Time by the data plane's clock that the other totals of a port are of.",
        lambda totals: totals.sampled_s,
    ),
    _Total(
        "p4abs_admitted_bytes",
        "bytes",
        "Bytes that the queue limit let in.",
        lambda totals: totals.admitted_bytes,
    ),
    _Total(
        "p4abs_dropped_bytes",
        "bytes",
        "Bytes that the queue limit turned away.",
        lambda totals: totals.dropped_bytes,
    ),
    _Total(
        "p4abs_departed_bytes",
        "bytes",
        "Bytes that the link has begun to send.",
        lambda totals: totals.departed_bytes,
    ),
    _Total(
        "p4abs_marked_bytes",
        "bytes",
        "Bytes that were marked instead of dropped (ECN), part of the admitted ones.",
        lambda totals: totals.marked_bytes,
    ),
    _Total(
        "p4abs_idle_seconds",
        "seconds",
        "Time in which the link had nothing to send.",
        lambda totals: totals.idle_s,
    ),
)
_LAST = (
    _Last(
        "p4abs_queue_limit_bytes",
        "bytes",
        "Queue limit as last decided; 0: none.",
        lambda last: last.decided_limit_bytes,
    ),
    _Last(
        "p4abs_backlog_least_bytes",
        "bytes",
        "The least that stood in the queue in the last interval.",
        lambda last: last.interval.least_backlog_bytes,
    ),
    _Last(
        "p4abs_backlog_greatest_bytes",
        "bytes",
        "The most that stood in the queue in the last interval.",
        lambda last: last.interval.greatest_backlog_bytes,
    ),
    _Last(
        "p4abs_unreachable",
        "",
        "1: no buffer can meet a target, as the live view and the samples explain.",
        lambda last: float(bool(last.unreachable)),
    ),
    _Last(
        "p4abs_last_sample_timestamp_seconds",
        "seconds",
        "When the port was last sampled, since the Unix epoch.",
        lambda last: last.time_s,
    ),
)


def port_families(
    settings: Sequence[PortSettings], ports: Mapping[int, PortTotals]
) -> Iterator[Metric]:
    """All metrics of all ports; a port without a sample has its settings only."""
    labelled = [(str(number), totals) for number, totals in ports.items()]
    sampled = [(port, totals.last) for port, totals in labelled if totals.last is not None]
    for total in _TOTALS:
        counter = CounterMetricFamily(total.name, total.help, labels=["port"], unit=total.unit)
        for port, totals in unhurried(labelled):
            if (value := total.of(totals)) is not None:
                counter.add_metric([port], value)
        yield counter
    for figure in _LAST:
        gauge = GaugeMetricFamily(figure.name, figure.help, labels=["port"], unit=figure.unit)
        for port, last in unhurried(sampled):
            if (value := figure.of(last)) is not None:
                gauge.add_metric([port], value)
        yield gauge
    yield _capacity(settings, ports)
    yield _targets(settings)
    yield _gains(sampled)
    yield _binding(sampled)
    yield _queue_delay(labelled)


def _capacity(settings: Sequence[PortSettings], ports: Mapping[int, PortTotals]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_capacity_bits_per_second",
        "The link's capacity in Ethernet frames without FCS, as measured and as declared.",
        labels=["port", "source"],
        unit="bits_per_second",
    )
    for port in unhurried(settings):
        last = ports[port.number].last
        measured_bps = None if last is None else last.measured_capacity_bps
        for source, value_bps in (("measured", measured_bps), ("declared", port.capacity)):
            if value_bps is not None:
                family.add_metric([str(port.number), source], value_bps)
    return family


def _targets(settings: Sequence[PortSettings]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_target_ratio",
        "What the limit has to achieve.",
        labels=["port", "target"],
        unit="ratio",
    )
    for port in unhurried(settings):
        family.add_metric([str(port.number), "utilization"], port.utilization)
        family.add_metric([str(port.number), "loss"], port.loss)
    return family


def _gains(sampled: Sequence[tuple[str, Sample]]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_gain", "The policy's gain for a target, where it has one.", labels=["port", "target"]
    )
    for port, last in unhurried(sampled):
        for target in _TARGETS:
            if target in last.gains:
                family.add_metric([port, target], last.gains[target])
    return family


def _binding(sampled: Sequence[tuple[str, Sample]]) -> Metric:
    family = StateSetMetricFamily(
        "p4abs_binding", "What holds the queue limit where it is.", labels=["port"]
    )
    for port, last in unhurried(sampled):
        family.add_metric([port], {each.value: each is last.binding for each in Binding})
    return family


def _queue_delay(labelled: Sequence[tuple[str, PortTotals]]) -> Metric:
    family = HistogramMetricFamily(
        "p4abs_queue_delay_seconds",
        "Time that the queue takes to drain, at the end of each interval.",
        labels=["port"],
        unit="seconds",
    )
    for port, totals in unhurried(labelled):
        family.add_metric([port], totals.queue_delay_s.buckets(), totals.queue_delay_s.sum)
    return family
