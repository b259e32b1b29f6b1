"""How a run went, in a few numbers."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from p4abs.control import LoopStatistics
from p4abs.queues import port_text, port_word
from p4abs.session import limit_text
from p4abs.telemetry.fleet import Fleet, WatchedSwitch
from p4abs.units import format_duration, format_rate


@dataclass(frozen=True)
class SwitchSummary:
    """Of one switch. Percentiles are over the last 65,536 values, None when there is none.

    `labels` are what people call the ports, where they are known.
    """

    register_path: str | None
    ticks: int
    missed_deadlines: int
    lost_exchanges: int
    exchange_median_s: float | None
    exchange_p99_s: float | None
    lateness_p50_s: float | None
    lateness_p99_s: float | None
    ports: Mapping[int, Mapping[str, Any]]
    names: Mapping[int, str]
    labels: Mapping[int, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        ports = [
            f"{self._label(port)}: utilization {_percent(totals['utilization'])}, "
            f"loss {totals['loss']:.2%}, mean limit {limit_text(totals['mean_limit_bytes'])}, "
            f"capacity {_rate(totals['measured_capacity_bps'])}"
            for port, totals in self.ports.items()
        ]
        agreements = [
            f"{self._label(port)}: agreement {name}: {_percent(totals['compliance'])} of "
            f"{totals['windows_judged']} windows kept, breaches {totals['breaches']}"
            for port, port_totals in self.ports.items()
            for name, totals in port_totals["agreements"].items()
        ]
        return [
            *ports,
            *agreements,
            f"exchange ({self.register_path or 'none'}): median {_shown(self.exchange_median_s)}, "
            f"p99 {_shown(self.exchange_p99_s)}, lost {self.lost_exchanges}",
            f"loop: {self.ticks} intervals, lateness p50 {_shown(self.lateness_p50_s)}, "
            f"p99 {_shown(self.lateness_p99_s)}, missed intervals {self.missed_deadlines}",
        ]

    def _label(self, port: int) -> str:
        return self.labels.get(port, port_text(port))


@dataclass(frozen=True)
class Summary:
    """Of a run: its switches by name."""

    switches: Mapping[str, SwitchSummary]

    def to_json(self) -> str:
        """The fields by their names; a switch's `ports` maps port numbers to their totals, of a
        queue `2.7`."""
        told = asdict(self)
        for switch in told["switches"].values():
            del switch["labels"]
            for key in ("ports", "names"):
                switch[key] = {port_word(port): value for port, value in switch[key].items()}
        return json.dumps(told, indent=2) + "\n"

    def lines(self) -> list[str]:
        return [
            f"{name}: {line}" for name, switch in self.switches.items() for line in switch.lines()
        ]


def summarize(fleet: Fleet) -> Summary:
    """The summary of a run so far."""
    return Summary({name: _of_switch(switch) for name, switch in fleet.switches.items()})


def _of_switch(switch: WatchedSwitch) -> SwitchSummary:
    loop = switch.controller.loop
    statistics = LoopStatistics() if loop is None else loop.statistics
    return SwitchSummary(
        register_path=switch.controller.register_path,
        ticks=statistics.ticks,
        missed_deadlines=statistics.missed_deadlines,
        lost_exchanges=statistics.lost_exchanges,
        exchange_median_s=percentile(statistics.exchange_s, 50),
        exchange_p99_s=percentile(statistics.exchange_s, 99),
        lateness_p50_s=percentile(statistics.lateness_s, 50),
        lateness_p99_s=percentile(statistics.lateness_s, 99),
        ports={port.index: switch.meters[port.index].totals() for port in switch.settings.port},
        names={port.index: port.name for port in switch.settings.port if port.name is not None},
        labels={port.index: port.label for port in switch.settings.port},
    )


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


def _rate(rate_bps: float | None) -> str:
    return "not measured" if rate_bps is None else f"measured {format_rate(rate_bps)}"
