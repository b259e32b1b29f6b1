"""The metrics of switches and of their control loops, some series a switch."""

from collections.abc import Callable, Iterator, Sequence

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    StateSetMetricFamily,
)
from prometheus_client.metrics_core import Metric

from p4abs.control import LoopStatistics
from p4abs.session import SwitchState
from p4abs.telemetry.metrics.histogram import Histograms
from p4abs.telemetry.metrics.switch_totals import SwitchTotals

_LABELS = ["switch"]
_COUNTERS: tuple[tuple[str, str, Callable[[LoopStatistics], int]], ...] = (
    ("p4abs_intervals", "Control intervals that were run.", lambda loop: loop.ticks),
    (
        "p4abs_intervals_missed",
        "Control intervals that were skipped because the loop was late.",
        lambda loop: loop.missed_deadlines,
    ),
    (
        "p4abs_exchanges_lost",
        "Exchanges with the switch that were not answered in time.",
        lambda loop: loop.lost_exchanges,
    ),
)


def switch_families(switches: Sequence[SwitchTotals]) -> Iterator[Metric]:
    """All metrics of all switches; a loop that has not begun has no counters."""
    yield _histogram(
        "p4abs_interval_lateness_seconds",
        "How late the control loop was at its deadlines.",
        switches,
        lambda switch: switch.lateness_s,
    )
    yield _histogram(
        "p4abs_exchange_seconds",
        "Duration of the exchanges with the switch that brought a sample.",
        switches,
        lambda switch: switch.exchange_s,
    )
    loops = [
        (each.switch.name, each.switch.controller.loop.statistics)
        for each in switches
        if each.switch.controller.loop is not None
    ]
    for name, help_text, of in _COUNTERS:
        counter = CounterMetricFamily(name, help_text, labels=_LABELS)
        for switch, statistics in loops:
            counter.add_metric([switch], of(statistics))
        yield counter
    yield from _session_families(switches)


def _session_families(switches: Sequence[SwitchTotals]) -> Iterator[Metric]:
    primary = GaugeMetricFamily(
        "p4abs_primary",
        "1: this controller is the switch's primary and controls it.",
        labels=_LABELS,
    )
    states = StateSetMetricFamily(
        "p4abs_switch_state",
        "State of the switch, as this controller sees it.",
        labels=_LABELS,
    )
    reconnections = CounterMetricFamily(
        "p4abs_reconnections",
        "How often the switch answered again after it had been lost.",
        labels=_LABELS,
    )
    memory = GaugeMetricFamily(
        "p4abs_memory_bytes",
        "Size of the memory that all queues of the switch share.",
        labels=_LABELS,
        unit="bytes",
    )
    for each in switches:
        if each.switch.settings.memory is not None:
            memory.add_metric([each.switch.name], each.switch.settings.memory)
        name, state = each.switch.name, each.switch.controller.state
        primary.add_metric([name], float(state is SwitchState.CONTROLLING))
        states.add_metric([name], {one.name.lower(): one is state for one in SwitchState})
        reconnections.add_metric([name], each.switch.controller.reconnections)
    yield from (primary, states, reconnections, memory)


def _histogram(
    name: str,
    help_text: str,
    switches: Sequence[SwitchTotals],
    of: Callable[[SwitchTotals], Histograms],
) -> Metric:
    family = HistogramMetricFamily(name, help_text, labels=_LABELS, unit="seconds")
    for switch in switches:
        family.add_metric([switch.switch.name], of(switch).buckets(0), of(switch).sum(0))
    return family
