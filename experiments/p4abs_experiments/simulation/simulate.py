"""One cell: a network in virtual time, its limits set by the controller's own policies."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Protocol

from p4abs.control.port_control import PortControl

from p4abs_experiments.network import InvalidScenario, Link, Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import fixed_limit_bytes, policy_of
from p4abs_experiments.network.times import Span
from p4abs_experiments.simulation.ns3 import Port, Simulation
from p4abs_experiments.simulation.ports import add_ports
from p4abs_experiments.simulation.queues import QueueSizing
from p4abs_experiments.simulation.record import LinkRecord
from p4abs_experiments.simulation.result import CellResult, LinkResult, TrafficResult
from p4abs_experiments.simulation.snapshots import snapshot_of
from p4abs_experiments.simulation.sources import Entry, add_entry
from p4abs_experiments.simulation.versions import versions

_NEVER_US = 1 << 62

Happening = tuple[float, Callable[[], None]]
"""A time in s, and what is done then."""
_LONGEST_INTERVAL_S = 1.0


class Control(Protocol):
    """Moves limits at the end of each of its intervals."""

    interval_s: float

    def step(self, now_s: float) -> None: ...


Controls = Callable[[Mapping[str, Port]], Iterable[Control]]
"""Of ports, by the names of the links."""


def _none_beside(ports: Mapping[str, Port]) -> Iterable[Control]:
    return ()


def simulate(cell: Cell, controls_beside: Controls = _none_beside) -> CellResult:
    """Runs the cell; equal cells give equal results. One at a time per process.

    `controls_beside` makes controls beside those of links by themselves. Raises UserError for what
    the simulator or a policy refuses.
    """
    began_s = time.perf_counter()
    scenario = cell.scenario
    if controls_beside is _none_beside and any(p.sharing == "limits" for p in scenario.pools):
        raise InvalidScenario(f"{scenario.name}: who shares the memory out? see simulate_sharing")
    with Simulation(cell.seed, scenario.delayed_ack_segments) as simulation:
        ports = add_ports(simulation, scenario)
        entries = [
            add_entry(simulation, ports, traffic, Random(f"{cell.seed} {position}"))
            for position, traffic in enumerate(scenario.traffic)
        ]
        run = _Run(scenario, simulation, ports, entries)
        run.begin(controls_beside(ports))
        run.finish()
        window_s = scenario.duration_s - scenario.measure_from_s
        return CellResult(
            links=run.links(),
            traffic=run.traffic(window_s),
            window_s=window_s,
            wall_s=time.perf_counter() - began_s,
            versions=versions(),
        )


@dataclass
class _Periodic:
    """Something to do every so many microseconds of virtual time."""

    interval_us: int
    due_us: int
    act: Callable[[float], None]


class _Run:
    """A simulation's clock, and what happens when: control, samples, the measurement window."""

    def __init__(
        self,
        scenario: Scenario,
        simulation: Simulation,
        ports: Mapping[str, Port],
        entries: Sequence[Entry],
    ) -> None:
        self._simulation = simulation
        self._entries = entries
        self._end_us = _microseconds(scenario.duration_s)
        self._records = [
            LinkRecord(link, ports[link.name], is_queue=scenario.is_queue(link.name))
            for link in scenario.links
        ]
        self._controls = [
            LinkControl(link, link.sizing, ports[link.name], is_queue=scenario.is_queue(link.name))
            if link.sizing is not None and fixed_limit_bytes(link) is None
            else None
            for link in scenario.links
        ]
        self._recorded = entries if scenario.record_windows else ()
        # At equal times a sample still sees the limit that was in force.
        self._periodic = [
            _every(scenario.sample_interval_s, self._sample),
            _once(scenario.measure_from_s, self._start_window),
        ]
        self.begin(control for control in self._controls if control is not None)
        for time_s, happen in disturbances(scenario, ports, entries):
            self._periodic.append(_once(time_s, _timeless(happen)))

    def begin(self, controls: Iterable[Control]) -> None:
        """They step now and from now on."""
        for control in controls:
            control.step(0.0)
            self._periodic.append(_every(control.interval_s, control.step))

    def finish(self) -> None:
        while (now_us := min(each.due_us for each in self._periodic)) <= self._end_us:
            now_s = now_us / 1e6
            self._simulation.run_until(now_s)
            for each in self._periodic:
                if each.due_us == now_us:
                    each.act(now_s)
                    each.due_us += each.interval_us
        self._simulation.run_until(self._end_us / 1e6)

    def links(self) -> tuple[LinkResult, ...]:
        """What the links did in the measurement window."""
        return tuple(record.result() for record in self._records)

    def traffic(self, window_s: float) -> tuple[TrafficResult, ...]:
        """What became of the traffic in the measurement window."""
        return tuple(entry.result(window_s) for entry in self._entries)

    def _sample(self, now_s: float) -> None:
        for record, control in zip(self._records, self._controls, strict=True):
            record.sample({} if control is None else control.gains)
        for entry in self._recorded:
            entry.sample_windows()

    def _start_window(self, now_s: float) -> None:
        for record in self._records:
            record.start_window()
        for entry in self._entries:
            entry.start_window()


def _every(interval_s: float, act: Callable[[float], None]) -> _Periodic:
    return _Periodic(_microseconds(interval_s), _microseconds(interval_s), act)


def _once(time_s: float, act: Callable[[float], None]) -> _Periodic:
    return _Periodic(_NEVER_US, _microseconds(time_s), act)


def _timeless(act: Callable[[], None]) -> Callable[[float], None]:
    return lambda now_s: act()


def _microseconds(time_s: float) -> int:
    return round(time_s * 1e6)


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


class LinkControl:
    """Steps the link's policy on the port's snapshots and writes the limits back at once.

    The control loop of a switch writes a limit one interval later, see `PortControl`.

    `gains` are those of the last decision.
    """

    def __init__(self, link: Link, sizing: Sizing, port: Port, *, is_queue: bool = False) -> None:
        self.interval_s = sizing.interval_s
        self.gains: Mapping[str, float] = {}
        self._port = port
        self._sizing = sizing
        self._control = PortControl(
            0,
            link.told_capacity_bps,
            None if is_queue else policy_of(sizing, link.told_capacity_bps),
            sizing.initial_limit_bytes,
            max(_LONGEST_INTERVAL_S, 2 * sizing.interval_s),
            QueueSizing(sizing) if is_queue else None,
            shares_link=is_queue,
        )

    def step(self, now_s: float) -> None:
        control = self._control
        port = self._port
        step = control.decide(snapshot_of(port), self._memory_left_bytes(now_s))
        if step is not None:
            self.gains = step.decision.gains
        limit_bytes = control.limit_to_write
        if limit_bytes is not None:
            self._port.set_limit_bytes(limit_bytes)

    def _memory_left_bytes(self, now_s: float) -> int | None:
        """M(n), ABS paper, section 3.2; negative when the bound has come down on the limit."""
        bounds = [size_bytes for from_s, size_bytes in self._sizing.memory if from_s <= now_s]
        return bounds[-1] - self._control.limit_bytes if bounds else None
