"""One window of an agreement: what is kept, what fails, what is not judged."""

from enum import Enum
from math import ceil
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.agreements import AgreementError, AgreementState, Terms, step
from p4abs.agreements.window import Window
from p4abs.measurements import Interval

Outcome = Enum("Outcome", "KEPT FAILED VOID")
BYTES = st.integers(0, 100_000)
MEASURED = st.lists(
    st.tuples(
        st.builds(Interval, st.floats(0.01, 0.1), BYTES, BYTES, BYTES),
        st.none() | st.floats(0, 1),
        st.none() | st.floats(0, 0.02),
    ),
    min_size=1,
    max_size=20,
)


def window_of(terms: Terms, measured) -> Window:
    window = Window()
    for interval, utilization, delay_s in measured:
        window = window.plus(terms, interval, utilization, delay_s)
    return window


def outcome(terms: Terms, *measured) -> Outcome:
    reason = window_of(terms, measured).judge(terms)
    if reason is None:
        return Outcome.VOID
    return Outcome.FAILED if reason else Outcome.KEPT


@given(MEASURED, st.floats(0.01, 0.99))
def test_loss_is_of_all_bytes_of_a_window(measured, loss) -> None:
    offered = sum(interval.offered_bytes for interval, _, _ in measured)
    dropped = sum(interval.dropped_bytes for interval, _, _ in measured)
    expected = Outcome.VOID
    if offered:
        expected = Outcome.FAILED if dropped / offered > loss else Outcome.KEPT
    assert outcome(Terms("gold", loss=loss), *measured) is expected


@given(MEASURED, st.floats(0.01, 0.99))
def test_utilization_is_of_the_time_in_which_it_is_known(measured, minimum) -> None:
    known = [(i.duration_s, u) for i, u, _ in measured if u is not None]
    expected = Outcome.VOID
    if known and any(interval.offered_bytes for interval, _, _ in measured):
        mean = sum(s * u for s, u in known) / sum(s for s, _ in known)
        expected = Outcome.KEPT if mean >= minimum else Outcome.FAILED
    assert outcome(Terms("gold", utilization=minimum), *measured) is expected


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 20)), min_size=1, max_size=30),
    st.sampled_from([50, 75, 90, 95, 99]),
)
def test_the_delay_at_a_percentile_is_that_of_the_bytes_by_nearest_rank(weighed, percent) -> None:
    delays_ms = sorted(delay for count, delay in weighed for _ in range(count))
    at_percentile_ms = delays_ms[ceil(len(delays_ms) * percent / 100) - 1]
    for limit_ms in {1, at_percentile_ms, at_percentile_ms - 1} - {0, -1}:
        terms = Terms("gold", delay_s=limit_ms / 1e3, percentile=percent)
        measured = [(Interval(0.02, count, 0, 0), None, delay / 1e3) for count, delay in weighed]
        kept = at_percentile_ms <= limit_ms
        assert outcome(terms, *measured) is (Outcome.KEPT if kept else Outcome.FAILED)


@given(MEASURED, st.integers(0, 2**32))
def test_the_order_of_a_windows_intervals_does_not_matter(measured, seed) -> None:
    terms = Terms("gold", utilization=0.9, loss=0.02, delay_s=0.005)
    mixed = measured.copy()
    Random(seed).shuffle(mixed)
    assert window_of(terms, mixed) == pytest.approx(window_of(terms, measured))


def test_a_reason_names_all_that_was_not_as_promised() -> None:
    terms = Terms("gold", utilization=0.95, loss=0.001, delay_s=0.005, percentile=99.0)
    late = (Interval(10.0, 90_000, 10_000, 90_000), 0.9, 0.006)
    assert window_of(terms, [late]).judge(terms) == (
        "utilization 90.00% below 95.00%, loss 10.00% above 0.10%, "
        "delay above 5ms for 100% of the bytes; the agreement allows 1%"
    )


@pytest.mark.parametrize("percentile", [50.0, 75.0, 90.0, 95.0, 99.0, 99.9])
def test_the_share_of_late_bytes_that_is_agreed_is_kept(percentile) -> None:
    terms = Terms("gold", delay_s=0.005, percentile=percentile)
    late = round((100 - percentile) * 100)
    soon, later = Interval(5.0, 10_000 - late, 0, 0), Interval(5.0, late, 0, 0)
    assert outcome(terms, (soon, None, 0.005), (later, None, 0.006)) is Outcome.KEPT
    more = Interval(5.0, late + 1, 0, 0)
    assert outcome(terms, (soon, None, 0.005), (more, None, 0.006)) is Outcome.FAILED


def test_what_does_not_bind_is_not_judged() -> None:
    busy = (Interval(10.0, 90_000, 10_000, 90_000), 0.9, 0.006)
    nothing = (Interval(10.0, 0, 0, 0), 0.0, 0.0)
    assert outcome(Terms("gold", loss=0.001, void_above=0.89), busy) is Outcome.VOID
    assert outcome(Terms("gold", loss=0.001, void_above=0.9), busy) is Outcome.FAILED
    assert outcome(Terms("gold", loss=0.001, void_above=0.91), busy) is Outcome.FAILED
    assert outcome(Terms("gold", utilization=0.5), nothing) is Outcome.VOID


def test_what_is_not_known_is_no_failure() -> None:
    unknown = (Interval(10.0, 90_000, 0, 90_000), None, None)
    assert outcome(Terms("gold", utilization=0.9, delay_s=0.001), unknown) is Outcome.VOID
    assert outcome(Terms("gold", utilization=0.9, loss=0.02), unknown) is Outcome.KEPT


@given(st.lists(st.floats(0.01, 3.0), min_size=1, max_size=60))
def test_a_window_ends_with_the_interval_that_fills_it(durations_s) -> None:
    terms = Terms("gold", loss=0.5, window_s=2.0, period_s=20.0)
    state, filled_s, windows = AgreementState(), 0.0, 0
    for duration_s in durations_s:
        state = step(terms, state, Interval(duration_s, 1, 0, 1), None, None)
        filled_s += duration_s
        if filled_s >= 2.0:
            filled_s, windows = 0.0, windows + 1
    assert state.standing.judged == windows


def test_a_promise_is_told_in_words() -> None:
    assert Terms("gold", loss=0.001).text == (
        "loss at most 0.1% in 99% of the windows of 10s in 1h"
    )
    all_of_it = Terms("gold", 0.7, 0.02, 0.005, 99.9, void_above=0.9, objective=0.9995)
    assert all_of_it.text == (
        "utilization at least 70%, loss at most 2%, delay at most 5ms for 99.9% of the bytes "
        "in 99.95% of the windows of 10s in 1h, void above utilization 90%"
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"loss": None}, "has no target; give utilization, loss or delay"),
        ({"loss": 1.0}, "loss 1.0: must be above 0 and below 1"),
        ({"objective": 1.0}, "objective 1.0: must be above 0 and below 1"),
        ({"objective": 1 - 1e-13}, "objective 0.9999999999999: too close to 1 for 360 windows"),
        ({"delay_s": 0.0}, "delay must be positive"),
        ({"percentile": 0.0}, "percentile 0: must be above 0 and below 100"),
        ({"percentile": 100.0}, "percentile 100: must be above 0 and below 100"),
        ({"utilization": 0.7, "void_above": 0.7}, "utilization 0.7: must be below void-above 0.7"),
        ({"utilization": 0.9, "void_above": 0.7}, "utilization 0.9: must be below void-above 0.7"),
        ({"window_s": 0.5}, "window 500ms: must be at least 1s"),
        ({"period_s": 5.0}, "period 5s: must be 1 to 10000 windows of 10s"),
        ({"period_s": 200_000.0}, "period 55.56h: must be 1 to 10000 windows of 10s"),
    ],
)
def test_terms_that_contradict_themselves_are_refused(changes, message) -> None:
    with pytest.raises(AgreementError, match=message) as refused:
        Terms("gold", **{"loss": 0.01, **changes})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"percentile": 1.0},
        {"utilization": 0.7, "void_above": 0.71},
        {"window_s": 1.0},
        {"period_s": 10.0},
        {"period_s": 100_000.0},
    ],
)
def test_terms_at_the_end_of_what_is_valid_are_taken(changes) -> None:
    Terms("gold", **{"loss": 0.01, **changes})
