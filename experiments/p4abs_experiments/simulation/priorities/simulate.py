"""A cell whose links share a memory by priority."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.simulation.memory import LimitedMemory, limited_memories
from p4abs_experiments.simulation.ns3 import Port, Simulation
from p4abs_experiments.simulation.ports import add_ports
from p4abs_experiments.simulation.priorities.control import PoolControl
from p4abs_experiments.simulation.result import CellResult

# Its source is in the keys of all results and so is added to from here.
from p4abs_experiments.simulation.simulate import _every, _Run
from p4abs_experiments.simulation.sources import Entry, add_entry
from p4abs_experiments.simulation.versions import versions


def simulate_by_priority(cell: Cell) -> CellResult:
    """Runs the cell; see `simulate`. Raises InvalidScenario for what no switch can be."""
    began_s = time.perf_counter()
    scenario = cell.scenario
    with Simulation(cell.seed, scenario.delayed_ack_segments) as simulation:
        memories = limited_memories(scenario)
        ports = add_ports(simulation, scenario, memories)
        entries = [
            add_entry(simulation, ports, traffic, Random(f"{cell.seed} {position}"))
            for position, traffic in enumerate(scenario.traffic)
        ]
        run = _RunOfSwitches(scenario, simulation, ports, entries, memories)
        run.finish()
        window_s = scenario.duration_s - scenario.measure_from_s
        return CellResult(
            links=run.links(),
            traffic=run.traffic(window_s),
            window_s=window_s,
            wall_s=time.perf_counter() - began_s,
            versions=versions(),
        )


class _RunOfSwitches(_Run):
    """A run in which the links of each `RankedPool` are controlled together."""

    def __init__(
        self,
        scenario: Scenario,
        simulation: Simulation,
        ports: Mapping[str, Port],
        entries: Sequence[Entry],
        memories: Mapping[str, LimitedMemory],
    ) -> None:
        pools = [pool for pool in scenario.pools if isinstance(pool, RankedPool)]
        ranked = {name for pool in pools for name in pool.links}
        super().__init__(_uncontrolled(scenario, ranked), simulation, ports, entries, memories)
        for pool in pools:
            control = PoolControl(scenario, pool, ports, memories[pool.links[0]])
            control.step(0.0)
            self._periodic.append(_every(control.interval_s, control.step))


def _uncontrolled(scenario: Scenario, names: set[str]) -> Scenario:
    """The scenario with limits that no control of their own moves."""
    links = (
        replace(link, sizing=replace(link.sizing, policy="static", parameters={}))
        if link.name in names and link.sizing is not None
        else link
        for link in scenario.links
    )
    return replace(scenario, links=tuple(links))
