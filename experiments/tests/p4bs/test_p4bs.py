"""P4BS in closed loop with a plant whose loss and delay are functions of the limit."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from p4abs.measurements import Interval
from p4abs.policies import Binding, InvalidParameter, Targets, create
from p4abs_experiments.p4bs import P4bs, P4bsState
from p4abs_experiments.p4bs.law import Trying
from p4abs_experiments.p4bs.search import STEP

CAPACITY_BPS = 20e6
BYTES_PER_S = CAPACITY_BPS / 8
INTERVAL_S = 0.02
TARGETS = Targets(0.98, 0.02, None, 3_000, 25_000_000)
N_FLOWS, RTT_S = 16, 0.04
LAW = P4bs(CAPACITY_BPS, TARGETS, N_FLOWS, RTT_S)

DEFAULT, PIPE, MIN = 50_000, 100_000, 25_000
"""20 ms, R C and R C / sqrt(N)."""
LONGEST = 500_000


@dataclass(frozen=True)
class Plant:
    """Loss p* ((R + b0) / (R + b))^2 under a limit of b seconds, and a queue that is 80 % full."""

    two_per_cent_s: float
    idle_share: float = 0.0

    def loss(self, limit_bytes: float) -> float:
        ratio = (RTT_S + self.two_per_cent_s) / (RTT_S + limit_bytes / BYTES_PER_S)
        return min(0.5, 0.02 * ratio**2)

    def objective(self, limit_bytes: float, law: P4bs = LAW) -> float:
        return law.objective(self.loss(limit_bytes), 0.8 * limit_bytes / BYTES_PER_S)

    def interval(self, limit_bytes: int) -> Interval:
        sent = round((1 - self.idle_share) * INTERVAL_S * BYTES_PER_S)
        dropped = round(sent * self.loss(limit_bytes) / (1 - self.loss(limit_bytes)))
        backlog = round(0.8 * limit_bytes)
        idle_s = self.idle_share * INTERVAL_S
        return Interval(INTERVAL_S, sent, dropped, sent, idle_s, backlog, backlog)


def run(
    law: P4bs, plant: Plant, seconds: float, state: P4bsState | None = None
) -> Iterator[P4bsState]:
    """The state after every interval."""
    state = law.start(DEFAULT) if state is None else state
    for _ in range(round(seconds / INTERVAL_S)):
        state, _ = law.step(state, plant.interval(state.limit_bytes))
        yield state


def limits(law: P4bs, plant: Plant, seconds: float, state: P4bsState | None = None) -> list[int]:
    """Each limit once, in the order in which they were in force."""
    all_limits = [each.limit_bytes for each in run(law, plant, seconds, state)]
    return [all_limits[0], *(after for before, after in pairwise(all_limits) if after != before)]


def last(states: Iterator[P4bsState]) -> P4bsState:
    *_, state = states
    return state


VERY_LITTLE, LITTLE, SOME, MORE, MUCH = map(Plant, (-0.025, 0.0, 0.02, 0.032, 0.08))
"""At the default limit 0.1, 0.9, 2, 2.9 and 8 % of loss."""


def test_loss_and_delay_count_by_their_weights() -> None:
    assert LAW.objective(loss=0.05, delay_s=0.0) == pytest.approx(0.5)
    assert LAW.objective(loss=0.0, delay_s=0.2) == pytest.approx(0.5)
    heavy = replace(LAW, loss_weight=0.9)
    assert heavy.objective(loss=0.01, delay_s=0.1) == pytest.approx(0.9 * 0.2 + 0.1 * 0.5)


def test_a_link_that_is_not_full_has_20_ms_whatever_it_had_before() -> None:
    assert limits(LAW, Plant(0.08, idle_share=0.05), 10, LAW.start(700_000)) == [DEFAULT]


def test_little_loss_is_searched_from_the_square_root_rule_to_the_pipe() -> None:
    tried = limits(replace(LAW, most_trials=20), VERY_LITTLE, 60)[1:]
    assert tried[0] == MIN
    assert min(tried) == MIN
    assert PIPE - 2 * STEP * LONGEST < max(tried) < PIPE


def test_much_loss_is_searched_from_the_pipe_to_half_of_the_longest() -> None:
    tried = limits(replace(LAW, most_trials=20), MUCH, 60)[1:]
    assert tried[0] == PIPE
    assert min(tried) == PIPE
    assert LONGEST / 2 - 2 * STEP * LONGEST < max(tried) < LONGEST / 2


def test_the_range_doubles_from_the_pipe_until_little_is_lost() -> None:
    assert LITTLE.loss(PIPE) > 0.0025 > LITTLE.loss(2 * PIPE)
    assert limits(LAW, LITTLE, 30)[:3] == [DEFAULT, 2 * PIPE, MIN]
    assert limits(LAW, SOME, 30)[:4] == [DEFAULT, 2 * PIPE, 4 * PIPE, MIN]
    assert limits(LAW, MORE, 30)[:5] == [DEFAULT, 2 * PIPE, 4 * PIPE, LONGEST, MIN]


@pytest.mark.parametrize(
    ("plant", "highest"),
    [(VERY_LITTLE, PIPE), (LITTLE, 2 * PIPE), (SOME, 4 * PIPE), (MORE, LONGEST)],
)
@pytest.mark.parametrize("loss_weight", [0.3, 0.5, 0.9])
def test_enough_trials_find_the_least_objective_of_the_range(
    plant: Plant, highest: int, loss_weight: float
) -> None:
    law = replace(LAW, loss_weight=loss_weight, most_trials=60)
    kept = last(run(law, plant, 250)).limit_bytes
    minimum = min(plant.objective(limit, law) for limit in range(MIN, highest, 500))
    assert plant.objective(kept, law) <= minimum + 0.002


@pytest.mark.parametrize("most_trials", [1, 4, 7])
def test_no_more_is_tried_than_is_allowed_and_the_best_is_kept(most_trials: int) -> None:
    law = replace(LAW, most_trials=most_trials)
    *tried, kept = limits(law, MUCH, 60)[1:]
    tried = tried or [kept]
    assert len(tried) <= most_trials
    assert MUCH.objective(kept) == min(MUCH.objective(each) for each in (*tried, kept))


def test_a_longer_queue_is_given_longer_to_settle() -> None:
    """1 s at 10 ms, 3.5 s at 200 ms, and half a second of measurement."""
    for plant, tried, settle_s in ((LITTLE, MIN, 1.0), (MUCH, PIPE, 1 + 2.5 * 30 / 190)):
        states = [each for each in run(LAW, plant, 10) if each.limit_bytes == tried]
        assert len(states) * INTERVAL_S == pytest.approx(settle_s + 0.5, abs=INTERVAL_S)


def test_a_trial_counts_what_comes_after_it_has_settled() -> None:
    """A drop long before the end of a trial is not seen, one in its last half second is."""

    def kept(noisy_from_s: float, noisy_to_s: float) -> int:
        state, now_s, tried_since_s = LAW.start(DEFAULT), 0.0, math.inf
        for _ in range(1000):
            before = state.limit_bytes
            interval = VERY_LITTLE.interval(before)
            age_s = now_s - tried_since_s
            if before == MIN and noisy_from_s <= age_s < noisy_to_s:
                interval = replace(interval, dropped_bytes=interval.admitted_bytes)
            state, _ = LAW.step(state, interval)
            now_s += INTERVAL_S
            if state.limit_bytes != before and state.limit_bytes == MIN:
                tried_since_s = now_s
        return state.limit_bytes

    assert kept(0.0, 0.9) == MIN
    assert kept(1.1, 1.2) != MIN


def test_steady_traffic_keeps_its_limit() -> None:
    found = last(run(LAW, SOME, 30))
    assert limits(LAW, SOME, 200, found) == [found.limit_bytes]


def test_other_traffic_is_searched_again() -> None:
    found = last(run(LAW, LITTLE, 90))
    again = limits(LAW, MUCH, 60, found)
    assert again[:2] == [found.limit_bytes, PIPE]
    assert LONGEST / 2 > again[-1] > PIPE


def test_a_link_that_is_no_longer_full_gets_20_ms_again() -> None:
    found = last(run(LAW, MUCH, 30))
    assert found.limit_bytes > DEFAULT
    assert limits(LAW, Plant(0.08, idle_share=0.03), 3, found)[-1] == DEFAULT


def test_a_backlog_that_is_not_measured_is_that_of_a_full_queue() -> None:
    def unmeasured(interval: Interval, limit_bytes: int, known: bool) -> Interval:
        backlog = limit_bytes if known else None
        return replace(interval, least_backlog_bytes=backlog, greatest_backlog_bytes=backlog)

    ends = []
    for known in (True, False):
        state = LAW.start(DEFAULT)
        for _ in range(1500):
            interval = unmeasured(SOME.interval(state.limit_bytes), state.limit_bytes, known)
            state, _ = LAW.step(state, interval)
        ends.append(state)
    assert ends[0] == ends[1]


def test_a_search_stays_within_the_port_s_bounds() -> None:
    targets = Targets(0.98, 0.02, 0.06, 40_000, 25_000_000)
    states = list(run(replace(LAW, targets=targets, most_trials=20), SOME, 60))
    assert {each.limit_bytes for each in states} >= {40_000, 150_000}
    searched = [each.wanted_share for each in states if isinstance(each.phase, Trying)]
    assert min(searched) * LONGEST >= 40_000
    assert max(searched) * LONGEST <= 150_000


def test_a_range_without_room_is_one_limit() -> None:
    targets = Targets(0.98, 0.02, None, 60_000, 60_000)
    assert limits(replace(LAW, targets=targets), SOME, 30) == [60_000]


@given(st.lists(st.integers(0, 20_000), min_size=1, max_size=40))
@settings(max_examples=30)
def test_a_search_takes_no_more_memory_than_is_left(left: list[int]) -> None:
    state = LAW.start(DEFAULT)
    for number in range(600):
        before, left_bytes = state.limit_bytes, left[number % len(left)]
        state, decision = LAW.step(state, SOME.interval(before), left_bytes)
        assert decision.limit_bytes <= before + left_bytes


def test_neither_target_binds_between_the_bounds() -> None:
    _, decision = LAW.step(LAW.start(DEFAULT), SOME.interval(DEFAULT))
    assert decision.binding is Binding.FIXED


@pytest.mark.parametrize("change", [{"utilization": 0.5}, {"loss": 0.3}])
def test_the_targets_are_nothing_to_it(change: dict[str, float]) -> None:
    other = replace(LAW, targets=replace(TARGETS, **change))
    assert limits(other, SOME, 30) == limits(LAW, SOME, 30)


def test_it_is_registered_with_the_policies() -> None:
    assert create("p4bs", CAPACITY_BPS, TARGETS, n_flows=N_FLOWS, mean_rtt_s=RTT_S) == LAW


@pytest.mark.parametrize("absurd", [{"loss_weight": 1.01}, {"most_trials": 0}, {"n_flows": 0.5}])
def test_absurd_parameters_are_refused(absurd: dict[str, float]) -> None:
    told: dict[str, float] = {"n_flows": N_FLOWS, "mean_rtt_s": RTT_S, **absurd}
    with pytest.raises(InvalidParameter, match="p4bs"):
        create("p4bs", CAPACITY_BPS, TARGETS, **told)
