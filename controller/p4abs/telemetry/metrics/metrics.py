"""Metrics of a running controller: kept as numbers, turned into text at a scrape only."""

from collections.abc import Iterator
from typing import cast

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    StateSetMetricFamily,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample as MetricSample

from p4abs.config import Settings
from p4abs.control import Sample
from p4abs.session import SwitchController, SwitchState
from p4abs.telemetry.metrics.histogram import Histogram
from p4abs.telemetry.metrics.port_families import port_families
from p4abs.telemetry.metrics.port_totals import PortTotals
from p4abs.telemetry.metrics.unhurried import unhurried

_LATENESS_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0)
_EXCHANGE_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


class Metrics(Collector):
    """Takes what the control loop tells, in its thread; `collect` is called in the scraper's."""

    def __init__(self, settings: Settings, controller: SwitchController) -> None:
        self._settings = settings
        self._controller = controller
        self._ports = {port.number: PortTotals() for port in settings.port}
        self._lateness_s = Histogram(_LATENESS_BOUNDS_S)
        self._exchange_s = Histogram(_EXCHANGE_BOUNDS_S)

    def sample(self, sample: Sample) -> None:
        """One port's interval."""
        self._ports[sample.port].add(sample)
        self._exchange_s.add(sample.exchange_s)

    def tick(self) -> None:
        """The work of a control interval is done."""
        loop = self._controller.loop
        if loop is not None:
            self._lateness_s.add(loop.statistics.lateness_s[-1])

    def collect(self) -> Iterator[Metric]:
        """Everything as of now, by the names of OpenMetrics.

        The samples of a metric can be iterated once, which is when the library writes them.
        """
        for metric in port_families(self._settings.port, self._ports):
            metric.samples = cast("list[MetricSample]", unhurried(metric.samples))
            yield metric
        yield from self._loop_families()
        yield from self._session_families()

    def _loop_families(self) -> Iterator[Metric]:
        lateness = HistogramMetricFamily(
            "p4abs_interval_lateness_seconds",
            "By how much the control loop overslept its deadlines.",
            unit="seconds",
        )
        lateness.add_metric([], self._lateness_s.buckets(), self._lateness_s.sum)
        yield lateness
        exchange = HistogramMetricFamily(
            "p4abs_exchange_seconds",
            "How long those exchanges with the switch took that brought a sample.",
            unit="seconds",
        )
        exchange.add_metric([], self._exchange_s.buckets(), self._exchange_s.sum)
        yield exchange
        loop = self._controller.loop
        if loop is None:
            return
        for name, help_text, value in (
            ("p4abs_intervals", "Control intervals kept.", loop.statistics.ticks),
            (
                "p4abs_intervals_missed",
                "Control intervals left out, as the loop was not ready.",
                loop.statistics.missed_deadlines,
            ),
            (
                "p4abs_exchanges_lost",
                "Exchanges with the switch that were not answered in time.",
                loop.statistics.lost_exchanges,
            ),
        ):
            yield CounterMetricFamily(name, help_text, value)

    def _session_families(self) -> Iterator[Metric]:
        state = self._controller.state
        yield GaugeMetricFamily(
            "p4abs_primary",
            "1: this controller is the switch's primary one and in control.",
            float(state is SwitchState.CONTROLLING),
        )
        yield StateSetMetricFamily(
            "p4abs_switch_state",
            "How the switch and this controller stand to each other.",
            {each.name.lower(): each is state for each in SwitchState},
        )
        yield CounterMetricFamily(
            "p4abs_reconnections",
            "How often the switch answered again after it had been lost.",
            self._controller.reconnections,
        )
