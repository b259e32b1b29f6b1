"""Metrics of a run: kept as numbers, turned into text at a scrape only."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import cast

from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample as MetricSample

from p4abs.columns import Positions
from p4abs.control import Samples
from p4abs.telemetry.fleet import Fleet, WatchedSwitch, Watcher
from p4abs.telemetry.metrics.families import (
    agreement_families,
    port_families,
    run_families,
    switch_families,
)
from p4abs.telemetry.metrics.switch_totals import SwitchTotals
from p4abs.telemetry.samples import SampleFile
from p4abs.telemetry.unhurried import unhurried


class Metrics(Watcher, Collector):
    """Takes what the control loops tell, in their thread; `collect` is called in the scraper's."""

    def __init__(self, fleet: Fleet) -> None:
        self.samples: SampleFile | None = None
        """The samples' file, if there is one."""
        self._fleet = fleet
        self._totals: dict[str, SwitchTotals] = {}
        self.follow(fleet.switches)

    def follow(self, switches: Mapping[str, WatchedSwitch]) -> None:
        known = {each.switch: each for each in self._totals.values()}
        self._totals = {
            name: known.get(switch) or SwitchTotals(switch) for name, switch in switches.items()
        }

    def begun(self, switch: WatchedSwitch, ports: Positions) -> None:
        """What is counted of these ports begins anew."""
        self._totals[switch.name].queue_delay.begin(ports)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        self._totals[switch.name].add(samples)

    def tick(self, switch: WatchedSwitch) -> None:
        self._totals[switch.name].tick()

    def collect(self) -> Iterator[Metric]:
        """Everything as of now, by the names of OpenMetrics.

        The samples of a metric can be iterated once, which is when the library writes them.
        """
        switches = [*self._totals.values()]
        stepped_s = self._fleet.stepped_s
        for metric in chain(port_families(switches, stepped_s), agreement_families(switches)):
            metric.samples = cast("list[MetricSample]", unhurried(metric.samples))
            yield metric
        yield from switch_families(switches)
        yield from run_families(self._fleet.configuration, self.samples, stepped_s)
