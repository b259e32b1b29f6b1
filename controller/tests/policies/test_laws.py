"""What holds for every sizing law at every step."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.measurements import Interval
from p4abs.policies import POLICIES, Binding, Policy, Targets, create

CAPACITY_BPS = 10e6
INTERVAL_BYTES = 25_000  # what 10 Mbit/s carries in 20 ms
MIN_LIMIT, MAX_LIMIT = 3_000, 750_000
TARGETS = Targets(0.98, 0.02, None, MIN_LIMIT, MAX_LIMIT)

ABS_LAWS = [name for name in POLICIES if name.startswith("abs")]
MakePolicy = Callable[[str, float, Targets], Policy[Any]]

laws = st.sampled_from(sorted(POLICIES))
limits = st.integers(1, 2 * MAX_LIMIT)
intervals = st.builds(
    Interval,
    duration_s=st.floats(0.001, 1.0),
    admitted_bytes=st.integers(0, 2 * INTERVAL_BYTES),
    dropped_bytes=st.one_of(st.just(0), st.integers(0, 20 * INTERVAL_BYTES)),
    departed_bytes=st.integers(0, INTERVAL_BYTES),
)
traces = st.lists(intervals, min_size=1, max_size=30)


@given(laws, limits, traces, st.one_of(st.none(), st.integers(0, 50_000)))
def test_a_limit_never_leaves_its_bounds_nor_the_memory(
    make_policy: MakePolicy,
    name: str,
    limit_bytes: int,
    trace: list[Interval],
    memory_left_bytes: int | None,
) -> None:
    policy = make_policy(name, CAPACITY_BPS, TARGETS)
    state = policy.start(limit_bytes)
    in_force = min(max(limit_bytes, MIN_LIMIT), MAX_LIMIT)
    for interval in trace:
        state, decision = policy.step(state, interval, memory_left_bytes)
        assert MIN_LIMIT <= decision.limit_bytes <= MAX_LIMIT
        if memory_left_bytes is not None:
            assert decision.limit_bytes <= in_force + memory_left_bytes
        in_force = decision.limit_bytes


@pytest.mark.parametrize("name", POLICIES)
def test_whatever_is_measured_of_flows_leaves_a_limit_in_its_bounds(
    make_policy: MakePolicy, name: str
) -> None:
    policy = make_policy(name, CAPACITY_BPS, TARGETS)
    interval = Interval(0.02, INTERVAL_BYTES, 1_500, INTERVAL_BYTES, untracked_bytes=0)
    for active, long, timed, timed_us in product([None, 0, 1, 2**62], repeat=4):
        seen = replace(
            interval,
            active_flow_us=active,
            long_flow_us=long,
            timed_bytes=timed,
            timed_byte_us=timed_us,
        )
        _, decision = policy.step(policy.start(MIN_LIMIT), seen)
        assert MIN_LIMIT <= decision.limit_bytes <= MAX_LIMIT


@pytest.mark.parametrize("name", POLICIES)
def test_a_round_trip_time_that_falls_to_nothing_leaves_a_limit_in_its_bounds(
    make_policy: MakePolicy, name: str
) -> None:
    policy = make_policy(name, CAPACITY_BPS, TARGETS)
    seen = Interval(
        0.02, INTERVAL_BYTES, 1_500, INTERVAL_BYTES, untracked_bytes=0,
        active_flow_us=20_000, long_flow_us=20_000, timed_bytes=1_000, timed_byte_us=30_000_000,
    )  # fmt: skip
    state, _ = policy.step(policy.start(MIN_LIMIT), seen)
    nothing = replace(seen, duration_s=10.0, timed_bytes=2**62, timed_byte_us=1)
    _, decision = policy.step(state, nothing)
    assert MIN_LIMIT <= decision.limit_bytes <= MAX_LIMIT


@pytest.mark.parametrize("name", POLICIES)
def test_a_link_that_stands_still_while_packets_come_is_no_news(
    make_policy: MakePolicy, name: str
) -> None:
    """All are dropped, interval after interval, and no time passes that would count."""
    duration_s, sent_bytes = 0.02, 2_500_000
    capacity_bps = 8 * sent_bytes / duration_s
    policy = make_policy(name, capacity_bps, replace(TARGETS, max_limit_bytes=sent_bytes))
    state = policy.start(50_000)
    moving = Interval(duration_s, sent_bytes, 1514, sent_bytes, 0.0, 0, 40_000)
    standing = Interval(duration_s, 0, sent_bytes, 0, 0.0, 50_000, 50_000)
    for interval in (*[moving] * 200, *[standing] * 60, *[moving] * 20):
        state, decision = policy.step(state, interval)
        assert MIN_LIMIT <= decision.limit_bytes <= sent_bytes


@given(laws, limits, traces)
def test_the_same_trace_gives_the_same_decisions(
    make_policy: MakePolicy, name: str, limit_bytes: int, trace: list[Interval]
) -> None:
    policy = make_policy(name, CAPACITY_BPS, TARGETS)
    decisions = []
    for _ in range(2):
        state = policy.start(limit_bytes)
        run = []
        for interval in trace:
            state, decision = policy.step(state, interval)
            run.append(decision)
        decisions.append(run)
    assert decisions[0] == decisions[1]


@given(laws, limits, intervals)
def test_a_step_leaves_the_state_that_it_was_given(
    make_policy: MakePolicy, name: str, limit_bytes: int, interval: Interval
) -> None:
    policy = make_policy(name, CAPACITY_BPS, TARGETS)
    state = policy.start(limit_bytes)
    policy.step(state, interval)
    assert state == policy.start(limit_bytes)


@pytest.mark.parametrize("name", POLICIES)
def test_parameters_and_state_are_frozen(make_policy: MakePolicy, name: str) -> None:
    policy: Any = make_policy(name, CAPACITY_BPS, TARGETS)
    for value in (policy, policy.start(60_000)):
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)


@pytest.mark.parametrize("name", ABS_LAWS)
def test_the_delay_cap_binds_while_everything_is_lost(name: str) -> None:
    capped = Targets(0.98, 0.02, 0.1, MIN_LIMIT, MAX_LIMIT)
    policy = create(name, CAPACITY_BPS, capped)
    state = policy.start(60_000)
    for _ in range(2_000):
        state, decision = policy.step(state, Interval(0.02, 10_000, 40_000, INTERVAL_BYTES))
    assert decision.limit_bytes == 125_000  # 0.1 s at 10 Mbit/s
    assert decision.binding is Binding.MAX_DELAY


@pytest.mark.parametrize("name", ABS_LAWS)
def test_a_bound_does_not_wind_the_law_up(name: str) -> None:
    policy = create(name, CAPACITY_BPS, TARGETS)
    state = policy.start(60_000)
    for _ in range(5_000):
        state, decision = policy.step(state, Interval(0.02, 10_000, 40_000, INTERVAL_BYTES))
    assert decision.binding is Binding.MAX_LIMIT
    for _ in range(50):
        state, decision = policy.step(state, Interval(0.02, 30_000, 0, INTERVAL_BYTES))
    assert decision.limit_bytes < MAX_LIMIT


def test_static_keeps_its_limit_whatever_happens() -> None:
    policy = create("static", CAPACITY_BPS, TARGETS)
    state = policy.start(60_000)
    for dropped_bytes in (0, 50_000):
        state, decision = policy.step(state, Interval(0.02, 25_000, dropped_bytes, 25_000))
        assert decision.limit_bytes == 60_000
        assert decision.binding is Binding.FIXED
