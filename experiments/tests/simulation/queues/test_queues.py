"""Scenarios with several queues of one link."""

import pytest
from p4abs_experiments.network import (
    CbrFlows,
    Link,
    PlainBuffer,
    Queues,
    Scenario,
    Sizing,
    TcpFlows,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import policy_of
from p4abs_experiments.simulation.queues import QueueSizing
from p4abs_experiments.simulation.simulate import simulate

CAPACITY_BPS = 10_000_000
NAMES = ("queue 0", "queue 1")


def scenario(*traffic, weights=(), duration_s=4.0, **sizing) -> Scenario:
    """An entry of traffic for each of two queues."""
    settings = Sizing(**{"initial_limit_bytes": 30_000, **sizing})
    return Scenario(
        name="two queues",
        links=tuple(Link(name, CAPACITY_BPS, settings, PlainBuffer()) for name in NAMES),
        traffic=traffic,
        n_flows=len(traffic),
        duration_s=duration_s,
        measure_from_s=duration_s / 2,
        queues=(Queues(NAMES, weights),),
    )


def udp(queue: str, share: float) -> CbrFlows:
    return CbrFlows(count=1, path=(queue,), rate_bps=share * CAPACITY_BPS)


def sent_shares(result) -> list[float]:
    return [8 * link.departed_bytes / CAPACITY_BPS / result.window_s for link in result.links]


def test_a_queue_is_used_while_it_waits_for_others() -> None:
    result = simulate(Cell(scenario(udp(NAMES[0], 2.0), udp(NAMES[1], 0.4))))
    assert sent_shares(result) == pytest.approx([0.6, 0.4], abs=0.005)
    low, high = result.links
    assert low.utilization == pytest.approx(1.0, abs=1e-3)
    assert 0.4 < high.utilization < 0.9
    assert high.utilization == 1 - high.idle


def test_weights_are_those_of_the_link() -> None:
    result = simulate(Cell(scenario(udp(NAMES[0], 2.0), udp(NAMES[1], 2.0), weights=(1, 3))))
    assert sent_shares(result) == pytest.approx([0.25, 0.75], abs=0.005)


def test_a_policy_knows_whether_it_has_one_of_several_queues() -> None:
    sizing = Sizing(initial_limit_bytes=30_000, policy="abs")
    assert QueueSizing(sizing).make_policy(CAPACITY_BPS).targets.shares_link
    assert not policy_of(sizing, CAPACITY_BPS).targets.shares_link


def test_a_delay_is_bounded_by_what_the_link_leaves_to_the_queue() -> None:
    max_delay_s = 0.05
    bulk = (TcpFlows(count=4, path=(name,), rtt_s=(0.02, 0.04)) for name in NAMES)
    sized = scenario(
        *bulk, weights=(1, 3), duration_s=8.0, policy="abs", loss=1e-4, max_delay_s=max_delay_s
    )
    for link, share in zip(simulate(Cell(sized)).links, (0.25, 0.75), strict=True):
        bound_bytes = max_delay_s * share * CAPACITY_BPS / 8
        assert link.limit_max_bytes == pytest.approx(bound_bytes, rel=0.02)
