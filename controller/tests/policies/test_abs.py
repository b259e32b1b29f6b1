"""The law `abs`: direction, sums, outliers, links that are no bottleneck, scale."""

import math
import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.measurements import Interval
from p4abs.policies import Binding, Targets
from p4abs.policies.abs.law import Abs, AbsState

CAPACITY_BPS = 10e6
INTERVAL_S = 0.02
INTERVAL_BYTES = 25_000  # what 10 Mbit/s carries in 20 ms
TARGETS = Targets(0.98, 0.02, None, 3_000, 750_000)
POLICY = Abs(CAPACITY_BPS, TARGETS)
START_BYTES = 100_000


def interval(idle: float = 0.0, dropped_bytes: int = 0, offered: float | None = None) -> Interval:
    """20 ms, idle for a share of it; `offered` in shares of the capacity, by default the rest."""
    sent_bytes = round((1 - idle if offered is None else offered) * INTERVAL_BYTES)
    return Interval(INTERVAL_S, sent_bytes, dropped_bytes, sent_bytes, idle_s=idle * INTERVAL_S)


def night(duration_s: float) -> Interval:
    """Nothing arrives."""
    return Interval(duration_s, 0, 0, 0, idle_s=duration_s)


FULL = interval()
LOSSY = interval(dropped_bytes=3_000)
STARVED = interval(idle=0.4)
STARVED_DROPPING = interval(idle=0.4, dropped_bytes=100)
STEADY = [*[FULL] * 24, interval(idle=0.5, dropped_bytes=600)] * 40


def after(
    trace: list[Interval], policy: Abs = POLICY, limit_bytes: int = START_BYTES
) -> tuple[AbsState, list[int]]:
    """State and limits after a trace."""
    return went_on(policy.start(limit_bytes), trace, policy)


def went_on(
    state: AbsState, trace: list[Interval], policy: Abs = POLICY
) -> tuple[AbsState, list[int]]:
    """The same from a state on."""
    limits = []
    for each in trace:
        state, decision = policy.step(state, each)
        limits.append(decision.limit_bytes)
    return state, limits


@cache
def after_steady() -> tuple[AbsState, list[int]]:
    """State and limits after `STEADY`, which tests of many examples go on from."""
    return after(STEADY)


@pytest.mark.parametrize(("trace", "grows"), [(LOSSY, True), (FULL, False)])
def test_the_buffer_moves_against_the_error(trace: Interval, grows: bool) -> None:
    _, limits = after([trace] * 20)
    assert (limits[-1] > START_BYTES) == grows
    assert limits[-1] != START_BYTES


def test_a_starved_link_that_drops_grows_by_its_utilization_branch() -> None:
    state = POLICY.start(START_BYTES)
    for each in [*[STARVED] * 5, STARVED_DROPPING] * 5:
        state, decision = POLICY.step(state, each)
    assert decision.limit_bytes > START_BYTES
    assert decision.binding is Binding.UTILIZATION


def test_a_mark_is_no_loss_but_ends_the_wait_of_idle_time_as_a_drop_does() -> None:
    marked = replace(FULL, marked_bytes=3_000)
    assert after([marked] * 20)[1] == after([FULL] * 20)[1]
    starved = [*[STARVED] * 5, replace(STARVED, marked_bytes=100)] * 5
    dropping = [*[STARVED] * 5, STARVED_DROPPING] * 5
    assert after(starved)[1] == pytest.approx(after(dropping)[1], rel=0.01)


def test_idle_time_waits_for_a_drop() -> None:
    _, limits = after([STARVED] * 5)
    assert max(limits) <= START_BYTES


@given(st.integers(1, 60), st.sampled_from([0.1, 0.4]))
def test_a_pause_of_all_sources_moves_the_limit_by_a_bounded_share(
    silent_intervals: int, idle: float
) -> None:
    silence = [interval(idle=1.0, offered=0.0)] * (10 * silent_intervals)
    steady, before = after_steady()
    _, limits = went_on(steady, [*silence, interval(idle=idle, dropped_bytes=3_000)])
    assert limits[-1] <= 1.3 * before[-1]


@given(st.integers(0, 500))
def test_a_queue_that_stands_and_does_not_move_tells_nothing(standing_intervals: int) -> None:
    """But for the drain time in which it may still move; the link was down for up to 10 s."""
    standing = Interval(INTERVAL_S, 0, 0, 0, idle_s=0.0)
    steady, before = after_steady()
    _, limits = went_on(steady, [standing] * standing_intervals)
    assert [*before, *limits][-1] >= 0.95 * before[-1]
    assert max(limits, default=0) <= before[-1]


def test_a_limit_stays_while_windows_recover_that_left_the_link_idle_for_long() -> None:
    """A sawtooth far longer than those before: idle for 20 s, less and less, then busy for 30 s."""
    fading = [interval(idle=0.4 * (1 - tick / 1_000)) for tick in range(1_000)]
    _, before = after([*STEADY, *fading])
    _, limits = after([*STEADY, *fading, *[FULL] * 1_500])
    assert limits[-1] == before[-1]
    _, limits = after([*STEADY, *fading, *[FULL] * 3_000])
    assert limits[-1] < before[-1] / 2


def test_errors_at_the_target_leave_the_limit_where_it_is() -> None:
    """Loss of exactly 2 %, in every fiftieth packet or in bursts of an interval."""
    for burst_intervals in (1, 10, 50):
        lost_bytes = round(0.02 * INTERVAL_BYTES * burst_intervals)
        burst = Interval(INTERVAL_S, INTERVAL_BYTES - lost_bytes, lost_bytes, INTERVAL_BYTES, 0.0)
        period = [*[FULL] * (burst_intervals - 1), burst]
        _, limits = after(period * (3_000 // burst_intervals))
        halves = limits[1_000:2_000], limits[2_000:]
        early, late = (sum(half) / len(half) for half in halves)
        assert late == pytest.approx(early, rel=0.03)


def test_loss_is_of_all_bytes_and_no_mean_over_intervals() -> None:
    """Full intervals lose much and light ones little, together 20 %, behind a short queue."""
    policy = Abs(CAPACITY_BPS, Targets(0.75, 0.2, None, 3_000, 750_000))
    full = Interval(INTERVAL_S, 27_750, 9_750, INTERVAL_BYTES)
    light = Interval(INTERVAL_S, 12_250, 250, INTERVAL_BYTES)
    _, limits = after([full, light] * 1_500, policy, limit_bytes=10_000)
    assert limits[-1] == pytest.approx(10_000, rel=0.1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_a_link_without_drops_never_grows(idle: list[float]) -> None:
    _, limits = after([interval(idle=share) for share in idle])
    assert all(later <= earlier for earlier, later in pairwise(limits))


def test_a_link_that_idles_without_drops_ends_at_the_smallest_buffer_and_says_why() -> None:
    state = POLICY.start(750_000)
    for _ in range(6_000):
        state, decision = POLICY.step(state, STARVED)
    assert decision.limit_bytes == TARGETS.min_limit_bytes
    assert decision.binding is Binding.MIN_LIMIT
    assert decision.unreachable.startswith("utilization 98.0%: the sources leave the link idle")
    assert "40%" in decision.unreachable


def test_after_drops_a_limit_falls_as_the_time_without_them_grows() -> None:
    busy = [*[FULL] * 9, STARVED_DROPPING] * 40
    _, limits = after([*busy, *[STARVED] * 4_000])
    since = limits[len(busy) :]
    assert since[1_999] < since[0]
    assert since[3_999] == pytest.approx(since[1_999] / 2, rel=0.1)


def test_what_was_unreachable_is_reachable_again_when_the_link_gets_busy() -> None:
    state, _ = after([STARVED] * 3_000)
    assert state.dependence.is_own
    for _ in range(50):
        state, decision = POLICY.step(state, LOSSY)
    assert decision.unreachable == ""


def test_a_loss_that_the_largest_limit_does_not_prevent_is_said() -> None:
    state = POLICY.start(TARGETS.max_limit_bytes)
    for _ in range(500):
        state, decision = POLICY.step(state, LOSSY)
    assert decision.binding is Binding.MAX_LIMIT
    assert decision.unreachable.startswith("loss 2.00%")


def test_the_slow_starts_of_many_flows_are_left_behind_soon_after_their_end() -> None:
    """15 % of loss for 40 s, then what 3 MB hold at the target: a burst every two drain times."""
    capacity_bps, optimum_bytes, end_s = 60e6, 3_000_000, 40.0
    interval_bytes = round(capacity_bps * INTERVAL_S / 8)
    policy = Abs(capacity_bps, Targets(0.9, 0.02, None, 3_000, 100_000_000))
    state, limit_bytes, time_s = policy.start(optimum_bytes // 10), optimum_bytes // 10, 0.0
    lost_bytes = since_burst_s = 0.0
    while time_s < end_s + 25:
        time_s, since_burst_s = time_s + INTERVAL_S, since_burst_s + INTERVAL_S
        held = 0.02 * (optimum_bytes / limit_bytes) ** 2
        lost_bytes += (0.15 if time_s < end_s else min(0.2, held)) * interval_bytes
        dropped_bytes = 0
        if since_burst_s >= 2 * 8 * limit_bytes / capacity_bps:
            dropped_bytes, lost_bytes, since_burst_s = round(lost_bytes), 0.0, 0.0
        sent = Interval(INTERVAL_S, interval_bytes, dropped_bytes, interval_bytes, idle_s=0.0)
        state, decision = policy.step(state, sent)
        limit_bytes = decision.limit_bytes
    assert limit_bytes == pytest.approx(optimum_bytes, rel=0.3)


def test_a_silent_link_keeps_its_buffer() -> None:
    bound_by_utilization = [*[STARVED] * 5, STARVED_DROPPING] * 20
    silence = [interval(idle=1.0, offered=0.0)] * 2_000
    _, limits = after([*bound_by_utilization, *[FULL] * 200, *silence])
    # What the full link has shown is still applied in the first 2 s.
    assert limits[-1] == limits[-1_900]


@pytest.mark.parametrize("night_s", [1.0, 10.0, 30_000.0])
def test_a_night_without_traffic_does_not_slow_the_law(night_s: float) -> None:
    morning = [LOSSY, *[FULL] * 600]
    _, usual = after(morning, limit_bytes=TARGETS.max_limit_bytes)
    _, limits = after([night(night_s), *morning], limit_bytes=TARGETS.max_limit_bytes)
    assert usual[-1] < TARGETS.max_limit_bytes / 3
    assert limits[-1] < 1.3 * usual[-1]


def test_a_night_between_sawteeth_belongs_to_no_drop_event() -> None:
    sawteeth = [*[FULL] * 9, interval(idle=0.3, dropped_bytes=1_000)] * 60
    usual, _ = after([*sawteeth, *sawteeth[:10]])
    state, _ = after([*sawteeth, night(30_000.0), *sawteeth[:10]])
    assert state.idle_errors.typical == pytest.approx(usual.idle_errors.typical, rel=0.1)


def test_the_branch_that_does_not_bind_follows_the_limit() -> None:
    state, limits = after([LOSSY] * 200)
    assert math.exp(state.utilization.level) == pytest.approx(0.75 * limits[-1], rel=0.05)


@pytest.mark.parametrize("capacity_bps", [2e6, 1e9, 100e9])
def test_the_law_is_free_of_scale(capacity_bps: float) -> None:
    """The same trace in drain time moves the limit alike at every rate."""
    rng = random.Random(2)
    shares = [(rng.random() ** 4, rng.random() * 0.2 * (rng.random() < 0.2)) for _ in range(3_000)]

    def drain_times_s(rate_bps: float) -> list[float]:
        scale = rate_bps / 8
        targets = Targets(0.98, 0.02, None, round(0.002 * scale), round(2 * scale))
        policy = Abs(rate_bps, targets)
        state = policy.start(round(0.1 * scale))
        result = []
        for idle, lost in shares:
            sent, dropped = (round(INTERVAL_S * share * scale) for share in (1 - idle, lost))
            each = Interval(INTERVAL_S, sent, dropped, sent, idle_s=INTERVAL_S * idle)
            state, decision = policy.step(state, each)
            result.append(decision.limit_bytes / scale)
        return result

    assert drain_times_s(capacity_bps) == pytest.approx(drain_times_s(100e6), rel=0.05)


@pytest.mark.parametrize("parts", [2, 5])
def test_shorter_intervals_say_the_same(parts: int) -> None:
    steady = [*[FULL] * 9, interval(idle=0.3, dropped_bytes=1_000)] * 300
    split = [
        Interval(
            each.duration_s / parts,
            each.admitted_bytes // parts,
            each.dropped_bytes // parts,
            each.departed_bytes // parts,
            idle_s=(each.idle_s or 0.0) / parts,
        )
        for each in steady
        for _ in range(parts)
    ]
    _, limits = after(steady)
    _, split_limits = after(split)
    # The first drops, which count most, are answered an interval of each length later.
    assert split_limits[-1] == pytest.approx(limits[-1], rel=0.15)
