"""Writes `dashboard.json` for Grafana from the metrics of `p4abs control --metrics`.

    python docs/monitoring/dashboard.py

Import the file into Grafana and choose the Prometheus that scrapes the controllers.
"""

from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase

from grafana_foundation_sdk.builders import dashboard, prometheus, stat, statetimeline, timeseries
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models.dashboard import (
    DataSourceRef,
    DynamicConfigValue,
    Panel,
    VariableRefresh,
)

FILE = Path(__file__).with_name("dashboard.json")
SOURCE = DataSourceRef(type_val="prometheus", uid="$source")
PORT_LEGEND = "{{switch}} {{port}} {{queue}}"

PORT = '{switch=~"$switch", port=~"$port"}'
SWITCH = '{switch=~"$switch"}'
TIME = "[$__rate_interval]"

_TARGET = "target"
_LARGEST_TARGET = "Dashed: the largest target of the ports that are shown."
# In the color of the text, which no port's curve has.
_DASHED = [
    DynamicConfigValue("custom.lineStyle", {"fill": "dash", "dash": [10, 10]}),
    DynamicConfigValue("custom.lineWidth", 2),
    DynamicConfigValue("color", {"mode": "fixed", "fixedColor": "text"}),
]

Query = tuple[str, str]
"""An expression, and the legend of its curves."""


def text() -> str:
    """The dashboard as JSON."""
    return JSONEncoder(sort_keys=True, indent=2).encode(_dashboard().build()) + "\n"


def _dashboard() -> dashboard.Dashboard:
    found = (
        dashboard.Dashboard("Adaptive buffer sizing")
        .uid("p4abs")
        .tags(["p4abs"])
        .refresh("10s")
        .time("now-15m", "now")
        .with_variable(dashboard.DatasourceVariable("source").type("prometheus"))
        .with_variable(_variable("switch", "label_values(p4abs_target_ratio, switch)"))
        .with_variable(
            _variable("port", 'label_values(p4abs_target_ratio{switch=~"$switch"}, port)')
        )
        .with_variable(_variable("state", "label_values(p4abs_port_state, state)"))
        .with_variable(dashboard.CustomVariable("ports").label("busiest ports").values("8,4,16,32"))
    )
    for title, panels in (
        ("Fleet", _fleet()),
        ("Ports", _ports()),
        ("Agreements", _agreements()),
        ("Controller", _controller()),
    ):
        found.with_row(dashboard.Row(title))
        for panel in panels:
            found.with_panel(panel)
    return found


def _fleet() -> Sequence[Builder[Panel]]:
    uncontrolled = f"sum by (switch) (p4abs_primary{SWITCH}) == 0"
    controlled = "and on (instance, job, switch) p4abs_primary == 1"
    return (
        _number(
            "Ports controlled or observed",
            f"count(p4abs_port_state{PORT} {controlled}) or vector(0)",
        ).description("Ports of the switches that a controller is primary of."),
        _number("Switches lost", 'sum(p4abs_switch_state{state="lost"})'),
        _number("Switches without controller", f"count({uncontrolled}) or vector(0)").description(
            "Switches that no controller is primary of."
        ),
        _number("Ports stalled", f"count(p4abs_port_stalled{PORT}) or vector(0)").description(
            "Ports that bring no new measurements, so that their limits stay."
        ),
        _number("Loss above target", _in_state("loss above target")),
        _number("Held at a bound", _in_state("held by m.*")).description(
            "Ports that miss a target because a bound or the memory allows no larger limit."
        ),
        _number("Agreements broken", _in_state("agreement broken")),
        _curves(
            "Ports by state", "none", (f"count by (state) (p4abs_port_state{PORT})", "{{state}}")
        ),
        _states(
            "State of the ports",
            (_chosen(f"p4abs_port_state{PORT} == 1"), f"{PORT_LEGEND} {{{{state}}}}"),
        ),
    )


def _in_state(state: str) -> str:
    ports = f'p4abs_port_state{{switch=~"$switch", port=~"$port", state=~"{state}"}}'
    return f"count({ports}) or vector(0)"


def _ports() -> Sequence[Builder[Panel]]:
    idle = f"rate(p4abs_idle_seconds_total{PORT}{TIME})"
    sampled = f"rate(p4abs_sampled_seconds_total{PORT}{TIME})"
    capacities = (
        f'p4abs_capacity_bytes_per_second{{switch=~"$switch", port=~"$port", source="{source}"}}'
        for source in ("measured", "declared")
    )
    return (
        _curves(
            "Offered traffic",
            "bps",
            (_chosen(f"8 * ({_arrived(PORT, '$__rate_interval')})"), PORT_LEGEND),
        ),
        _curves(
            "Loss and its largest target",
            "percentunit",
            (_chosen(_share_lost(PORT, "$__rate_interval")), PORT_LEGEND),
            (f"max({_chosen(_target('loss'))})", _TARGET),
        ).description(f"Bytes dropped or marked, as a share of those offered. {_LARGEST_TARGET}"),
        _curves(
            "Utilization and its largest target",
            "percentunit",
            (_chosen(f"1 - {idle} / {sampled}"), PORT_LEGEND),
            (f"max({_chosen(_target('utilization'))})", _TARGET),
        ).description(f"Share of the time in which the link was busy. {_LARGEST_TARGET}"),
        _curves("Queue limit", "bytes", (_chosen(f"p4abs_queue_limit_bytes{PORT}"), PORT_LEGEND)),
        _curves(
            "Longest backlog of an interval",
            "bytes",
            (_chosen(f"p4abs_backlog_greatest_bytes{PORT}"), PORT_LEGEND),
        ).description("Most bytes in the queue during a control interval."),
        _curves("Queue delay, 99th percentile", "s", _delay()).description(
            "Of the delays at the ends of control intervals."
        ),
        _curves(
            "Measured capacity as a share of the declared one",
            "percentunit",
            (
                _chosen(" / on (instance, job, switch, port, queue) ".join(capacities)),
                PORT_LEGEND,
            ),
        ),
    )


def _chosen(expression: str) -> str:
    """Of the busiest ports in the time that is shown, among those in the states that are chosen.

    One choice for all panels, and so many curves in each.
    """
    rate = f"rate(p4abs_admitted_bytes_total{PORT}[$__range] @ end())"
    traffic = f"sum by (switch, port, queue) ({rate})"
    states = 'p4abs_port_state{switch=~"$switch", port=~"$port", state=~"$state"} @ end()'
    ports = f"topk($ports, {traffic} and on (switch, port, queue) {states})"
    return f"({expression}) and on (switch, port, queue) {ports}"


def _agreements() -> Sequence[Builder[Panel]]:
    legend = f"{PORT_LEGEND} {{{{agreement}}}}"
    worst = f"bottomk($ports, p4abs_agreement_error_budget_ratio{PORT})"
    budget, burning = (worst, legend), f"topk($ports, p4abs_agreement_burn_rate{PORT})"
    return (
        _curves("Error budget left", "percentunit", budget)
        .min(-1)
        .max(1)
        .description(
            "Share of the allowed failures that is left. Below 0 the agreement is broken."
        ),
        _curves("Burn rate of the error budget", "none", (burning, legend)).description(
            "At 1 the error budget lasts for exactly one period."
        ),
    )


def _controller() -> Sequence[Builder[Panel]]:
    return (
        _curves(
            "Lateness of control intervals, 99th percentile",
            "s",
            _percentile("p4abs_interval_lateness_seconds", SWITCH),
        ).description("High: the controller's machine is busy."),
        _curves(
            "Duration of exchanges, 99th percentile",
            "s",
            _percentile("p4abs_exchange_seconds", SWITCH),
        ).description(
            "An exchange reads and writes all ports of a switch. High: the switch or the network "
            "is busy."
        ),
        _curves(
            "Missed intervals and lost exchanges",
            "cps",
            (f"rate(p4abs_intervals_missed_total{SWITCH}{TIME})", "{{switch}} missed"),
            (f"rate(p4abs_exchanges_lost_total{SWITCH}{TIME})", "{{switch}} lost"),
        ),
        _states(
            "State of the switches",
            (f"p4abs_switch_state{SWITCH} == 1", "{{switch}} {{state}}"),
        ),
    )


def _share_lost(labels: str, window: str) -> str:
    """Bytes dropped or marked, as a share of those that arrived."""
    admitted, dropped, marked = (
        f"rate(p4abs_{what}_bytes_total{labels}[{window}])"
        for what in ("admitted", "dropped", "marked")
    )
    return f"({dropped} + ({marked} or {dropped} * 0)) / ({admitted} + {dropped})"


def _arrived(labels: str, window: str) -> str:
    """Bytes a second."""
    return " + ".join(
        f"rate(p4abs_{what}_bytes_total{labels}[{window}])" for what in ("admitted", "dropped")
    )


def _target(name: str) -> str:
    return f'p4abs_target_ratio{{switch=~"$switch", port=~"$port", target="{name}"}}'


def _percentile(histogram: str, labels: str) -> Query:
    by = "switch, port, queue, le" if labels is PORT else "switch, le"
    expression = f"histogram_quantile(0.99, sum by ({by}) (rate({histogram}_bucket{labels}{TIME})))"
    return expression, PORT_LEGEND if labels is PORT else "{{switch}}"


def _delay() -> Query:
    """The histogram is in drain times of the port's limit."""
    share, _ = _percentile("p4abs_queue_delay_ratio", PORT)
    drain_s = f"max by (switch, port, queue) (avg_over_time(p4abs_drain_time_seconds{PORT}{TIME}))"
    return _chosen(f"{share} * on (switch, port, queue) {drain_s}"), PORT_LEGEND


def _variable(name: str, query: str) -> dashboard.QueryVariable:
    return (
        dashboard.QueryVariable(name)
        .datasource(SOURCE)
        .query(query)
        .refresh(VariableRefresh.ON_TIME_RANGE_CHANGED)
        .include_all(True)
        .multi(True)
    )


def _queries(*queries: Query) -> list[Builder[Dataquery]]:
    return [
        prometheus.Dataquery()
        .expr(expression)
        .legend_format(legend)
        .datasource(SOURCE)
        .ref_id(ascii_uppercase[number])
        for number, (expression, legend) in enumerate(queries)
    ]


def _number(title: str, expression: str) -> stat.Panel:
    panel = stat.Panel().title(title).datasource(SOURCE).span(3).height(4)
    return panel.targets(_queries((expression, "")))


def _curves(title: str, unit: str, *queries: Query) -> timeseries.Panel:
    panel = timeseries.Panel().title(title).datasource(SOURCE).unit(unit).min(0).span(12).height(8)
    if _TARGET in dict(queries).values():
        panel = panel.override_by_name(_TARGET, _DASHED)
    return panel.targets(_queries(*queries))


def _states(title: str, *queries: Query) -> statetimeline.Panel:
    panel = statetimeline.Panel().title(title).datasource(SOURCE).span(12).height(8)
    return panel.targets(_queries(*queries))


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
