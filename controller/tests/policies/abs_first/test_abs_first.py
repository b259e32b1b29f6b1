"""The first generation: direction, sums, non-bottleneck links, scale."""

import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from p4abs.interval import Interval
from p4abs.policies import Binding, Targets
from p4abs.policies.abs_first.law import AbsFirst, AbsFirstState

CAPACITY_BPS = 10e6
INTERVAL_BYTES = 25_000  # what 10 Mbit/s carries in 20 ms
TARGETS = Targets(0.98, 0.02, None, 3_000, 750_000)
POLICY = AbsFirst(CAPACITY_BPS, TARGETS)

FULL = Interval(0.02, INTERVAL_BYTES, 0, INTERVAL_BYTES)
LOSSY = Interval(0.02, INTERVAL_BYTES, 3_000, INTERVAL_BYTES)
STARVED = Interval(0.02, 15_000, 0, 15_000)

intervals = st.builds(
    Interval,
    duration_s=st.just(0.02),
    admitted_bytes=st.integers(0, 2 * INTERVAL_BYTES),
    dropped_bytes=st.one_of(st.just(0), st.integers(0, INTERVAL_BYTES)),
    departed_bytes=st.integers(0, INTERVAL_BYTES),
)
histories = st.lists(intervals, max_size=20)


def after(
    trace: list[Interval], policy: AbsFirst = POLICY, limit_bytes: int = 100_000
) -> tuple[AbsFirstState, int]:
    """State and limit after a trace."""
    state = policy.start(limit_bytes)
    for interval in trace:
        state, decision = policy.step(state, interval)
        limit_bytes = decision.limit_bytes
    return state, limit_bytes


@given(histories, intervals, st.integers(1, INTERVAL_BYTES))
def test_more_loss_never_asks_for_less_buffer(
    history: list[Interval], interval: Interval, further_bytes: int
) -> None:
    lossier = Interval(
        interval.duration_s,
        interval.admitted_bytes,
        interval.dropped_bytes + further_bytes,
        interval.departed_bytes,
    )
    assert after([*history, lossier])[1] >= after([*history, interval])[1]


@given(histories, intervals, st.integers(0, INTERVAL_BYTES))
def test_a_busier_link_never_asks_for_more_buffer(
    history: list[Interval], interval: Interval, departed_bytes: int
) -> None:
    assume(departed_bytes > interval.departed_bytes)
    busier = Interval(
        interval.duration_s, interval.admitted_bytes, interval.dropped_bytes, departed_bytes
    )
    assert after([*history, busier])[1] <= after([*history, interval])[1]


@pytest.mark.parametrize(("interval", "grows"), [(LOSSY, True), (FULL, False), (STARVED, False)])
def test_the_buffer_moves_against_the_error(interval: Interval, grows: bool) -> None:
    limit_bytes = after([interval])[1]
    assert (limit_bytes > 100_000) == grows
    assert limit_bytes != 100_000


def test_a_starved_link_that_drops_grows_by_its_utilization_branch() -> None:
    dropping = Interval(0.02, 22_000, 200, 22_000)  # 0.9 % lost, 88 % used
    state = POLICY.start(100_000)
    for _ in range(20):
        state, decision = POLICY.step(state, dropping)
    assert decision.limit_bytes > 100_000
    assert decision.binding is Binding.UTILIZATION


@given(st.lists(st.integers(600, 3_000), min_size=1, max_size=200))
def test_the_level_moves_by_the_sum_of_loss_errors(dropped: list[int]) -> None:
    policy = AbsFirst(CAPACITY_BPS, Targets(0.98, 0.02, None, 1, 10**12), training=False)
    trace = [Interval(0.02, INTERVAL_BYTES, bytes_, INTERVAL_BYTES) for bytes_ in dropped]
    excess_bytes = sum(dropped) - 0.02 * (sum(dropped) + len(trace) * INTERVAL_BYTES)
    state, _ = after(trace, policy)
    assume(not state.loss.held)
    moved = state.loss.level - math.log(8 * 100_000 / CAPACITY_BPS)
    assert moved == pytest.approx(0.3 * 8 * excess_bytes / CAPACITY_BPS / 0.02, abs=1e-9)


def test_loss_in_bursts_counts_as_the_same_loss_spread_evenly() -> None:
    policy = AbsFirst(CAPACITY_BPS, TARGETS, training=False)
    even = [Interval(0.02, 24_000, 1_000, 24_000)] * 40
    bursts = [Interval(0.02, 15_000, 10_000, 15_000)] * 4 + [Interval(0.02, 25_000, 0, 25_000)] * 36
    assert after(even, policy)[0].loss.level == pytest.approx(after(bursts, policy)[0].loss.level)


@given(st.lists(st.integers(0, INTERVAL_BYTES), min_size=1, max_size=300))
def test_a_link_without_drops_never_grows(departed: list[int]) -> None:
    state = POLICY.start(100_000)
    in_force = 100_000
    for departed_bytes in departed:
        interval = Interval(0.02, departed_bytes, 0, departed_bytes)
        state, decision = POLICY.step(state, interval)
        assert decision.limit_bytes <= in_force
        in_force = decision.limit_bytes


def test_a_loaded_link_without_drops_ends_at_the_smallest_buffer() -> None:
    state = POLICY.start(750_000)
    for _ in range(3_000):
        state, decision = POLICY.step(state, STARVED)
    assert decision.limit_bytes == TARGETS.min_limit_bytes
    assert decision.binding is Binding.MIN_LIMIT


def test_an_idle_link_keeps_its_buffer() -> None:
    assert after([Interval(0.02, 0, 0, 0)] * 1_000)[1] == 100_000


def test_growth_after_a_drop_ends_at_the_headroom() -> None:
    policy = AbsFirst(CAPACITY_BPS, TARGETS, headroom=2.0, training=False)
    dropping = Interval(0.02, 15_000, 100, 15_000)
    state, limit_bytes = after([dropping, *[STARVED] * 100, dropping], policy)
    assert limit_bytes == 2 * state.dropping_limit_bytes


def test_idle_time_without_a_drop_after_it_asks_for_nothing() -> None:
    dropping = Interval(0.02, 15_000, 100, 15_000)
    _, dropped_bytes = after([dropping])
    assert after([dropping] + [STARVED] * 240)[1] <= dropped_bytes


def test_the_branch_that_does_not_bind_follows_the_limit() -> None:
    state, limit_bytes = after([LOSSY] * 200)
    assert state.utilization.drain_time_s == pytest.approx(
        0.75 * 8 * limit_bytes / CAPACITY_BPS, rel=0.05
    )


def test_a_held_branch_comes_down_with_the_limit() -> None:
    state, _ = after([LOSSY] * 200)
    assert state.utilization.held
    above = state.utilization.drain_time_s
    for _ in range(200):
        state, _ = POLICY.step(state, FULL)
    assert state.utilization.drain_time_s < above


@pytest.mark.parametrize("capacity_bps", [2e6, 1e9, 100e9])
def test_the_law_is_free_of_scale(capacity_bps: float) -> None:
    """The same trace in drain time moves the limit alike at every rate."""
    rng = random.Random(2)
    shares = [(rng.random(), rng.random() * 0.2 * (rng.random() < 0.2)) for _ in range(3_000)]

    def drain_times_s(rate_bps: float) -> list[float]:
        scale = rate_bps / 8
        targets = Targets(0.98, 0.02, None, round(0.002 * scale), round(2 * scale))
        policy = AbsFirst(rate_bps, targets)
        state = policy.start(round(0.1 * scale))
        result = []
        for used, lost in shares:
            interval = Interval(
                0.02, round(0.02 * scale), round(0.02 * lost * scale), round(0.02 * used * scale)
            )
            state, decision = policy.step(state, interval)
            result.append(decision.limit_bytes / scale)
        return result

    assert drain_times_s(capacity_bps) == pytest.approx(drain_times_s(100e6), rel=0.02)
