"""The model equations against the numbers that the paper prints."""

import math

import pytest
from p4abs_experiments.papers.dumbbell import square_root_rule
from p4abs_experiments.papers.sizing_router_buffers import published
from p4abs_experiments.papers.sizing_router_buffers.models import gaussian, sawtooth
from p4abs_experiments.papers.sizing_router_buffers.models.short_flows import (
    BurstQueue,
    slow_start_bursts,
)

EQUATION_6 = {1.0: 0.9899, 2.0: 0.9999997}
"""Printed: multiple of the pipe over sqrt(n), utilization for n = 10000 (section 3.2)."""

PIPE = published.FIGURE_15_PIPE_PACKETS
ROWS = published.FIGURE_15


@pytest.mark.parametrize("multiple", EQUATION_6)
def test_equation_6_gives_the_printed_examples(multiple: float) -> None:
    pipe, n_flows = 1e6, 10_000
    buffer = multiple * square_root_rule(pipe, n_flows)
    expected = EQUATION_6[multiple]
    lost = 1 - gaussian.utilization_bound(pipe, buffer, n_flows)
    assert lost == pytest.approx(1 - expected, rel=0.2)


def test_the_printed_example_of_one_and_a_half_has_a_digit_too_many() -> None:
    assert gaussian.utilization_bound(1e6, 15_000, 10_000) == pytest.approx(0.999877, abs=1e-6)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.n_flows}x{row.multiple}")
def test_figure_15_prints_multiples_of_the_square_root_rule(
    row: published.RouterMeasurement,
) -> None:
    rule = square_root_rule(PIPE, row.n_flows)
    # The paper rounds 1 x, then multiplies.
    assert row.buffer_packets == pytest.approx(row.multiple * rule, abs=0.6 * row.multiple + 0.5)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.n_flows}x{row.multiple}")
def test_the_model_column_of_figure_15_counts_the_fifo_of_the_line_card(
    row: published.RouterMeasurement,
) -> None:
    modelled = gaussian.utilization_bound_of_linecard(
        PIPE, row.buffer_packets, row.n_flows, published.LINECARD_FIFO_PACKETS
    )
    assert modelled == pytest.approx(row.model, abs=0.001)


def test_equation_6_alone_is_far_below_the_model_column_of_figure_15() -> None:
    row = ROWS[0]
    bound = gaussian.utilization_bound(PIPE, row.buffer_packets, row.n_flows)
    assert bound == pytest.approx(0.780, abs=0.001)
    assert row.model == pytest.approx(0.969)


@pytest.mark.parametrize("utilization", [0.5, 0.98, 0.995, 0.999])
@pytest.mark.parametrize("n_flows", [2, 50, 10_000])
def test_the_buffer_for_a_utilization_inverts_equation_6(n_flows: int, utilization: float) -> None:
    buffer = gaussian.buffer_for_utilization(PIPE, n_flows, utilization)
    bound = gaussian.utilization_bound(PIPE, buffer, n_flows)
    assert bound == pytest.approx(utilization)


def test_equation_6_promises_a_single_flow_no_more_than_99_percent() -> None:
    assert gaussian.utilization_bound(PIPE, 1e12, 1) == pytest.approx(0.9906, abs=1e-4)
    assert gaussian.buffer_for_utilization(PIPE, 1, 0.999) == math.inf


def test_the_square_root_rule_is_about_the_buffer_for_98_9_percent() -> None:
    rule = square_root_rule(PIPE, 10_000)
    assert gaussian.buffer_for_utilization(PIPE, 10_000, 0.9899) == pytest.approx(rule, 0.01)


def test_the_sawtooth_of_figure_4_has_the_printed_period() -> None:
    buffer, rate = published.FIGURE_4_BUFFER_PACKETS, published.FIGURE_4_RATE_PACKETS_PER_S
    period = sawtooth.period_s(buffer, buffer, rate)
    assert period == pytest.approx(published.FIGURE_4_PERIOD_S, abs=0.05)
    assert period == pytest.approx(1.5 * buffer**2 / rate)


@pytest.mark.parametrize("multiple", [0.0, 0.25, 0.5, 1.0])
def test_an_underbuffered_flow_uses_what_the_closed_form_says(multiple: float) -> None:
    expected = 0.75 * (1 + multiple) ** 2 / (1 + multiple + multiple**2)
    assert sawtooth.utilization(142, 142 * multiple, 1000) == pytest.approx(expected)


@pytest.mark.parametrize("multiple", [1.0, 1.5, 3.0])
def test_an_overbuffered_flow_uses_all_of_the_link(multiple: float) -> None:
    assert sawtooth.utilization(142, 142 * multiple, 1000) == 1


@pytest.mark.parametrize("multiple", [0.5, 1.0, 1.5])
def test_the_modelled_window_runs_from_trough_to_peak_in_one_period(multiple: float) -> None:
    buffer = 142 * multiple
    period = sawtooth.period_s(142, buffer, 1000)
    start, end, again = sawtooth.window_series(142, buffer, 1000, [0, period - 1e-9, period])
    assert start == again == pytest.approx((142 + buffer) / 2)
    assert end == pytest.approx(142 + buffer)


@pytest.mark.parametrize(
    ("flow_packets", "bursts"), [(1, (1,)), (14, (2, 4, 8)), (16, (2, 4, 8, 2)), (20, (2, 4, 8, 6))]
)
def test_slow_start_doubles_until_the_flow_is_sent(
    flow_packets: int, bursts: tuple[int, ...]
) -> None:
    assert slow_start_bursts(flow_packets) == bursts


def test_a_larger_initial_window_gives_fewer_and_larger_bursts() -> None:
    assert slow_start_bursts(40, initial_window=10) == (10, 20, 10)


def test_flows_of_14_packets_queue_longer_than_flows_of_16() -> None:
    assert BurstQueue((2, 4, 8), 0.8).mean_queue() > BurstQueue((2, 4, 8, 2), 0.8).mean_queue()
    # As the paper prints the bursts of 16 packets.
    assert BurstQueue((2, 4, 8), 0.8).mean_queue() > BurstQueue((2, 4, 8, 4), 0.8).mean_queue()


@pytest.mark.parametrize("load", [0.1, 0.5, 0.8])
def test_bursts_of_one_packet_are_the_m_d_1_queue(load: float) -> None:
    waiting = load**2 / (2 * (1 - load))  # Pollaczek-Khinchine
    assert BurstQueue((1,), load).mean_queue() == pytest.approx(waiting)


def test_the_buffer_for_a_tail_inverts_the_tail() -> None:
    queue = BurstQueue(slow_start_bursts(30), 0.8)
    assert queue.tail(queue.buffer_for_tail(0.025)) == pytest.approx(0.025)
