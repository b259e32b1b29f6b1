"""A cell whose links share a memory by limits."""

from collections.abc import Mapping
from dataclasses import replace

from p4abs.control.memory import MemoryPool, Rank
from p4abs.control.switch_control import ControlledPort
from p4abs.control.ways import switch_control
from p4abs.policies.static import Static

from p4abs_experiments.network import InvalidScenario, Pool, Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import fixed_limit_bytes, policy_of
from p4abs_experiments.network.priorities import priorities_of
from p4abs_experiments.simulation.ns3 import Port
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.simulation.simulate import simulate
from p4abs_experiments.simulation.snapshots import snapshot_of

_LONGEST_INTERVAL_S = 1.0


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


class PoolControl:
    """Steps the policies of a pool's links together and writes the limits back at once.

    The links are the ports of a switch, by their places in the pool. Its control loop writes a
    limit one interval later, see `PortControl`. Raises InvalidScenario.
    """

    def __init__(self, scenario: Scenario, pool: Pool, ports: Mapping[str, Port]) -> None:
        self.interval_s = _interval_s(scenario, pool)
        self._ports = [ports[name] for name in pool.links]
        self._pool = MemoryPool(pool.size_bytes)
        self._control = switch_control(
            [
                _controlled(scenario, name, number, priority)
                for number, (name, priority) in enumerate(
                    zip(pool.links, priorities_of(pool), strict=True)
                )
            ]
        )

    def step(self, now_s: float) -> None:
        taken = {number: snapshot_of(port) for number, port in enumerate(self._ports)}
        self._control.decide(taken, self._pool)
        for number, limit_bytes in self._control.limits_to_write().items():
            self._ports[number].set_limit_bytes(limit_bytes)


def _interval_s(scenario: Scenario, pool: Pool) -> float:
    """The one interval of a switch."""
    sizings = [scenario.link(name).sizing for name in pool.links]
    intervals_s = {sizing.interval_s for sizing in sizings if sizing is not None}
    if len(intervals_s) > 1:
        raise InvalidScenario(
            f"the pool {pool.name}: the ports of a switch have one interval_s, "
            f"not {', '.join(map(str, sorted(intervals_s)))}"
        )
    return intervals_s.pop()


def _controlled(scenario: Scenario, name: str, number: int, priority: int) -> ControlledPort:
    link = scenario.link(name)
    sizing, capacity_bps = link.sizing, link.told_capacity_bps
    if sizing is None or sizing.memory:
        raise InvalidScenario(f"link {name}: priorities need a sizing without a memory of its own")
    policy, fixed = policy_of(sizing, capacity_bps), fixed_limit_bytes(link)
    return ControlledPort(
        number,
        capacity_bps,
        policy,
        sizing.initial_limit_bytes if fixed is None else fixed,
        max(_LONGEST_INTERVAL_S, 2 * sizing.interval_s),
        rank=Rank(priority, sizing.min_limit_bytes, isinstance(policy, Static)),
    )
