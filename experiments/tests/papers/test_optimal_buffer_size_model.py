"""The fluid model against its theorem, its corollaries and its printed numbers."""

import itertools

import pytest
from p4abs_experiments.papers.optimal_buffer_size import published
from p4abs_experiments.papers.optimal_buffer_size.dumbbell import PACKETS_PER_S, model
from p4abs_experiments.papers.optimal_buffer_size.fluid_model import FluidModel

COROLLARY_1_UTILIZATION = 0.75
"""Printed for the fluid model without a buffer, synchronised."""
COROLLARY_1_UTILIZATION_OF_FIVE = 0.95
"""The same of five desynchronised flows."""
FLUID_BUFFER_PACKETS = {5: 250, 20: 62}
STANFORD_BUFFER_PACKETS = {5: 67, 20: 21}

MODELS = [
    pytest.param(model(1), id="one flow"),
    pytest.param(model(5), id="five synchronised"),
    pytest.param(model(5, signalled=1), id="five desynchronised"),
    pytest.param(FluidModel(capacity=100.0, growth=7.0, decrease=0.8), id="by parameters"),
]


def simulated_cycle(model: FluidModel, buffer: float, cycles: int = 60) -> tuple[float, float]:
    """(mean rate, mean queue) of the last cycle of equations (1) and (2), stepped in time."""
    step_s = model.capacity / model.growth * 1e-4
    rate, queue = model.capacity / 2, 0.0
    for _ in range(cycles):
        time_s = sent = stored = 0.0
        while queue < buffer or rate <= model.capacity:
            queue = max(0.0, queue + (rate - model.capacity) * step_s)
            sent, stored, time_s = sent + rate * step_s, stored + queue * step_s, time_s + step_s
            rate += model.growth * step_s
        rate *= model.decrease
    return sent / time_s, stored / time_s


@pytest.mark.parametrize("share", [0.05, 0.5, 1.0, 1.5])
def test_theorem_1_is_the_limit_cycle_of_the_hybrid_system(share: float) -> None:
    fluid = FluidModel(capacity=100.0, growth=7.0, decrease=0.6)
    buffer = share * fluid.full_utilization_buffer
    rate, queue = simulated_cycle(fluid, buffer, cycles=12)
    assert rate == pytest.approx(fluid.mean_rate(buffer), rel=0.003)
    assert queue == pytest.approx(fluid.mean_queue(buffer), rel=0.01)


@pytest.mark.parametrize("fluid", MODELS)
def test_corollary_1_without_a_buffer_the_rate_is_half_way_to_the_decrease(
    fluid: FluidModel,
) -> None:
    assert fluid.mean_queue(0) == 0
    assert fluid.utilization(0) == pytest.approx((1 + fluid.decrease) / 2)


def test_corollary_1_gives_the_printed_utilizations() -> None:
    assert model(5).utilization(0) == COROLLARY_1_UTILIZATION
    desynchronised = model(5, signalled=1).utilization(0)
    assert desynchronised == pytest.approx(COROLLARY_1_UTILIZATION_OF_FIVE)


@pytest.mark.parametrize("fluid", MODELS)
def test_corollary_2_at_b_0_the_link_is_full_and_the_mean_queue_a_third_of_the_buffer(
    fluid: FluidModel,
) -> None:
    minimum = fluid.full_utilization_buffer
    for buffer in (minimum * (1 - 1e-12), minimum):
        assert fluid.utilization(buffer) == pytest.approx(1)
        assert fluid.mean_queue(buffer) == pytest.approx(minimum / 3, rel=1e-4)


@pytest.mark.parametrize("fluid", MODELS)
def test_a_larger_buffer_never_lowers_the_rate_and_always_lengthens_the_queue(
    fluid: FluidModel,
) -> None:
    queues, rates = fluid.pareto_set(50)
    assert all(a < b for a, b in itertools.pairwise(queues))
    assert all(a < b for a, b in itertools.pairwise(rates))
    minimum = fluid.full_utilization_buffer
    assert fluid.mean_rate(2 * minimum) == fluid.capacity
    assert fluid.mean_queue(2 * minimum) == pytest.approx(minimum * 4 / 3)


@pytest.mark.parametrize("n_flows", FLUID_BUFFER_PACKETS)
def test_the_printed_b_0_is_that_of_synchronised_flows_not_equation_12(n_flows: int) -> None:
    printed = FLUID_BUFFER_PACKETS[n_flows]
    assert int(model(n_flows).full_utilization_buffer) == printed
    desynchronised = model(n_flows, signalled=1).full_utilization_buffer
    path = PACKETS_PER_S * published.RTT_S
    assert desynchronised == pytest.approx(path**2 / (2 * n_flows * (4 * n_flows - 1) ** 2))
    assert desynchronised < printed / 40


def test_one_flow_needs_an_eighteenth_of_the_squared_product() -> None:
    assert model(1).full_utilization_buffer == pytest.approx(published.BDP_PACKETS**2 / 18)


def test_the_bandwidth_delay_product_is_the_printed_one() -> None:
    assert pytest.approx(published.BDP_PACKETS) == PACKETS_PER_S * published.RTT_S


def test_the_printed_stanford_buffer_of_20_flows_is_not_the_rules() -> None:
    rule = {n: published.BDP_PACKETS / n**0.5 for n in STANFORD_BUFFER_PACKETS}
    assert rule[5] == pytest.approx(STANFORD_BUFFER_PACKETS[5], abs=0.5)
    assert rule[20] == pytest.approx(33.5, abs=0.1)
    assert STANFORD_BUFFER_PACKETS[20] == 21
