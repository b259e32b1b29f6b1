"""The metrics, as a controller would serve them that has just begun."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from p4abs.config import Source, load_settings
from p4abs.session import SwitchState
from p4abs.telemetry.fleet import Fleet
from p4abs.telemetry.metrics import Metrics
from p4abs.telemetry.metrics.switch_totals import (
    DELAY_BOUNDS,
    EXCHANGE_BOUNDS_S,
    LATENESS_BOUNDS_S,
)
from prometheus_client.metrics_core import Metric

from docs.site.reference.described import text_of
from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

# All that a switch can have a metric for.
_EVERYTHING: dict[str, Any] = {
    "switch": {"memory": "4MiB"},
    "port": [{"number": 1, "agreement": [{"name": "gold", "loss": 0.001}]}],
}
_BUCKETS = {
    "p4abs_queue_delay_ratio": DELAY_BOUNDS,
    "p4abs_interval_lateness_seconds": LATENESS_BOUNDS_S,
    "p4abs_exchange_seconds": EXCHANGE_BOUNDS_S,
}
_LABELS = {
    "switch": "The name of the switch.",
    "port": "The number of the port.",
    "queue": "The number of the queue. Only ports with `[[port.queue]]` tables have this label.",
    "agreement": "The name of the agreement.",
    "target": "`utilization` or `loss`.",
    "source": "Of a capacity: `measured` or `declared`.",
    "state": "See [States of a port](states.md#states-of-a-port) and [of a "
    "switch](states.md#states-of-a-switch).",
    "reason": "See [Reasons of a stalled port](states.md#reasons-of-a-stalled-port).",
    "name": "The port's name on the front panel.",
    "mode": "`control` or `observe`.",
    "version": "The version of p4abs.",
    "python": "The version of Python.",
    "hash": "A hash of the configuration.",
}
_SUFFIXES = {"counter": "_total", "info": "_info"}


def metrics() -> str:
    rows = (
        (code(_name(each)), each.type, ", ".join(map(code, _labels(each))), help_of(each))
        for each in _families()
    )
    return table(("metric", "type", "labels", "meaning"), rows)


def labels() -> str:
    """All labels of the metrics. Raises Undescribed."""
    names = {name: None for each in _families() for name in _labels(each)}
    rows = ((code(name), text_of(f"label {name}", _LABELS, name, __name__)) for name in names)
    return table(("label", "values"), rows)


def buckets() -> str:
    """The upper bounds of all histograms' buckets. Raises Undescribed."""
    histograms = [each.name for each in _families() if each.type == "histogram"]
    bounds = (text_of(f"histogram {name}", _BUCKETS, name, __name__) for name in histograms)
    rows = (
        (code(name), ", ".join(f"{bound:g}" for bound in each))
        for name, each in zip(histograms, bounds, strict=True)
    )
    return table(("histogram", "upper bounds of its buckets"), rows)


def _families() -> Iterator[Metric]:
    (settings,) = load_settings(Source(_EVERYTHING), {}).switch
    controller: Any = SimpleNamespace(
        settings=settings,
        state=SwitchState.CONTROLLING,
        loop=None,
        reconnections=0,
        releases=SimpleNamespace(limits={}),
    )
    fleet = Fleet()
    fleet.add(fleet.make(settings, lambda _events: controller))
    served = Metrics(fleet)
    samples: Any = SimpleNamespace(left_out=0)
    served.samples = samples
    return served.collect()


def _name(metric: Metric) -> str:
    return metric.name + _SUFFIXES.get(metric.type, "")


def _labels(metric: Metric) -> list[str]:
    """Those of a metric's family and of its values, in their order."""
    labels: Any = getattr(metric, "_labelnames", ())
    if metric.type not in ("info", "stateset"):
        return [*labels]
    return [*dict.fromkeys(name for sample in metric.samples for name in sample.labels)]


def help_of(metric: Metric) -> str:
    """Raises Undescribed."""
    if not metric.documentation:
        raise Undescribed(f"metric {metric.name}")
    return metric.documentation
