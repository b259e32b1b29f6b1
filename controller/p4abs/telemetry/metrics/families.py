"""All metrics: what each is called, what people read of it, and where its values come from.

Series of ports have the labels `switch`, `port` and, where several queues of a port are under
control, `queue`; those of switches have `switch`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from platform import python_version
from typing import Any, Generic, TypeVar

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    StateSetMetricFamily,
)
from prometheus_client.metrics_core import Metric

from p4abs import __version__
from p4abs.agreements import Standing
from p4abs.columns import Floats
from p4abs.config import PortSettings
from p4abs.control import LoopStatistics, Sample
from p4abs.measurements import COUNTERS, EXTREMES, Measurement
from p4abs.session import SwitchState
from p4abs.telemetry.configuration import Configuration
from p4abs.telemetry.metrics.switch_totals import Histograms, SwitchTotals
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.samples import SampleFile
from p4abs.telemetry.sums import Sums
from p4abs.telemetry.unhurried import unhurried

_Kind = type[CounterMetricFamily | GaugeMetricFamily]
_Value = float | None
_Series = tuple[Sequence[str], _Value]
T = TypeVar("T")


@dataclass(frozen=True)
class _Figure(Generic[T]):
    """A metric. `name` lacks its kind's ending.

    `of` gives the value, or None for no series. With `labels`, it gives a mapping from their values
    to such values.
    """

    name: str
    unit: str
    help: str
    of: Callable[[T], Any]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Port:
    """A port and its last sample; None if another controller has the switch, and reports it."""

    switch: SwitchTotals
    settings: PortSettings
    meter: PortMeter
    total: Sums
    last: Sample | None
    queue: tuple[str, ...]

    @classmethod
    def of(cls, switch: SwitchTotals, port: PortSettings) -> "_Port":
        meter = switch.switch.meters[port.index]
        last = meter.last if switch.switch.is_known else None
        # Without a queue the last label, `queue`, gets no value: the series does not have it.
        queue = () if port.queue is None else (str(port.queue.number),)
        return cls(switch, port, meter, meter.total, last, queue)

    def labels(self, *more: str) -> tuple[str, ...]:
        return (self.switch.switch.name, str(self.settings.number), *more, *self.queue)


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
    name, text = each.metric
    return _Figure(name, each.unit, text, lambda last: getattr(last.interval, each.name))


def _capacity(port: _Port) -> Mapping[tuple[str, ...], _Value]:
    measured_bps = None if port.last is None else port.last.measured_capacity_bps
    rates_bps = {"measured": measured_bps, "declared": port.settings.capacity}
    return {(source,): None if bps is None else bps / 8 for source, bps in rates_bps.items()}


def _gains(port: _Port) -> Mapping[tuple[str, ...], _Value]:
    gains = {} if port.last is None else port.last.gains
    return {(target,): gains.get(target) for target in ("utilization", "loss")}


def _drain_time_s(port: _Port) -> _Value:
    if port.last is None:
        return None
    capacity_bps = port.last.measured_capacity_bps or port.settings.capacity
    limit_bytes = port.last.decided_limit_bytes
    return 8 * limit_bytes / capacity_bps if capacity_bps and limit_bytes else None


def _held_bytes(port: _Port) -> _Value:
    switch = port.switch.switch
    return switch.meter.held_bytes(port.meter.position) if switch.is_known else None


def _state(port: _Port) -> Mapping[tuple[str, ...], _Value]:
    """One series for each port, of its present state."""
    switch = port.switch.switch
    return {(switch.state(port.settings.index).text,): 1.0} if switch.is_known else {}


def _stall(port: _Port) -> Mapping[tuple[str, ...], _Value]:
    """A port that is well has no series."""
    stall = port.switch.switch.stalls.get(port.settings.index)
    return {} if stall is None else {(stall.value,): 1.0}


_TOTALS: tuple[_Figure[Sums], ...] = (
    _Figure(
        "p4abs_sampled_seconds",
        "seconds",
        "Time that the port's other totals cover, by the switch's clock.",
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
        "Queue limit in force; 0: the switch has none.",
        lambda last: last.limit_bytes,
    ),
    _Figure(
        "p4abs_decided_limit_bytes",
        "bytes",
        "Limit that the policy decided. While the port is observed or released, the switch does "
        "not get it.",
        lambda last: last.decided_limit_bytes,
    ),
    *map(_last_of, EXTREMES),
)
_PORTS: tuple[_Figure[_Port], ...] = (
    _Figure(
        "p4abs_drain_time_seconds",
        "seconds",
        "Time that a queue as long as the limit takes to drain.",
        _drain_time_s,
    ),
    _Figure(
        "p4abs_memory_held_bytes",
        "bytes",
        "Part of the shared memory that the port holds.",
        _held_bytes,
    ),
    _Figure(
        "p4abs_port_state",
        "",
        "1: the port is in this state. A port has one state at a time.",
        _state,
        ("state",),
    ),
    _Figure(
        "p4abs_port_stalled",
        "",
        "1: the controller gets no new measurements of the port, so its limit stays as it is.",
        _stall,
        ("reason",),
    ),
    # A join brings the name to other series: `* on(switch, port) group_left(name)`.
    _Figure(
        "p4abs_port_info",
        "",
        "Always 1. Labels: the name on the front panel; whether the limit is controlled or "
        "observed.",
        lambda port: {(port.settings.name or "", port.settings.mode): 1.0},
        ("name", "mode"),
    ),
    _Figure(
        "p4abs_capacity_bytes_per_second",
        "bytes_per_second",
        "The link's capacity in Ethernet frames without FCS, as measured and as declared.",
        _capacity,
        ("source",),
    ),
    _Figure(
        "p4abs_target_ratio",
        "ratio",
        "The port's targets.",
        lambda port: {("utilization",): port.settings.utilization, ("loss",): port.settings.loss},
        ("target",),
    ),
    _Figure(
        "p4abs_gain",
        "",
        "How strongly the policy reacts to errors of a target. Only policies with gains have it.",
        _gains,
        ("target",),
    ),
)
_AGREEMENT_NOW: tuple[_Figure[Standing], ...] = (
    _Figure(
        "p4abs_agreement_compliance_ratio",
        "ratio",
        "Share of the windows of the last period in which the agreement was kept. Windows that "
        "were not judged do not count.",
        lambda standing: standing.compliance,
    ),
    _Figure(
        "p4abs_agreement_error_budget_ratio",
        "ratio",
        "Share of the error budget that is left. Below 0: more windows have failed than allowed.",
        lambda standing: standing.error_budget,
    ),
    _Figure(
        "p4abs_agreement_burn_rate",
        "",
        "How fast the error budget is used; at 1 it lasts for exactly one period.",
        lambda standing: standing.burn_rate,
    ),
    _Figure(
        "p4abs_agreement_broken",
        "",
        "1: more windows have failed than the agreement allows.",
        lambda standing: float(standing.is_broken),
    ),
)
_AGREEMENT_TOTALS: tuple[_Figure[Standing], ...] = (
    _Figure(
        "p4abs_agreement_windows_judged",
        "",
        "Windows of the agreement that were judged.",
        lambda standing: standing.judged,
    ),
    _Figure(
        "p4abs_agreement_windows_failed",
        "",
        "Windows in which the agreement was not kept.",
        lambda standing: standing.failed,
    ),
    _Figure(
        "p4abs_agreement_breaches",
        "",
        "How often the agreement was broken.",
        lambda standing: standing.breaches,
    ),
)
_LOOPS: tuple[_Figure[LoopStatistics], ...] = (
    _Figure("p4abs_intervals", "", "Control intervals that were run.", lambda loop: loop.ticks),
    _Figure(
        "p4abs_intervals_missed",
        "",
        "Control intervals that were skipped because the loop was late.",
        lambda loop: loop.missed_deadlines,
    ),
    _Figure(
        "p4abs_exchanges_lost",
        "",
        "Exchanges with the switch that were not answered in time.",
        lambda loop: loop.lost_exchanges,
    ),
)
_SWITCHES: tuple[tuple[_Kind, _Figure[SwitchTotals]], ...] = (
    (
        GaugeMetricFamily,
        _Figure(
            "p4abs_primary",
            "",
            "1: this controller is the switch's primary and controls or observes it. 0: it is a "
            "backup, or has no connection to the switch.",
            lambda each: float(each.switch.controller.state.is_primary),
        ),
    ),
    (
        CounterMetricFamily,
        _Figure(
            "p4abs_reconnections",
            "",
            "How often the controller has reconnected after it had lost the switch.",
            lambda each: each.switch.controller.reconnections,
        ),
    ),
    (
        GaugeMetricFamily,
        _Figure(
            "p4abs_memory_bytes",
            "bytes",
            "Size of the memory that all queues of the switch share.",
            lambda each: each.switch.settings.memory,
        ),
    ),
)


def port_families(switches: Sequence[SwitchTotals], stepped_s: float) -> Iterator[Metric]:
    """All metrics of all ports; a port without a sample has its settings only.

    `stepped_s` is by how much the machine's clock has been set forward since control began.
    """
    ports = [
        _Port.of(each, port) for each in switches for port in unhurried(each.switch.settings.port)
    ]
    sampled = [(port, port.last) for port in ports if port.last is not None]
    for total in _TOTALS:
        yield _of_ports(CounterMetricFamily, total, ((port, port.total) for port in ports))
    last_sampled = _Figure[Sample](
        "p4abs_last_sample_timestamp_seconds",
        "seconds",
        "Time of the port's last sample, since the Unix epoch.",
        lambda last: last.time_s + stepped_s,
    )
    for figure in (*_LAST, last_sampled):
        yield _of_ports(GaugeMetricFamily, figure, sampled)
    for one in _PORTS:
        yield _of_ports(GaugeMetricFamily, one, ((port, port) for port in ports))
    delays = ((port.labels(), port.switch.queue_delay, port.meter.position) for port in ports)
    yield _histogram(
        "p4abs_queue_delay_ratio",
        "Queue delay at the end of each interval, divided by that of a full queue.",
        ["switch", "port", "queue"],
        unhurried(delays),
    )


def agreement_families(switches: Sequence[SwitchTotals]) -> Iterator[Metric]:
    """All metrics of all agreements; none where there is no agreement.

    Of a switch that another controller has, only what was counted before.
    """
    standings = [
        (_Port.of(each, port).labels(terms.name), standing, each.switch.is_known)
        for each in switches
        for port in unhurried(each.switch.settings.port)
        for terms, standing in each.switch.meters[port.index].agreements.standings()
    ]
    if not standings:
        return
    labels = ["switch", "port", "agreement", "queue"]
    for now in _AGREEMENT_NOW:
        told = ((port, now.of(each)) for port, each, is_known in unhurried(standings) if is_known)
        yield _family(GaugeMetricFamily, now, labels, told)
    for total in _AGREEMENT_TOTALS:
        told = ((port, total.of(each)) for port, each, _ in unhurried(standings))
        yield _family(CounterMetricFamily, total, labels, told)


def switch_families(switches: Sequence[SwitchTotals]) -> Iterator[Metric]:
    """All metrics of all switches; a loop that has not begun has no counters."""
    yield _histogram(
        "p4abs_interval_lateness_seconds",
        "How late control intervals began.",
        ["switch"],
        (([each.switch.name], each.lateness_s, 0) for each in switches),
    )
    yield _histogram(
        "p4abs_exchange_seconds",
        "Duration of exchanges, each of which reads and writes all ports of a switch.",
        ["switch"],
        (([each.switch.name], each.exchange_s, 0) for each in switches),
    )
    controllers = [(each.switch.name, each.switch.controller) for each in switches]
    for figure in _LOOPS:
        told = (
            ([name], figure.of(each.loop.statistics)) for name, each in controllers if each.loop
        )
        yield _family(CounterMetricFamily, figure, ["switch"], told)
    states = StateSetMetricFamily(
        "p4abs_switch_state", "State of the switch, as this controller sees it.", labels=["switch"]
    )
    for name, each in controllers:
        states.add_metric([name], {one.name.lower(): one is each.state for one in SwitchState})
    primary, reconnections, memory = (
        _family(
            kind, figure, ["switch"], (([each.switch.name], figure.of(each)) for each in switches)
        )
        for kind, figure in _SWITCHES
    )
    yield from (primary, states, reconnections, memory)


def run_families(
    configuration: Configuration, samples: SampleFile | None, stepped_s: float
) -> Iterator[Metric]:
    """The metrics of the process: what it is, and which configuration it has."""
    build = {"version": __version__, "python": python_version()}
    yield InfoMetricFamily("p4abs_build", "The version of p4abs and of Python.", build)
    yield InfoMetricFamily(
        "p4abs_configuration",
        "The configuration in force. Equal configurations have the same hash.",
        {"hash": configuration.hash},
    )
    yield GaugeMetricFamily(
        "p4abs_configuration_reload_successful",
        "1: the last reload came into force. 0: it was refused, and the configuration before it "
        "stays in force.",
        float(configuration.is_accepted),
    )
    yield GaugeMetricFamily(
        "p4abs_configuration_accepted_timestamp_seconds",
        "When a configuration last came into force, since the Unix epoch.",
        configuration.accepted_s + stepped_s,
        unit="seconds",
    )
    if samples is not None:
        yield CounterMetricFamily(
            "p4abs_samples_left_out",
            "Samples that --samples did not write, because the disk was full or too slow.",
            samples.left_out,
        )


def _of_ports(kind: _Kind, figure: _Figure[T], rows: Iterable[tuple[_Port, T]]) -> Metric:
    return _family(kind, figure, ["switch", "port", *figure.labels, "queue"], _told(figure, rows))


def _told(figure: _Figure[T], rows: Iterable[tuple[_Port, T]]) -> Iterator[_Series]:
    for port, row in unhurried(rows):
        value = figure.of(row)
        for more, each in value.items() if isinstance(value, Mapping) else [((), value)]:
            yield port.labels(*more), each


def _family(
    kind: _Kind, figure: _Figure[Any], labels: Sequence[str], series: Iterable[_Series]
) -> Metric:
    family = kind(figure.name, figure.help, labels=labels, unit=figure.unit)
    for values, value in series:
        if value is not None:
            family.add_metric(values, value)
    return family


def _histogram(
    name: str,
    help_text: str,
    labels: Sequence[str],
    series: Iterable[tuple[Sequence[str], Histograms, int]],
) -> Metric:
    """Its name ends in its unit."""
    unit = name.rpartition("_")[2]
    family = HistogramMetricFamily(name, help_text, labels=labels, unit=unit)
    for values, histograms, position in series:
        family.add_metric(values, histograms.buckets(position), histograms.sum(position))
    return family
