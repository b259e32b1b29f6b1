"""What happens to links and sources while a simulation runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from p4abs_experiments.network import Link, Scenario
from p4abs_experiments.network.times import Span
from p4abs_experiments.simulation.ns3 import Port
from p4abs_experiments.simulation.sources import Entry

Happening = tuple[float, Callable[[], None]]
"""A time in s, and what is done then."""


def disturbances(
    scenario: Scenario, ports: Mapping[str, Port], entries: Sequence[Entry]
) -> Iterator[Happening]:
    """Changes of capacity, stalls and outages of the links, pauses of the sources."""
    for link in scenario.links:
        yield from _of_link(link, ports[link.name])
    for traffic, entry in zip(scenario.traffic, entries, strict=True):
        yield from _during(traffic.pauses, entry.set_paused)


def _of_link(link: Link, port: Port) -> Iterator[Happening]:
    for from_s, rate_bps in link.capacity_changes:
        yield from_s, partial(port.set_rate_bps, rate_bps)
    yield from _during(link.stalls, port.set_stalled)
    yield from _during(link.outages, port.set_down)


def _during(spans: Sequence[Span], switch: Callable[[bool], None]) -> Iterator[Happening]:
    for from_s, to_s in spans:
        yield from_s, partial(switch, True)
        yield to_s, partial(switch, False)
