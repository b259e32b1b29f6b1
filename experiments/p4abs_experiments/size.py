"""How much of an experiment is run: all of it, or a slice that takes seconds."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from p4abs_experiments.network import Link, Scenario, Traffic
from p4abs_experiments.network.cell import Cell

_MAX_CELLS = 3
_MAX_PACKETS = 40_000
_LONGEST_S = 4.0
"""Of a slice, and of each of its cells."""


class Size(StrEnum):
    """All of an experiment, or its slice: a table and nothing else."""

    QUICK = "quick"
    FULL = "full"


def slice_of(cells: Sequence[Cell]) -> list[Cell]:
    """Of a few policies the cell that has the fewest packets, with all of its times shortened."""
    cheapest: dict[str, Cell] = {}
    for cell in sorted(cells, key=lambda each: each.packets):
        cheapest.setdefault(cell.policy_label, cell)
    return [_shortened(cell) for cell in list(cheapest.values())[:_MAX_CELLS]]


def _shortened(cell: Cell) -> Cell:
    scenario = cell.scenario
    share = min(1.0, _MAX_PACKETS / cell.packets, _LONGEST_S / scenario.duration_s)
    return replace(cell, scenario=_scaled(scenario, share))


def _scaled(scenario: Scenario, share: float) -> Scenario:
    """With all times of what happens in it multiplied."""
    return replace(
        scenario,
        links=tuple(_scaled_link(link, share) for link in scenario.links),
        traffic=tuple(_scaled_traffic(entry, share) for entry in scenario.traffic),
        duration_s=share * scenario.duration_s,
        measure_from_s=share * scenario.measure_from_s,
    )


def _scaled_link(link: Link, share: float) -> Link:
    sizing = link.sizing and replace(
        link.sizing, memory=tuple((share * from_s, each) for from_s, each in link.sizing.memory)
    )
    return replace(
        link,
        sizing=sizing,
        capacity_changes=tuple((share * from_s, bps) for from_s, bps in link.capacity_changes),
        stalls=_times(link.stalls, share),
        outages=_times(link.outages, share),
    )


def _scaled_traffic(entry: Traffic, share: float) -> Traffic:
    """`start_s`, `pauses` and, where it has one, `stop_s`."""
    names = ("start_s", "stop_s", "pauses")
    times = {name: _times(getattr(entry, name, None), share) for name in names}
    return replace(entry, **{name: each for name, each in times.items() if each is not None})


def _times(times: Any, share: float) -> Any:
    """A time or None, and tuples of them."""
    if isinstance(times, tuple):
        return tuple(_times(each, share) for each in times)
    return None if times is None else share * times
