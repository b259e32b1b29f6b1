"""A memory that several links share, by limits or packet by packet."""

from dataclasses import replace

import numpy as np
import pytest
from p4abs.errors import UserError
from p4abs_experiments.network import (
    InvalidScenario,
    Link,
    PlainBuffer,
    Pool,
    Scenario,
    SharedBuffer,
    Sizing,
    TcpFlows,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.bottleneck import PACKET_BYTES, RATE_BPS
from p4abs_experiments.simulation.ns3 import Port, Simulation
from p4abs_experiments.simulation.sharing.simulate import simulate_sharing
from p4abs_experiments.simulation.simulate import simulate

from experiments.tests.simulation.traffic import add_overload

SIZE_BYTES = 400 * PACKET_BYTES
WITHIN_BYTES = 3 * PACKET_BYTES


def shared_ports(
    simulation: Simulation, count: int, alpha: float, by_congested_queues: bool = False
) -> list[Port]:
    memory = simulation.add_shared_memory(SIZE_BYTES, by_congested_queues)
    return [
        simulation.add_shared_memory_port(f"port {number}", RATE_BPS, memory, alpha)
        for number in range(count)
    ]


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0.25, 1.0, 8.0])
def test_full_queues_settle_where_choudhury_and_hahne_say(count: int, alpha: float) -> None:
    with Simulation(1) as simulation:
        ports = shared_ports(simulation, count + 1, alpha)
        for port in ports[:count]:
            add_overload(simulation, port)
        simulation.run_until(3)
        queue_bytes = alpha * SIZE_BYTES / (1 + count * alpha)
        for port in ports[:count]:
            assert port.occupancy_bytes() == pytest.approx(queue_bytes, abs=WITHIN_BYTES)
        idle = ports[count]
        assert idle.occupancy_bytes() == 0
        assert idle.snapshot()[4] == pytest.approx(
            min(queue_bytes, SIZE_BYTES / (1 + count * alpha)), abs=alpha * count * WITHIN_BYTES
        )


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_by_congested_queues_the_free_memory_is_the_same_for_any_number(
    count: int, alpha: float
) -> None:
    with Simulation(1) as simulation:
        ports = shared_ports(simulation, 6, alpha, by_congested_queues=True)
        for port in ports[:count]:
            add_overload(simulation, port)
        simulation.run_until(3)
        for port in ports[:count]:
            assert port.occupancy_bytes() == pytest.approx(
                alpha * SIZE_BYTES / (count * (1 + alpha)), abs=WITHIN_BYTES
            )


@pytest.mark.parametrize("by_congested_queues", [False, True])
def test_the_memory_holds_no_more_than_its_size(by_congested_queues: bool) -> None:
    with Simulation(1) as simulation:
        ports = shared_ports(simulation, 4, 100.0, by_congested_queues)
        for number, port in enumerate(ports):
            simulation.add_cbr_flow(
                [port], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=5 * RATE_BPS,
                start_s=0.1 * number, on_s=0.1, off_s=0.2,
            )  # fmt: skip
        fullest = 0
        for step in range(2_000):
            simulation.run_until(step * 1e-3)
            fullest = max(fullest, sum(port.occupancy_bytes() for port in ports))
        assert SIZE_BYTES - PACKET_BYTES < fullest <= SIZE_BYTES


def test_a_limit_that_the_memory_sets_cannot_be_written() -> None:
    with Simulation(1) as simulation:
        (port,) = shared_ports(simulation, 1, 1.0)
        with pytest.raises(UserError, match="shares its memory"):
            port.set_limit_bytes(1)


def two_links(pool: Pool, **link) -> Scenario:
    names = ("first", "second")
    return Scenario(
        name="shared",
        links=tuple(Link(name, RATE_BPS, **link) for name in names),
        traffic=tuple(
            TcpFlows(count=4, path=(name,), rtt_s=(0.02, 0.03), start_s=(0, 0.1), name=name)
            for name in names
        ),
        n_flows=8,
        duration_s=4.0,
        measure_from_s=2.0,
        pools=(pool,),
    )


BOTH = ("first", "second")


def test_limits_of_a_pool_stay_within_it_and_use_it() -> None:
    sizing = Sizing(initial_limit_bytes=60_000, policy="abs", loss=0.001, utilization=0.999)
    sized = {"sizing": sizing, "buffer": PlainBuffer()}
    result = simulate_sharing(Cell(two_links(Pool("memory", 50_000, BOTH), **sized)))
    sums = sum(result.link(name).series.limit_bytes for name in BOTH)
    assert sums.max() <= 50_000
    assert sums.max() > 49_000
    alone = simulate_sharing(Cell(two_links(Pool("memory", 10_000_000, BOTH), **sized)))
    assert sum(alone.link(name).series.limit_bytes[-1] for name in BOTH) > 60_000


def test_a_large_pool_changes_nothing() -> None:
    sizing = Sizing(initial_limit_bytes=60_000, policy="abs")
    pooled = two_links(Pool("memory", 10**9, BOTH), sizing=sizing, buffer=PlainBuffer())
    for name in BOTH:
        np.testing.assert_array_equal(
            simulate_sharing(Cell(pooled)).link(name).series.limit_bytes,
            simulate(Cell(replace(pooled, pools=()))).link(name).series.limit_bytes,
        )


@pytest.mark.parametrize("sharing", ["dynamic thresholds", "active buffer management"])
def test_the_data_plane_shares_a_pool(sharing) -> None:
    pool = Pool("memory", 60_000, BOTH, sharing)
    result = simulate(Cell(two_links(pool, sizing=None, buffer=SharedBuffer(alpha=1.0))))
    occupancy = sum(result.link(name).series.occupancy_bytes for name in BOTH)
    assert 20_000 < occupancy.max() <= 60_000
    assert all(result.link(name).dropped_bytes > 0 for name in BOTH)
    assert np.ptp(result.link("first").series.limit_bytes) > 1_000


@pytest.mark.parametrize(
    ("pools", "message"),
    [
        ((Pool("memory", 60_000, ("first", "third")),), "no link 'third'"),
        ((Pool("one", 60_000, BOTH), Pool("two", 60_000, ("first",))), "links of their own"),
        ((Pool("memory", 2_000, BOTH),), "at least 2400 bytes"),
        ((Pool("memory", 60_000, BOTH, "dynamic thresholds"),), "needs a SharedBuffer"),
    ],
)
def test_pools_that_make_no_sense_are_refused(pools, message) -> None:
    sized = two_links(Pool("memory", 60_000, BOTH), sizing=Sizing(initial_limit_bytes=9_000))
    with pytest.raises(InvalidScenario, match=message):
        replace(sized, pools=pools)


def test_a_shared_buffer_needs_its_pool() -> None:
    pool = Pool("memory", 60_000, BOTH, "dynamic thresholds")
    shared = two_links(pool, sizing=None, buffer=SharedBuffer())
    with pytest.raises(InvalidScenario, match="has no pool"):
        replace(shared, pools=())
    with pytest.raises(InvalidScenario, match="needs a sizing"):
        replace(shared, pools=(replace(pool, sharing="limits"),))
