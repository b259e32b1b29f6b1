"""How a run went, in a few numbers."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from p4abs.control import LoopStatistics
from p4abs.queues import port_word
from p4abs.session import limit_text
from p4abs.telemetry.fleet import Fleet, WatchedSwitch
from p4abs.units import format_duration, format_rate


@dataclass(frozen=True)
class Summary:
    """Of a run, in `lines` for people.

    `switches` has the same by name. Percentiles are over the last 65,536 values, None when there is
    none. A switch's `ports` are by their numbers, those of several queues such as `2.7`.
    """

    lines: list[str]
    switches: Mapping[str, Mapping[str, Any]]

    def to_json(self) -> str:
        return json.dumps({"switches": self.switches}, indent=2) + "\n"


def summarize(fleet: Fleet) -> Summary:
    """The summary of a run so far."""
    switches = {name: _of_switch(switch) for name, switch in fleet.switches.items()}
    lines = [
        f"{name}: {line}"
        for name, switch in fleet.switches.items()
        for line in _lines(switch, switches[name])
    ]
    return Summary(lines, switches)


def _of_switch(switch: WatchedSwitch) -> dict[str, Any]:
    loop = switch.controller.loop
    statistics = LoopStatistics() if loop is None else loop.statistics
    ports = {port_word(port.index): port for port in switch.settings.port}
    return {
        "register_path": switch.controller.register_path,
        "ticks": statistics.ticks,
        "missed_deadlines": statistics.missed_deadlines,
        "lost_exchanges": statistics.lost_exchanges,
        "exchange_median_s": percentile(statistics.exchange_s, 50),
        "exchange_p99_s": percentile(statistics.exchange_s, 99),
        "lateness_p50_s": percentile(statistics.lateness_s, 50),
        "lateness_p99_s": percentile(statistics.lateness_s, 99),
        "ports": {word: switch.meters[port.index].totals() for word, port in ports.items()},
        "names": {word: port.name for word, port in ports.items() if port.name is not None},
    }


def _lines(switch: WatchedSwitch, told: Mapping[str, Any]) -> list[str]:
    labels = [port.label for port in switch.settings.port]
    totals = dict(zip(labels, told["ports"].values(), strict=True))
    ports = [
        f"{label}: utilization {_percent(each['utilization'])}, loss {_percent(each['loss'])}, "
        f"mean limit {_limit(each['mean_limit_bytes'])}, "
        f"capacity {_rate(each['measured_capacity_bps'])}"
        for label, each in totals.items()
    ]
    agreements = [
        f"{label}: agreement {name}: {_percent(each['compliance'])} of "
        f"{each['windows_judged']} windows kept, breaches {each['breaches']}"
        for label, of_port in totals.items()
        for name, each in of_port["agreements"].items()
    ]
    return [
        *ports,
        *agreements,
        f"exchange ({told['register_path'] or 'none'}): "
        f"median {_shown(told['exchange_median_s'])}, p99 {_shown(told['exchange_p99_s'])}, "
        f"lost {told['lost_exchanges']}",
        f"loop: {told['ticks']} intervals, lateness p50 {_shown(told['lateness_p50_s'])}, "
        f"p99 {_shown(told['lateness_p99_s'])}, missed intervals {told['missed_deadlines']}",
    ]


def percentile(values: Iterable[float], percent: float) -> float | None:
    """The smallest value that is not below `percent` % of the values (nearest rank)."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def _shown(seconds: Any) -> str:
    return "unknown" if seconds is None else format_duration(seconds)


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.2%}"


def _limit(mean_bytes: float | None) -> str:
    return "unknown" if mean_bytes is None else limit_text(mean_bytes)


def _rate(rate_bps: float | None) -> str:
    return "not measured" if rate_bps is None else f"measured {format_rate(rate_bps)}"
