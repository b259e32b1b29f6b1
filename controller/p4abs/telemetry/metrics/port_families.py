"""The metrics of ports, one series a port, or one for each of two targets."""

from collections.abc import Callable, Iterator, Sequence
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
from p4abs.telemetry.metrics.switch_totals import SwitchTotals
from p4abs.telemetry.unhurried import unhurried

_LABELS = ["switch", "port"]
_TARGETS = ("utilization", "loss")

Value = float | None
_Sampled = tuple[list[str], Sample]


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


@dataclass(frozen=True)
class _Port:
    labels: list[str]
    settings: PortSettings
    totals: PortTotals


def port_families(switches: Sequence[SwitchTotals]) -> Iterator[Metric]:
    """All metrics of all ports; a port without a sample has its settings only."""
    ports = [
        _Port([each.switch.name, str(port.number)], port, each.ports[port.number])
        for each in switches
        for port in unhurried(each.switch.settings.port)
    ]
    sampled = [(port.labels, port.totals.last) for port in ports if port.totals.last is not None]
    for total in _TOTALS:
        counter = CounterMetricFamily(total.name, total.help, labels=_LABELS, unit=total.unit)
        for port in unhurried(ports):
            if (value := total.of(port.totals)) is not None:
                counter.add_metric(port.labels, value)
        yield counter
    for figure in _LAST:
        gauge = GaugeMetricFamily(figure.name, figure.help, labels=_LABELS, unit=figure.unit)
        for labels, last in unhurried(sampled):
            if (value := figure.of(last)) is not None:
                gauge.add_metric(labels, value)
        yield gauge
    yield _capacity(ports)
    yield _targets(ports)
    yield _gains(sampled)
    yield _binding(sampled)
    yield _queue_delay(ports)


def _capacity(ports: Sequence[_Port]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_capacity_bits_per_second",
        "The link's capacity in Ethernet frames without FCS, as measured and as declared.",
        labels=[*_LABELS, "source"],
        unit="bits_per_second",
    )
    for port in unhurried(ports):
        last = port.totals.last
        measured_bps = None if last is None else last.measured_capacity_bps
        for source, value_bps in (("measured", measured_bps), ("declared", port.settings.capacity)):
            if value_bps is not None:
                family.add_metric([*port.labels, source], value_bps)
    return family


def _targets(ports: Sequence[_Port]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_target_ratio",
        "What the limit has to achieve.",
        labels=[*_LABELS, "target"],
        unit="ratio",
    )
    for port in unhurried(ports):
        family.add_metric([*port.labels, "utilization"], port.settings.utilization)
        family.add_metric([*port.labels, "loss"], port.settings.loss)
    return family


def _gains(sampled: Sequence[_Sampled]) -> Metric:
    family = GaugeMetricFamily(
        "p4abs_gain",
        "The policy's gain for a target, where it has one.",
        labels=[*_LABELS, "target"],
    )
    for labels, last in unhurried(sampled):
        for target in _TARGETS:
            if target in last.gains:
                family.add_metric([*labels, target], last.gains[target])
    return family


def _binding(sampled: Sequence[_Sampled]) -> Metric:
    family = StateSetMetricFamily(
        "p4abs_binding", "What holds the queue limit where it is.", labels=_LABELS
    )
    for labels, last in unhurried(sampled):
        family.add_metric(labels, {each.value: each is last.binding for each in Binding})
    return family


def _queue_delay(ports: Sequence[_Port]) -> Metric:
    family = HistogramMetricFamily(
        "p4abs_queue_delay_seconds",
        "Time that the queue takes to drain, at the end of each interval.",
        labels=_LABELS,
        unit="seconds",
    )
    for port in unhurried(ports):
        queue_delay_s = port.totals.queue_delay_s
        family.add_metric(port.labels, queue_delay_s.buckets(), queue_delay_s.sum)
    return family
