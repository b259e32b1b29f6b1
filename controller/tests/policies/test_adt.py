"""ADT against the letter: its rates, its average, its sampling period."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.measurements import Interval
from p4abs.policies import Binding, Targets
from p4abs.policies.adt import Adt

CAPACITY_BPS = 200e6
TARGETS = Targets(0.99, 0.02, None, 1_500, 750_000_000)
PERIODS_TO_DOUBLE = 70  # ln 2 / ln 1.01 = 69.7


def interval(utilization: float, duration_s: float = 0.3, dropped_bytes: int = 0) -> Interval:
    admitted_bytes = round(utilization * CAPACITY_BPS / 8 * duration_s)
    return Interval(duration_s, admitted_bytes, dropped_bytes, 0)


def limits(policy: Adt, trace: list[Interval], limit_bytes: int = 750_000) -> list[int]:
    state = policy.start(limit_bytes)
    decided = []
    for each in trace:
        state, decision = policy.step(state, each)
        decided.append(decision.limit_bytes)
    return decided


def test_an_underused_link_s_buffer_doubles_within_21_seconds() -> None:
    assert limits(Adt(CAPACITY_BPS, TARGETS), [interval(0.98)] * PERIODS_TO_DOUBLE)[-1] == (
        pytest.approx(2 * 750_000, rel=0.01)
    )


def test_a_fully_used_link_s_buffer_halves_within_21_seconds() -> None:
    assert limits(Adt(CAPACITY_BPS, TARGETS), [interval(1.0)] * PERIODS_TO_DOUBLE)[-1] == (
        pytest.approx(750_000 / 2, rel=0.01)
    )


def test_the_target_itself_shrinks_the_buffer() -> None:
    assert limits(Adt(CAPACITY_BPS, TARGETS), [interval(0.99)]) == [round(750_000 / 1.01)]


def test_dropped_bytes_are_no_throughput() -> None:
    lossy = interval(0.98, dropped_bytes=10**7)
    assert limits(Adt(CAPACITY_BPS, TARGETS), [lossy]) == [round(750_000 * 1.01)]


def test_intervals_of_20_ms_add_up_to_the_sampling_period_exactly() -> None:
    decided = limits(Adt(CAPACITY_BPS, TARGETS), [interval(0.5, 0.02)] * 45)
    moved = [n for n, (a, b) in enumerate(pairwise(decided), 2) if a != b]
    assert moved == [15, 30, 45]


def test_an_interval_longer_than_the_period_is_one_period() -> None:
    assert limits(Adt(CAPACITY_BPS, TARGETS), [interval(0.5, 0.9)]) == [757_500]


def test_the_throughput_is_averaged_with_weight_rho() -> None:
    policy = Adt(CAPACITY_BPS, TARGETS)
    state = policy.start(750_000)
    # 1.0, then 0.1 * 0.9 + 0.9 * 1.0 = 0.99, then 0.1 * 0.89 + 0.9 * 0.99 = 0.98
    for used, average in ((1.0, 1.0), (0.9, 0.99), (0.89, 0.98)):
        state, _ = policy.step(state, interval(used))
        assert state.throughput_bytes_per_s == pytest.approx(average * CAPACITY_BPS / 8)


def test_a_burst_shorter_than_the_average_does_not_turn_the_buffer() -> None:
    decided = limits(
        Adt(CAPACITY_BPS, TARGETS), [interval(1.0)] * 10 + [interval(0.95)] + [interval(1.0)]
    )
    assert decided == sorted(decided, reverse=True)


def test_a_link_that_is_no_bottleneck_ends_with_all_the_memory() -> None:
    small = Targets(0.99, 0.02, None, 1_500, 900_000)
    policy = Adt(CAPACITY_BPS, small)
    state = policy.start(30_000)
    for _ in range(400):
        state, decision = policy.step(state, interval(0.5))
    assert (decision.limit_bytes, decision.binding) == (900_000, Binding.MAX_LIMIT)


def test_a_bound_does_not_wind_it_up() -> None:
    small = Targets(0.99, 0.02, None, 1_500, 900_000)
    decided = limits(Adt(CAPACITY_BPS, small), [interval(0.989)] * 400 + [interval(1.1)] * 2)
    assert decided[-2:] == [round(900_000 / 1.01), round(900_000 / 1.01**2)]


def test_utilization_binds_between_the_bounds() -> None:
    policy = Adt(CAPACITY_BPS, TARGETS)
    _, decision = policy.step(policy.start(750_000), interval(0.5))
    assert decision.binding is Binding.UTILIZATION


@given(st.lists(st.floats(0, 1.2), min_size=1, max_size=60))
def test_no_period_moves_the_buffer_by_more_than_the_factor(used: list[float]) -> None:
    decided = [750_000, *limits(Adt(CAPACITY_BPS, TARGETS), [interval(each) for each in used])]
    for before, after in pairwise(decided):
        assert abs(math.log(after / before)) == pytest.approx(math.log(1.01), rel=0.01)
