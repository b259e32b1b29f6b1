"""DQL's rule: grows by what a starved link missed, shrinks by the slack of a hold time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.measurements import Interval
from p4abs.policies import Targets
from p4abs.policies.dql import Dql

CAPACITY_BPS = 8e6
TARGETS = Targets(0.98, 0.02, None, 1_000, 1_000_000)
RULE = Dql(CAPACITY_BPS, TARGETS)


def busy(least_backlog_bytes: int | None = None, dropped_bytes: int = 0) -> Interval:
    maximum = None if least_backlog_bytes is None else 10**6
    return Interval(0.1, 100_000, dropped_bytes, 100_000, 0.0, least_backlog_bytes, maximum)


def starved(idle_s: float) -> Interval:
    sent = round((0.1 - idle_s) * CAPACITY_BPS / 8)
    return Interval(0.1, sent, 0, sent, idle_s, 0, 10**6)


def last_limit(trace: list[Interval], limit_bytes: int = 50_000) -> int:
    state = RULE.start(limit_bytes)
    for each in trace:
        state, decision = RULE.step(state, each)
    return decision.limit_bytes


def test_a_link_that_starves_after_a_drop_gets_what_it_could_have_sent() -> None:
    assert last_limit([busy(dropped_bytes=600), starved(0.02)]) == 50_000 + 20_000


def test_idle_time_without_a_drop_in_the_hold_time_is_not_the_limit_s_fault() -> None:
    assert last_limit([starved(0.02)]) == 50_000
    assert last_limit([busy(dropped_bytes=600), *[busy(0)] * 11, starved(0.02)]) == 50_000


def test_the_least_backlog_of_a_busy_hold_time_is_taken_away_at_its_end() -> None:
    trace = [busy(9_000), *[busy(4_000)] * 8]
    assert last_limit(trace) == 50_000
    assert last_limit([*trace, busy(12_000)]) == 46_000


def test_idle_time_begins_the_search_for_slack_anew() -> None:
    assert last_limit([*[busy(4_000)] * 9, starved(0.01), *[busy(4_000)] * 9]) == 50_000


def test_a_backlog_that_is_not_measured_is_no_slack() -> None:
    assert last_limit([busy(None)] * 30) == 50_000


def test_where_idle_time_is_not_measured_what_was_not_sent_stands_for_it() -> None:
    unmeasured = Interval(0.1, 80_000, 0, 80_000)
    assert last_limit([busy(dropped_bytes=600), unmeasured]) == 70_000


@given(st.lists(st.tuples(st.floats(0, 0.1), st.integers(0, 10**6), st.integers(0, 10**5))))
def test_the_limit_stays_within_its_bounds(trace: list[tuple[float, int, int]]) -> None:
    state = RULE.start(50_000)
    for idle_s, backlog, dropped in trace:
        each = Interval(0.1, 10, dropped, 10, idle_s, backlog, 10**6)
        state, decision = RULE.step(state, each)
        assert TARGETS.min_limit_bytes <= decision.limit_bytes <= TARGETS.max_limit_bytes


def test_the_hold_time_is_positive() -> None:
    with pytest.raises(Exception, match="slack_hold_s=0: must be positive"):
        Dql(CAPACITY_BPS, TARGETS, 0)
