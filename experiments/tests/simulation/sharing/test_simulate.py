"""Links that share a memory by priority, as the ports of one switch."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from p4abs.config import PortSettings
from p4abs.control import ControlledPort, SwitchControl, switch_control
from p4abs.session.ports.controls import make_port
from p4abs_experiments.network import (
    InvalidScenario,
    Link,
    P4Buffer,
    PlainBuffer,
    Scenario,
    Sizing,
    TcpFlows,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.run.process import run_in_process
from p4abs_experiments.simulation.bottleneck import RATE_BPS
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.simulation.sharing import simulate as control
from p4abs_experiments.simulation.sharing.simulate import simulate_sharing
from p4abs_experiments.simulation.simulate import simulate

NAMES = ("first", "second", "third")
MIN_BYTES = 1514
SIZING = Sizing(
    initial_limit_bytes=10_000,
    policy="abs",
    loss=0.005,
    utilization=0.99,
    min_limit_bytes=MIN_BYTES,
)
SMALL_BYTES, LARGE_BYTES = 40_000, 10**9


def scenario(
    priorities: tuple[int, ...] = (2, 1, 0),
    size_bytes: int = SMALL_BYTES,
    sizing: Sizing = SIZING,
    **changes: Any,
) -> Scenario:
    """Links that are alike, of which each would have most of a small memory."""
    settings: dict[str, Any] = {
        "name": "ranked",
        "links": tuple(Link(name, RATE_BPS, sizing, PlainBuffer()) for name in NAMES),
        "traffic": tuple(
            TcpFlows(count=4, path=(name,), rtt_s=(0.02, 0.03), start_s=(0, 0.1), name=name)
            for name in NAMES
        ),
        "n_flows": 12,
        "duration_s": 6.0,
        "measure_from_s": 2.0,
        "pools": (RankedPool("memory", size_bytes, NAMES, priorities=priorities),),
    }
    return Scenario(**settings | changes)


def simulated(*arguments: Any, **changes: Any) -> CellResult:
    return simulate_sharing(Cell(scenario(*arguments, **changes)))


@pytest.mark.parametrize(
    ("buffer", "priorities"),
    [(PlainBuffer(), (0, 0, 0)), (PlainBuffer(), (0, 7, 0)), (P4Buffer(), (2, 1, 0))],
)
def test_neither_limits_nor_queues_are_ever_above_the_memory(buffer, priorities) -> None:
    links = tuple(replace(link, buffer=buffer) for link in scenario().links)
    result = simulated(priorities, links=links, sample_interval_s=0.001)
    limits = np.sum([link.series.limit_bytes for link in result.links], axis=0)
    queues = np.sum([link.series.occupancy_bytes for link in result.links], axis=0)
    assert 0.98 * SMALL_BYTES < limits.max() <= SMALL_BYTES
    assert 0.6 * SMALL_BYTES < queues.max() <= SMALL_BYTES
    assert min(link.series.limit_bytes.min() for link in result.links) >= MIN_BYTES


@pytest.mark.parametrize("seed", [1, 2])
def test_a_link_above_the_others_has_more_than_among_equals_at_their_expense(seed) -> None:
    cells = [Cell(scenario(priorities), seed) for priorities in ((0, 0, 0), (0, 1, 0))]
    equal, ranked = map(simulate_sharing, cells)
    assert ranked.link("second").mean_limit_bytes > 1.3 * equal.link("second").mean_limit_bytes
    assert ranked.link("second").utilization > equal.link("second").utilization
    assert ranked.link("second").loss < equal.link("second").loss
    for name in ("first", "third"):
        assert ranked.link(name).mean_limit_bytes < 0.9 * equal.link(name).mean_limit_bytes


def test_links_that_are_alike_get_memory_in_the_order_of_their_priorities() -> None:
    links = simulated((1, 2, 0)).links
    limits = [link.mean_limit_bytes for link in links]
    assert limits[1] > limits[0] > limits[2]


@pytest.mark.parametrize("priorities", [(0, 0, 0), (2, 1, 0)])
def test_where_memory_is_ample_each_link_is_controlled_as_if_alone(priorities) -> None:
    shared = scenario(priorities, LARGE_BYTES)
    batched = simulate_sharing(Cell(shared))
    alone = simulate(Cell(replace(shared, pools=())))
    for one, other in zip(batched.links, alone.links, strict=True):
        np.testing.assert_array_equal(one.series.limit_bytes, other.series.limit_bytes)
        np.testing.assert_array_equal(one.series.departed_bytes, other.series.departed_bytes)


def test_priorities_count_by_their_order_alone() -> None:
    assert digest_of(simulated((7, 3, 0))) == digest_of(simulated((2, 1, 0)))


def test_a_fixed_limit_gives_nothing_to_a_higher_priority() -> None:
    links = scenario().links
    fixed = replace(SIZING, policy="static")
    links = (*links[:2], replace(links[2], sizing=fixed))
    limit_bytes = simulated(links=links).link("third").series.limit_bytes
    assert set(limit_bytes) == {SIZING.initial_limit_bytes}


@pytest.mark.parametrize(("policy", "priority"), [("abs", 2), ("static", 5)])
def test_a_link_is_the_port_that_a_configuration_makes(monkeypatch, policy, priority) -> None:
    settings = PortSettings.model_validate(
        {
            "number": 1,
            "capacity": "16Mbit",
            "policy": policy,
            "utilization": 0.99,
            "loss": 0.005,
            "min-limit": f"{MIN_BYTES}B",
            "max-limit": "100MB",
            "priority": priority,
        }
    )
    made: list[Sequence[ControlledPort]] = []

    def remembered(ports: Sequence[ControlledPort]) -> SwitchControl:
        made.append(ports)
        return switch_control(ports)

    monkeypatch.setattr(control, "switch_control", remembered)
    sized = replace(SIZING, policy=policy)
    simulated((0, priority, 0), sizing=sized, duration_s=0.1, measure_from_s=0.0)
    ((_, port, _),) = made
    assert port == make_port(settings, SIZING.initial_limit_bytes, SIZING.interval_s)


def test_a_process_simulates_it_too_and_as_often_as_asked_the_same() -> None:
    cell = Cell(scenario(duration_s=2.0, measure_from_s=1.0))
    digests = {digest_of(run_in_process(cell)[1]) for _ in range(2)}
    assert digests == {digest_of(simulate_sharing(cell))}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"priorities": (1, 0)}, "3 links need as many priorities, not 2"),
        ({"sharing": "dynamic thresholds"}, "only limits know priorities, not dynamic thresholds"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused(changes, message) -> None:
    (pool,) = scenario().pools
    with pytest.raises(InvalidScenario, match=f"the pool memory: {message}"):
        replace(pool, **changes)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"sizing": replace(SIZING, interval_s=0.03)}, "have one interval_s, not 0.02, 0.03"),
        ({"sizing": replace(SIZING, memory=((0.0, 9_000),))}, "link second: priorities need"),
        ({"buffer": TofinoBuffer()}, "link second: no policy can size a TofinoBuffer"),
    ],
)
def test_what_no_port_of_a_switch_can_be_is_refused(link, message) -> None:
    first, second, third = scenario().links
    with pytest.raises(InvalidScenario, match=message):
        simulated(links=(first, replace(second, **link), third))


def test_a_memory_by_limits_needs_somebody_who_shares_it():
    with pytest.raises(InvalidScenario, match=r"who shares the memory out\?"):
        simulate(Cell(scenario()))
