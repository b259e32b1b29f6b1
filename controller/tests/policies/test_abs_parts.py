"""The parts of the law `abs`: drop events, errors, a branch, idling, dependence."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.policies.abs.branch import LARGEST_STEP, Branch, Unit
from p4abs.policies.abs.dependence import (
    LARGEST_GROWTH,
    QUIET_SAWTEETH,
    SHORTEST_HOLD_EVENTS,
    TRIAL_EVENTS,
    Dependence,
)
from p4abs.policies.abs.drop_events import DropEvents
from p4abs.policies.abs.errors import LARGEST_SHARE, MEMORY_EVENTS, SHRINKING, Errors
from p4abs.policies.abs.evidence import MIN_EVIDENCE, WholeEvents
from p4abs.policies.abs.idling import BELIEVED_UNITS, Idling
from p4abs.policies.abs.standstill import Standstill

DRAIN_TIME_S = 0.1
ANYWHERE = (0.0, 100.0)
ONE = Unit(1.0, 1.0)
ALLOWED = 0.02
SHORTEST_SAWTOOTH_S = 1.0


def began(drops: list[bool]) -> list[bool]:
    """Which intervals of 20 ms began a drop event."""
    events, result = DropEvents(), []
    for dropped in drops:
        events = events.after(0.02, dropped=dropped, drain_time_s=DRAIN_TIME_S)
        result.append(events.begins)
    return result


def test_drops_within_a_drain_time_are_one_event() -> None:
    quiet = [False] * 6
    assert began([*quiet, True, False, True, True, False, True]).count(True) == 1
    assert began([*quiet, True, *quiet, True]).count(True) == 2


def test_drops_without_an_end_are_several_events() -> None:
    assert 2 <= began([True] * 100).count(True) <= 4


def errors_of(events: list[tuple[float, float]], unit: float = 1.0) -> Errors:
    """After events of (amount until it began, size)."""
    errors = Errors()
    for amount, size in events:
        errors = errors.after(amount, size, unit, begins=True)
    return errors


@given(st.floats(1e-3, 1e3))
def test_the_typical_size_is_that_of_equal_events(size: float) -> None:
    assert errors_of([(size, size)] * 20).typical == pytest.approx(size)


def test_far_below_the_optimum_an_event_is_worth_the_time_between_events() -> None:
    assert errors_of([(1.0, 50.0)] * 20).typical == pytest.approx(1.0)


def test_one_outlier_among_eight_events_counts_little() -> None:
    assert errors_of([*[(1.0, 1.0)] * 8, (1e6, 100.0)]).typical < 2.0


@pytest.mark.parametrize("at_most", [False, True])
def test_an_expected_size_weighs_as_one_event(at_most: bool) -> None:
    errors = errors_of([(1.0, 1.0)] * 20).expecting(10.0, at_most=at_most)
    assert errors.typical == 10.0
    seen = errors.after(0.0, 0.0, 1.0, begins=True).after(2.5, 2.5, 1.0, begins=True)
    assert seen.typical == pytest.approx(5.0)  # their geometric mean


def expecting(size: float, *, at_most: bool) -> Errors:
    """After one event that belongs to none of those expected."""
    expected = errors_of([(1.0, 1.0)] * 20).expecting(size, at_most=at_most)
    return expected.after(0.0, 0.0, 1.0, begins=True)


@given(st.floats(0.1, 10.0))
def test_a_size_in_doubt_shrinks_to_the_length_of_events_without_one(length: float) -> None:
    errors = expecting(10.0, at_most=True)
    sizes = [errors.typical]
    for _ in range(60):
        errors = errors.after(length, 0.0, 1.0, begins=True)
        sizes.append(errors.typical)
    assert sizes[0] == 10.0
    assert sizes[-1] == pytest.approx(length)
    assert all(after >= SHRINKING * before for before, after in pairwise(sizes))


def test_a_size_in_doubt_stays_where_events_are_longer_and_once_one_has_a_size() -> None:
    expected = expecting(10.0, at_most=True)
    assert expected.after(40.0, 0.0, 1.0, begins=True).typical == 10.0
    sized = expected.after(5.0, 5.0, 1.0, begins=True)
    assert sized.after(0.1, 0.0, 1.0, begins=True).typical == sized.typical


@given(st.lists(st.floats(0.01, 100.0), max_size=20))
def test_a_size_that_is_not_in_doubt_stays_whatever_events_without_one_last(
    lengths: list[float],
) -> None:
    errors = expecting(10.0, at_most=False)
    for length in lengths:
        errors = errors.after(length, 0.0, 1.0, begins=True)
    assert errors.typical == 10.0


def test_what_passed_before_the_first_event_belongs_to_none() -> None:
    events = [(1.0, 1.0), (1.0, 2.0)] * 20
    assert errors_of([(30_000.0, 30_000.0), *events]) == errors_of([(0.0, 0.0), *events])


def test_an_event_that_was_interrupted_belongs_to_none() -> None:
    errors = errors_of([(1.0, 1.0)] * 3)
    again = errors.after(30_000.0, 30_000.0, 1.0, begins=False).interrupted()
    assert again.after(0.0, 0.0, 1.0, begins=True).typical == errors.typical


SLOW_STARTS = [(0.1, 0.1)] * 20


def test_two_events_longer_than_all_that_is_remembered_are_what_is_typical_now() -> None:
    assert errors_of([*SLOW_STARTS, (30.0, 25.0), (30.0, 30.0)]).typical == pytest.approx(25.0)


@pytest.mark.parametrize("events", [[(30.0, 30.0), (0.1, 0.1)], [(0.7, 0.7)] * 2])
def test_one_long_event_or_two_that_are_hardly_longer_begin_nothing_anew(
    events: list[tuple[float, float]],
) -> None:
    errors = errors_of([*SLOW_STARTS, *events])
    assert errors.typical < 0.2
    assert errors.events == MEMORY_EVENTS


@given(st.floats(1.0, 1e6))
def test_an_event_of_any_size_counts_as_a_bounded_multiple_of_the_typical_one(size: float) -> None:
    errors = errors_of([(1.0, 1.0), (1.0, 1.0), (size, size)])
    assert errors.typical == pytest.approx(min(size, LARGEST_SHARE) ** (1 / 2))


def test_a_distance_from_the_target_is_no_noise() -> None:
    """Twice the loss that is allowed, again and again the same."""
    assert errors_of([(1.0, 2.0)] * 100).spread < 0.3


def test_irregular_events_have_a_larger_spread_than_regular_ones() -> None:
    irregular = [(1.0, 4.0), *[(1.0, 0.0)] * 7] * 12
    assert errors_of(irregular).spread > 3 * errors_of([(1.0, 1.0)] * 96).spread


@given(st.lists(st.floats(-1, 50), min_size=1, max_size=100))
def test_units_move_the_limit_by_a_bounded_share_each(errors: list[float]) -> None:
    branch = Branch(50.0)
    for number, error in enumerate(errors, start=1):
        branch = branch.after(0.1, error, Unit(1.0, 1e-9), 1.0, 0.19, ANYWHERE, begins=False)
        assert abs(branch.level - 50.0) <= (1 + 0.1 * number) * LARGEST_STEP + 1e-6


def test_a_burst_is_answered_at_once() -> None:
    branch = Branch(50.0, observed=32.0, events=16.0).after(
        0.01, 2.0, ONE, 1.0, 0.19, ANYWHERE, begins=False
    )
    assert branch.level == pytest.approx(50.0 + math.log1p(2 / 16), abs=1e-3)


@pytest.mark.parametrize("minimum", [0.0, 1.0, 4.0, 100.0])
def test_errors_that_add_up_to_nothing_leave_the_limit_where_it_was(minimum: float) -> None:
    """Bursts, and quiet times that make up for them, in units that grow with the limit."""
    branch, cycles, quiet = Branch(0.0, observed=1e9, events=1e9), 200, 40
    for _ in range(cycles):
        for error in (2.0, *[-2.0 / quiet] * quiet):
            unit = Unit.of(minimum, 4 * math.exp(branch.level))
            branch = branch.after(2.0 / quiet, error, unit, 8.0, 10.0, (-9.0, 9.0), begins=False)
    assert abs(branch.level) < 0.02


def test_the_gain_falls_with_what_was_seen_and_not_below_the_precision() -> None:
    branch, averaged = Branch(50.0), []
    for step in range(400):
        branch = branch.after(0.5, 0.5 if step % 2 else -0.5, ONE, 1.0, 0.2, ANYWHERE, begins=False)
        averaged.append(branch.averaged)
    assert averaged[0] < averaged[10] < averaged[-1]
    assert averaged[-1] == pytest.approx(1.0 / 0.2**2)


@pytest.mark.parametrize("events", [200, 2000])
def test_no_more_events_count_than_answers_can_have_been_seen(events: int) -> None:
    """Slow starts make a limit grow; what was seen before it did is then hardly an answer, however
    long it was seen."""
    branch = Branch(50.0)
    for number in range(events):
        branch = branch.after(1.0, (-1.0) ** number, ONE, 1.0, 0.1, ANYWHERE, begins=False)
    before, hundredfold = branch.averaged, Unit.of(1.0, 100.0)
    after = branch.after(1.0, 0.0, hundredfold, 1.0, 0.1, ANYWHERE, begins=False).averaged
    assert before == pytest.approx(100)
    assert after == pytest.approx(201 / 100)


def test_an_error_that_keeps_its_sign_raises_the_gain() -> None:
    steady = Branch(50.0, observed=56.0, events=28.0)
    branch = steady
    for _ in range(20):
        branch = branch.after(1.0, -0.9, ONE, 1.0, 0.19, ANYWHERE, begins=False)
    assert branch.averaged < steady.events / 2


def falling_after(events: int, error: float, spread: float) -> float:
    """Evidence of a limit too large, of drop events each of which has this error."""
    whole = WholeEvents()
    for _ in range(events):
        whole = whole.after(-1.0, 1.0, spread, begins=False)
        whole = whole.after(1.0 + error, 0.0, spread, begins=True)
    return whole.falling


def test_half_of_the_losses_is_soon_evidence_where_they_are_regular() -> None:
    assert falling_after(10, -0.5, spread=0.1) > MIN_EVIDENCE
    assert falling_after(1000, -0.5, spread=1.0) == 0


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0, 4.0])
def test_losses_at_the_target_are_no_evidence_of_a_limit_too_large(spread: float) -> None:
    assert falling_after(1000, 0.0, spread) == 0


@given(st.floats(1, 100))
def test_a_long_wait_for_a_drop_that_makes_up_for_it_is_no_evidence(due: float) -> None:
    waiting = WholeEvents().after(-due, due, 0.0, begins=False)
    assert waiting.falling == 0
    assert waiting.after(due, 0.0, 0.0, begins=True).falling == 0


def test_evidence_of_whole_events_raises_the_gain() -> None:
    seen = Branch(50.0, observed=56.0, events=28.0)
    convinced = replace(seen, whole_events=WholeEvents(falling=MIN_EVIDENCE + 1))
    averaged = [
        each.after(1.0, 0.0, ONE, 1.0, 0.19, ANYWHERE, begins=False).averaged
        for each in (seen, convinced)
    ]
    assert averaged[1] == pytest.approx(averaged[0] / 2)


def test_a_bound_forgets_what_it_has_refused() -> None:
    branch = Branch(1.0)
    for _ in range(100):
        branch = branch.after(0.1, 10.0, ONE, 1.0, 0.19, (0.0, 2.0), begins=False)
    assert branch.after(0.1, -0.1, ONE, 1.0, 0.19, (0.0, 2.0), begins=False).level < 2.0


@given(st.floats(0, 1e4))
def test_of_one_drop_a_bounded_part_counts_and_as_much_is_carried_over(idle_s: float) -> None:
    _, idling = Idling().after(idle_s, 1.0, dropped=False)
    first_s, idling = idling.after(0.0, 1.0, dropped=True)
    second_s, idling = idling.after(0.0, 1.0, dropped=True)
    assert first_s == min(idle_s, BELIEVED_UNITS)
    assert first_s + second_s == pytest.approx(min(idle_s, 2 * BELIEVED_UNITS))
    assert idling.waiting_s == 0


@given(st.lists(st.tuples(st.floats(-1, 2), st.booleans()), max_size=50))
def test_what_counts_sums_up_to_the_errors(intervals: list[tuple[float, bool]]) -> None:
    idling, counted_s = Idling(), 0.0
    for error_s, dropped in intervals:
        now_s, idling = idling.after(error_s, 1e6, dropped=dropped)
        counted_s += now_s
    total_s = sum(error_s for error_s, _ in intervals)
    assert counted_s + idling.waiting_s == pytest.approx(total_s, abs=1e-6)


def sawtooth(dependence: Dependence, idle: list[float], level: float) -> Dependence:
    """One sawtooth of intervals of 0.1 s with these idle shares, and the drop event after it."""
    for share in idle:
        dependence = dependence.after(0.1, 0.1 * share, ALLOWED, SHORTEST_SAWTOOTH_S)
    return dependence.dropped(ALLOWED, level, SHORTEST_SAWTOOTH_S)


EVEN = [0.3] * 10


def trial(dependence: Dependence, idle: list[float], level: float) -> Dependence:
    """As many sawteeth as are judged together."""
    for _ in range(TRIAL_EVENTS):
        dependence = sawtooth(dependence, idle, level)
    return dependence


def test_a_night_without_traffic_is_no_sawtooth() -> None:
    night = Dependence().after(30_000.0, 30_000.0, ALLOWED, SHORTEST_SAWTOOTH_S)
    morning = night.dropped(ALLOWED, 10.0, SHORTEST_SAWTOOTH_S)
    assert morning.sawtooth_s == LARGEST_GROWTH * SHORTEST_SAWTOOTH_S


def test_a_doubled_limit_without_effect_shows_that_idle_time_is_the_sources_own() -> None:
    dependence = trial(Dependence(), EVEN, 10.0)
    assert not dependence.is_own
    dependence = trial(dependence, EVEN, 10.0 + math.log(2.1))
    assert dependence.is_own
    assert dependence.hold_events == SHORTEST_HOLD_EVENTS
    assert dependence.idle_share == pytest.approx(0.3)


def test_a_doubled_limit_with_an_effect_shows_nothing() -> None:
    dependence = trial(Dependence(), EVEN, 10.0)
    dependence = trial(dependence, [0.2] * 10, 10.0 + math.log(2.1))
    assert not dependence.is_own


def test_a_link_hardly_used_that_carries_half_as_much_again_depends_on_its_limit() -> None:
    dependence = trial(Dependence(), [0.70] * 10, 10.0)
    dependence = trial(dependence, [0.58] * 10, 10.0 + math.log(2.1))
    assert not dependence.is_own


def test_windows_that_grow_excuse_a_doubling() -> None:
    growing = [0.6, 0.5, 0.3, 0.1, *[0.0] * 6]
    dependence = trial(Dependence(), growing, 10.0)
    dependence = trial(dependence, growing, 10.0 + math.log(2.1))
    assert not dependence.is_own


def test_a_link_that_idles_on_without_drops_is_no_bottleneck() -> None:
    dependence = sawtooth(Dependence(), EVEN, 10.0)
    for _ in range(31):
        dependence = dependence.after(0.1, 0.03, ALLOWED, shortest_s=0.1)
    assert dependence.is_own
    assert not sawtooth(dependence, [0.0], 10.0).is_quiet


def test_gaps_between_drops_that_return_are_no_reason_to_give_up_for_long() -> None:
    dependence = sawtooth(Dependence(), EVEN, 10.0)
    for _ in range(50):
        dependence = sawtooth(dependence, EVEN * 12, 10.0)
        assert dependence.hold_events <= SHORTEST_HOLD_EVENTS
        dependence = replace(dependence, sawtooth_s=1.0)
    assert dependence.hold_events > 0


def test_a_drop_after_a_time_without_them_keeps_what_it_has_found() -> None:
    dependence = replace(sawtooth(Dependence(), EVEN, 10.0), next_hold_events=SHORTEST_HOLD_EVENTS)
    dependence = sawtooth(dependence, EVEN * 4, 10.0)
    assert not dependence.is_quiet
    assert dependence.hold_events == SHORTEST_HOLD_EVENTS


@pytest.mark.parametrize("sawteeth", [4.0, 11.0, 100.0])
def test_a_window_that_recovers_costs_what_a_sixth_of_it_takes(sawteeth: float) -> None:
    dependence, level = sawtooth(Dependence(), EVEN, 10.0), 10.0
    dependence = replace(dependence, next_hold_events=SHORTEST_HOLD_EVENTS)
    recovery_s = sawteeth * dependence.sawtooth_s
    for tick in range(round(10 * recovery_s)):
        idle = 0.4 * (1 - 0.1 * tick / recovery_s)
        dependence = dependence.after(0.1, 0.1 * idle, ALLOWED, SHORTEST_SAWTOOTH_S)
        if dependence.is_own:
            level = dependence.lowest_level(level, 0.1)
    assert 10.0 - level <= max(0.0, math.log(sawteeth / 6 / QUIET_SAWTEETH)) + 0.1
    assert not dependence.dropped(ALLOWED, level, SHORTEST_SAWTOOTH_S).is_own


def recovering_s(idle_s: float, share: float) -> float:
    """For how long windows may recover that leave the link idle for `idle_s` after their drop: at
    first for this share of the time, then for less and less."""
    dependence, passed_s = sawtooth(Dependence(), EVEN, 10.0), 0.0
    while passed_s < idle_s or dependence.recovers(ALLOWED):
        idle = share * max(0.0, 1 - passed_s / idle_s)
        passed_s += 0.1
        dependence = dependence.after(0.1, 0.1 * idle, ALLOWED, shortest_s=100.0)
    return passed_s


@pytest.mark.parametrize("idle_s", [2.0, 20.0])
def test_windows_recover_until_they_have_grown_three_times_as_far(idle_s: float) -> None:
    assert recovering_s(idle_s, share=0.5) == pytest.approx(3 * idle_s, rel=0.1)


def test_windows_that_hardly_left_the_link_idle_do_not_recover() -> None:
    assert recovering_s(20.0, share=0.01) == pytest.approx(20.0, rel=0.1)


def test_before_the_first_drop_nothing_recovers() -> None:
    starting = Dependence().after(1.0, 1.0, ALLOWED, SHORTEST_SAWTOOTH_S)
    for _ in range(30):
        starting = starting.after(0.1, 0.01, ALLOWED, SHORTEST_SAWTOOTH_S)
    assert starting.is_quiet
    assert starting.lowest_level(10.0, 0.1) == -math.inf


def test_a_pause_before_a_link_that_idles_on_hides_it_for_a_while_only() -> None:
    dependence = sawtooth(Dependence(), EVEN, 10.0)
    dependence = dependence.after(0.5, 0.5, ALLOWED, SHORTEST_SAWTOOTH_S)
    found_s = 0.5
    while not dependence.is_quiet and found_s < 100:
        found_s += 0.1
        dependence = dependence.after(0.1, 0.02, ALLOWED, SHORTEST_SAWTOOTH_S)
    assert QUIET_SAWTEETH * dependence.sawtooth_s < found_s < 100


def test_a_finding_that_returns_holds_longer_and_ends_where_the_target_is_near() -> None:
    found = replace(Dependence(), hold_events=1, next_hold_events=64)
    level = 10.0
    for _ in range(2):
        found = trial(found, EVEN, level)
        level += math.log(2.1)
    assert found.hold_events == 64
    assert not trial(found, [0.01] * 10, level).is_own


def test_a_queue_that_sends_a_frame_now_and_then_moves() -> None:
    standstill = Standstill()
    for interval in range(1_000):
        standstill = standstill.after(0.02, moves=interval % 5 == 0)
        assert not standstill.has_lasted(DRAIN_TIME_S)


def test_a_queue_that_sends_nothing_in_its_drain_time_stands_until_it_moves() -> None:
    standstill = Standstill()
    for _ in range(6):
        standstill = standstill.after(0.02, moves=False)
    assert standstill.has_lasted(DRAIN_TIME_S)
    assert not standstill.after(0.02, moves=True).has_lasted(DRAIN_TIME_S)


def test_what_was_found_is_forgotten_with_a_start() -> None:
    found = Dependence(hold_events=8.0, next_hold_events=64.0, is_quiet=True, sawtooth_s=0.1)
    assert found.is_own
    begun = found.expecting(30.0)
    assert not begun.is_own
    assert begun == Dependence(sawtooth_s=30.0 / QUIET_SAWTEETH)
