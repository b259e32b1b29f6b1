"""A cell whose links share a memory by limits."""

from collections.abc import Mapping
from dataclasses import replace

from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.ns3 import Port
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.simulation.sharing.control import PoolControl
from p4abs_experiments.simulation.simulate import simulate


def simulate_sharing(cell: Cell) -> CellResult:
    """Runs the cell; see `simulate`. Raises InvalidScenario for what no switch can be."""
    scenario = cell.scenario
    pools = [pool for pool in scenario.pools if pool.sharing == "limits"]

    def controls(ports: Mapping[str, Port]) -> list[PoolControl]:
        return [PoolControl(scenario, pool, ports) for pool in pools]

    pooled = {name for pool in pools for name in pool.links}
    return simulate(replace(cell, scenario=_uncontrolled(scenario, pooled)), controls)


def _uncontrolled(scenario: Scenario, names: set[str]) -> Scenario:
    """The scenario with limits that no control of their own moves."""
    links = (
        replace(link, sizing=replace(link.sizing, policy="static", parameters={}))
        if link.name in names and link.sizing is not None
        else link
        for link in scenario.links
    )
    return replace(scenario, links=tuple(links))
