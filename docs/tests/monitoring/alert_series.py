"""What Prometheus would have scraped while recorded ports ran, as `promtool test rules` has it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle, islice

from p4abs.config import Source, load_settings
from p4abs.control import Sample
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.session import SwitchState
from p4abs.telemetry import Fleet, Metrics, WatchedSwitch
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from controller.tests.states.recorded import NAMES, rows
from controller.tests.telemetry.controllers import Controller, turned_loop
from controller.tests.telemetry.samples import SAMPLE, samples_of

SCRAPE_S = 15
SECONDS = 1320
STEADY_FROM_S = 60
CAPACITIES_BPS = {"fast": 100_000_000, "idling": 40_000_000}
DECLARED_WRONG = "reno-16.3"
"""A port whose capacity is declared 30 % too high."""

_BEGUN_S = 1_700_000_000.0


def port_of(name: str) -> int:
    """The number of the port that did what was recorded."""
    return NAMES.index(name) + 1


def capacity_bps(name: str) -> int:
    """That of the recorded link."""
    return CAPACITIES_BPS.get(name.partition(".")[0], 10_000_000)


def series() -> list[dict[str, str]]:
    """All series of a run with a port for each recording, which is repeated once it is steady."""
    fleet, switch = _fleet()
    metrics = Metrics(fleet)
    fleet.watchers.append(metrics)
    registry = CollectorRegistry()
    registry.register(metrics)
    scraped: dict[str, list[str]] = defaultdict(list)
    scrapes = 0
    for second, samples in enumerate(_seconds(), 1):
        now_s = _BEGUN_S + second
        fleet.now_s = lambda now_s=now_s: now_s
        told = [replace(sample, time_s=now_s) for sample in samples]
        switch.sampled(samples_of([*switch.meters], *told))
        switch.controller.loop.statistics.ticks += 50
        switch.tick()
        if second % SCRAPE_S == 0:
            found = _scrape(registry)
            for name in found.keys() | scraped.keys():
                values = scraped[name]
                values += ["_"] * (scrapes - len(values))
                # As Prometheus marks what a scrape lacks.
                has_ended = bool(values) and values[-1] not in ("_", "stale")
                values.append(found.get(name, "stale" if has_ended else "_"))
            scrapes += 1
    return [{"series": name, "values": " ".join(values)} for name, values in scraped.items()]


def _fleet() -> tuple[Fleet, WatchedSwitch]:
    ports = [
        {
            "number": port_of(name),
            "capacity": f"{capacity_bps(name) * (1.3 if name == DECLARED_WRONG else 1)}bit",
        }
        for name in NAMES
    ]
    (settings,) = load_settings(Source({"switch": [{"name": "leaf", "port": ports}]}), {}).switch
    fleet = Fleet()
    fleet.now_s = lambda: _BEGUN_S
    controller = Controller(settings, state=SwitchState.CONTROLLING, loop=turned_loop())
    fleet.add(fleet.make(settings, lambda _events: controller))
    return fleet, fleet.switches["leaf"]


def _seconds() -> Iterator[list[Sample]]:
    recorded = [rows(name) for name in NAMES]
    repeated = [[*own, *islice(cycle(own[STEADY_FROM_S:]), SECONDS)] for own in recorded]
    for second in range(SECONDS):
        yield [_sample(name, own[second]) for name, own in zip(NAMES, repeated, strict=True)]


def _sample(name: str, row: Mapping[str, float]) -> Sample:
    sent = round(capacity_bps(name) / 8 * (1 - row["idle_s"]))
    lost = round(row["lost_bytes"])
    admitted = round(row["offered_bytes"]) - lost
    binding = Binding.MAX_DELAY if row["at_max_delay"] else Binding.LOSS
    binding = Binding.MAX_LIMIT if row["at_max_limit"] else binding
    limit_bytes = round(row["limit_bytes"])
    return replace(
        SAMPLE,
        port=port_of(name),
        interval=Interval(1.0, admitted, lost, sent, row["idle_s"], None, None, None),
        measured_capacity_bps=capacity_bps(name),
        utilization=1 - row["idle_s"],
        loss=lost / max(1, admitted + lost),
        limit_bytes=limit_bytes,
        decided_limit_bytes=limit_bytes,
        binding=binding,
        unreachable="utilization" if row["unreachable"] else "",
    )


def _scrape(registry: CollectorRegistry) -> dict[str, str]:
    found = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        for sample in family.samples:
            labels = {**sample.labels, "job": "p4abs", "instance": "a"}
            text = ", ".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
            found[f"{sample.name}{{{text}}}"] = f"{sample.value:.10g}"
    return found
