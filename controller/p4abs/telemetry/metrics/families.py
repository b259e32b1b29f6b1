"""All metrics: what each is called, what people read of it, and where its values come from.

Series of ports have the labels `switch`, `port` and, where several queues of a port are under
control, `queue`; those of switches have `switch`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from platform import python_version
from typing import Any

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.metrics_core import Metric

from p4abs import __version__
from p4abs.columns import Floats
from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.measurements import COUNTERS, EXTREMES, Measurement
from p4abs.session import SwitchState
from p4abs.telemetry.configuration import Configuration
from p4abs.telemetry.metrics.switch_totals import Histograms, SwitchTotals
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.samples import SampleFile
from p4abs.telemetry.samples.columns import ABOUT
from p4abs.telemetry.sums import Sums
from p4abs.telemetry.unhurried import unhurried

_Kind = type[CounterMetricFamily | GaugeMetricFamily]
_Value = float | None
_ByLabels = Mapping[tuple[str, ...], _Value]
_Series = tuple[Sequence[str], _Value]


@dataclass(frozen=True)
class _Figure:
    """A metric. `name` lacks its kind's ending.

    `of` gives the value of what it is a figure of, or None for no series. With `labels`, it gives a
    mapping from their values to such values.
    """

    kind: _Kind
    name: str
    unit: str
    help: str
    of: Callable[[Any], Any]
    labels: tuple[str, ...] = ()

    def family(self, labels: Sequence[str], series: Iterable[_Series]) -> Metric:
        family = self.kind(self.name, self.help, labels=labels, unit=self.unit)
        for values, value in series:
            if value is not None:
                family.add_metric(values, value)
        return family


_counter, _gauge = partial(_Figure, CounterMetricFamily), partial(_Figure, GaugeMetricFamily)


@dataclass(frozen=True)
class _Port:
    """A port and its last sample; None if another controller has the switch, and reports it.

    `stepped_s` is by how much the machine's clock has been set forward since control began.
    """

    switch: SwitchTotals
    settings: PortSettings
    meter: PortMeter
    total: Sums
    last: Sample | None
    stepped_s: float

    @classmethod
    def of(cls, switch: SwitchTotals, port: PortSettings, stepped_s: float = 0.0) -> "_Port":
        meter = switch.switch.meters[port.index]
        last = meter.last if switch.switch.is_known else None
        return cls(switch, port, meter, meter.total, last, stepped_s)

    def labels(self, *more: str) -> tuple[str, ...]:
        # Without a queue the last label, `queue`, gets no value: the series does not have it.
        queue = () if self.settings.queue is None else (str(self.settings.queue.number),)
        return (self.switch.switch.name, str(self.settings.number), *more, *queue)


def _of_last(of: Callable[[Sample], _Value]) -> Callable[[_Port], _Value]:
    return lambda port: None if port.last is None else of(port.last)


def _total_of(each: Measurement) -> _Figure:
    assert each.metric is not None
    name, text = each.metric
    if each.unit == "us":  # Prometheus knows times in seconds
        return _counter(name, "seconds", text, lambda port: _seconds(port.total.known(each)))
    return _counter(name, each.unit, text, lambda port: port.total.known(each))


def _seconds(time_us: Floats | None) -> Floats | None:
    return None if time_us is None else time_us / 1e6


def _last_of(each: Measurement) -> _Figure:
    assert each.metric is not None
    name, text = each.metric
    return _gauge(name, each.unit, text, _of_last(lambda last: getattr(last.interval, each.name)))


def _capacity(port: _Port) -> _ByLabels:
    measured_bps = None if port.last is None else port.last.measured_capacity_bps
    rates_bps = {"measured": measured_bps, "declared": port.settings.capacity}
    return {(source,): None if bps is None else bps / 8 for source, bps in rates_bps.items()}


def _gains(port: _Port) -> _ByLabels:
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


def _state(port: _Port) -> _ByLabels:
    """One series for each port, of its present state."""
    switch = port.switch.switch
    return {(switch.state(port.settings.index).text,): 1.0} if switch.is_known else {}


def _stall(port: _Port) -> _ByLabels:
    """A port that is well has no series."""
    stall = port.switch.switch.stalls.get(port.settings.index)
    return {} if stall is None else {(stall.value,): 1.0}


# Of a _Port.
_PORTS = (
    _counter(
        "p4abs_sampled_seconds",
        "seconds",
        "Time that the port's other totals cover, by the switch's clock.",
        lambda port: port.total.duration_s,
    ),
    *map(_total_of, COUNTERS),
    _counter(
        "p4abs_idle_seconds",
        "seconds",
        ABOUT["idle_s"],
        lambda port: port.total.idle_s if port.total.idle_known_s else None,
    ),
    _gauge(
        "p4abs_queue_limit_bytes",
        "bytes",
        "Queue limit in force; 0: the switch has none.",
        _of_last(lambda last: last.limit_bytes),
    ),
    _gauge(
        "p4abs_decided_limit_bytes",
        "bytes",
        "Limit that the policy decided. While the port is observed or released, the switch does "
        "not get it.",
        _of_last(lambda last: last.decided_limit_bytes),
    ),
    *map(_last_of, EXTREMES),
    _gauge(
        "p4abs_last_sample_timestamp_seconds",
        "seconds",
        "Time of the port's last sample, since the Unix epoch.",
        lambda port: None if port.last is None else port.last.time_s + port.stepped_s,
    ),
    _gauge(
        "p4abs_drain_time_seconds",
        "seconds",
        "Time that a queue as long as the limit takes to drain.",
        _drain_time_s,
    ),
    _gauge(
        "p4abs_memory_held_bytes",
        "bytes",
        "Part of the shared memory that the port holds.",
        _held_bytes,
    ),
    _gauge(
        "p4abs_port_state",
        "",
        "1: the port is in this state. A port has one state at a time.",
        _state,
        ("state",),
    ),
    _gauge(
        "p4abs_port_stalled",
        "",
        "1: the controller gets no new measurements of the port, so its limit stays as it is.",
        _stall,
        ("reason",),
    ),
    # A join brings the name to other series: `* on(switch, port) group_left(name)`.
    _gauge(
        "p4abs_port_info",
        "",
        "Always 1. Labels: the name on the front panel; whether the limit is controlled or "
        "observed.",
        lambda port: {(port.settings.name or "", port.settings.mode): 1.0},
        ("name", "mode"),
    ),
    _gauge(
        "p4abs_capacity_bytes_per_second",
        "bytes_per_second",
        "The link's capacity in Ethernet frames without FCS, as measured and as declared.",
        _capacity,
        ("source",),
    ),
    _gauge(
        "p4abs_target_ratio",
        "ratio",
        "The port's targets.",
        lambda port: {("utilization",): port.settings.utilization, ("loss",): port.settings.loss},
        ("target",),
    ),
    _gauge(
        "p4abs_gain",
        "",
        "How strongly the policy reacts to errors of a target. Only policies with gains have it.",
        _gains,
        ("target",),
    ),
)
# Of a Standing.
_AGREEMENTS = (
    _gauge(
        "p4abs_agreement_compliance_ratio",
        "ratio",
        ABOUT["agreement_compliance"],
        lambda standing: standing.compliance,
    ),
    _gauge(
        "p4abs_agreement_error_budget_ratio",
        "ratio",
        ABOUT["agreement_error_budget"],
        lambda standing: standing.error_budget,
    ),
    _gauge(
        "p4abs_agreement_burn_rate",
        "",
        ABOUT["agreement_burn_rate"],
        lambda standing: standing.burn_rate,
    ),
    _gauge(
        "p4abs_agreement_broken",
        "",
        "1: more windows have failed than the agreement allows.",
        lambda standing: float(standing.is_broken),
    ),
    _counter(
        "p4abs_agreement_windows_judged",
        "",
        "Windows of the agreement that were judged.",
        lambda standing: standing.judged,
    ),
    _counter(
        "p4abs_agreement_windows_failed",
        "",
        "Windows in which the agreement was not kept.",
        lambda standing: standing.failed,
    ),
    _counter(
        "p4abs_agreement_breaches",
        "",
        "How often the agreement was broken.",
        lambda standing: standing.breaches,
    ),
)
# Of LoopStatistics.
_LOOPS = (
    _counter("p4abs_intervals", "", "Control intervals that were run.", lambda loop: loop.ticks),
    _counter(
        "p4abs_intervals_missed",
        "",
        "Control intervals that were skipped because the loop was late.",
        lambda loop: loop.missed_deadlines,
    ),
    _counter(
        "p4abs_exchanges_lost",
        "",
        "Exchanges with the switch that were not answered in time.",
        lambda loop: loop.lost_exchanges,
    ),
)
# Of a SwitchController.
_SWITCHES = (
    _gauge(
        "p4abs_primary",
        "",
        "1: this controller is the switch's primary and controls or observes it. 0: it is a "
        "backup, or has no connection to the switch.",
        lambda controller: float(controller.state.is_primary),
    ),
    _counter(
        "p4abs_reconnections",
        "",
        "How often the controller has reconnected after it had lost the switch.",
        lambda controller: controller.reconnections,
    ),
    _gauge(
        "p4abs_memory_bytes",
        "bytes",
        "Size of the memory that all queues of the switch share.",
        lambda controller: controller.settings.memory,
    ),
)


def port_families(switches: Sequence[SwitchTotals], stepped_s: float) -> Iterator[Metric]:
    """All metrics of all ports; a port without a sample has its settings only."""
    ports = [
        _Port.of(each, port, stepped_s)
        for each in switches
        for port in unhurried(each.switch.settings.port)
    ]
    for figure in _PORTS:
        labels = ["switch", "port", *figure.labels, "queue"]
        yield figure.family(labels, _series(figure, ports))
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
    for figure in _AGREEMENTS if standings else ():
        is_count = figure.kind is CounterMetricFamily
        told = (
            (port, figure.of(each))
            for port, each, is_known in unhurried(standings)
            if is_known or is_count
        )
        yield figure.family(["switch", "port", "agreement", "queue"], told)


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
    loops = [(name, each.loop.statistics) for name, each in controllers if each.loop]
    states = GaugeMetricFamily(
        "p4abs_switch_state",
        "1: the switch is in this state, as this controller sees it. 0: it is not.",
        labels=["switch", "state"],
    )
    for name, each in controllers:
        for one in SwitchState:
            states.add_metric([name, one.name.lower()], float(one is each.state))
    yield states
    for figures, rows in ((_LOOPS, loops), (_SWITCHES, controllers)):
        for figure in figures:
            yield figure.family(["switch"], (([name], figure.of(row)) for name, row in rows))


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


def _series(figure: _Figure, ports: Iterable[_Port]) -> Iterator[_Series]:
    for port in unhurried(ports):
        value = figure.of(port)
        for more, each in value.items() if isinstance(value, Mapping) else [((), value)]:
            yield port.labels(*more), each


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
