"""The metrics of agreements, one series for each of a port."""

from collections.abc import Callable, Iterator, Sequence

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from p4abs.agreements import Standing
from p4abs.telemetry.metrics.labels import names_with, series_of
from p4abs.telemetry.metrics.switch_totals import SwitchTotals
from p4abs.telemetry.unhurried import unhurried

_GAUGES: tuple[tuple[str, str, str, Callable[[Standing], float | None]], ...] = (
    (
        "p4abs_agreement_compliance_ratio",
        "ratio",
        "Share of the judged windows of the last period in which the agreement was kept.",
        lambda standing: standing.compliance,
    ),
    (
        "p4abs_agreement_error_budget_ratio",
        "ratio",
        "Share of the allowed failures that is left; negative: more windows have failed.",
        lambda standing: standing.error_budget,
    ),
    (
        "p4abs_agreement_burn_rate",
        "",
        "How fast the error budget is used; at 1 it lasts for exactly one period.",
        lambda standing: standing.burn_rate,
    ),
    (
        "p4abs_agreement_broken",
        "",
        "1: more windows have failed than the agreement allows.",
        lambda standing: float(standing.is_broken),
    ),
)
_COUNTERS: tuple[tuple[str, str, Callable[[Standing], float]], ...] = (
    (
        "p4abs_agreement_windows_judged",
        "Windows of the agreement that were judged.",
        lambda standing: standing.judged,
    ),
    (
        "p4abs_agreement_windows_failed",
        "Windows in which the agreement was not kept.",
        lambda standing: standing.failed,
    ),
    (
        "p4abs_agreement_breaches",
        "How often the agreement was broken.",
        lambda standing: standing.breaches,
    ),
)
_LABELS = names_with("agreement")


def agreement_families(switches: Sequence[SwitchTotals]) -> Iterator[Metric]:
    """All metrics of all agreements; none where there is no agreement.

    Of a switch that another controller has, only what was counted before.
    """
    standings = [
        (series_of(each.switch.name, port).labels(terms.name), standing)
        for each in switches
        for port in unhurried(each.switch.settings.port)
        for terms, standing in each.switch.meters[port.index].agreements.standings()
    ]
    if not standings:
        return
    known = {each.switch.name for each in switches if each.switch.is_known}
    for name, unit, help_text, gauge_of in _GAUGES:
        gauge = GaugeMetricFamily(name, help_text, labels=_LABELS, unit=unit)
        for labels, standing in unhurried(standings):
            if labels[0] in known and (value := gauge_of(standing)) is not None:
                gauge.add_metric(labels, value)
        yield gauge
    for name, help_text, count_of in _COUNTERS:
        counter = CounterMetricFamily(name, help_text, labels=_LABELS)
        for labels, standing in unhurried(standings):
            counter.add_metric(labels, count_of(standing))
        yield counter
