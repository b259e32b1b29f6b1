"""Compliance, error budget and burn rate, beside a count of all outcomes."""

from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.agreements import AgreementState, Terms, step
from p4abs.measurements import Interval

Outcome = Enum("Outcome", "KEPT FAILED VOID")
WINDOW_S = 2.0
# What arrives in a window of each outcome, with at most a tenth lost.
INTERVALS = {
    Outcome.KEPT: Interval(WINDOW_S, 100, 0, 100),
    Outcome.FAILED: Interval(WINDOW_S, 50, 50, 50),
    Outcome.VOID: Interval(WINDOW_S, 0, 0, 0),
}
OUTCOMES = st.lists(st.sampled_from(list(Outcome)), max_size=120)


def terms_of(windows: int, objective: float) -> Terms:
    return Terms(
        "gold",
        loss=0.1,
        window_s=WINDOW_S,
        period_s=windows * WINDOW_S,
        objective=objective,
    )


def states(terms: Terms, outcomes) -> list[AgreementState]:
    """One after each window."""
    state, seen = AgreementState(), []
    for outcome in outcomes:
        state = step(terms, state, INTERVALS[outcome], None, None)
        seen.append(state)
    return seen


@given(OUTCOMES, st.integers(1, 60), st.floats(0.5, 0.999))
def test_shares_are_those_of_the_last_period(outcomes, windows, objective) -> None:
    terms = terms_of(windows, objective)
    for index, state in enumerate(states(terms, outcomes), 1):
        period = outcomes[:index][-windows:]
        recent = period[-max(1, round(windows / 12)) :]
        failed = period.count(Outcome.FAILED)
        judged = failed + period.count(Outcome.KEPT)
        standing = state.standing
        assert standing.compliance == (1 - failed / judged if judged else None)
        assert standing.error_budget == pytest.approx(1 - failed / ((1 - objective) * windows))
        rate = recent.count(Outcome.FAILED) / max(1, round(windows / 12))
        assert standing.burn_rate == pytest.approx(rate / (1 - objective))
        assert standing.failed == outcomes[:index].count(Outcome.FAILED)
        assert standing.judged == index - outcomes[:index].count(Outcome.VOID)


@given(OUTCOMES, st.integers(1, 60), st.floats(0.5, 0.999))
def test_a_breach_is_counted_once_until_half_of_the_budget_is_back(
    outcomes, windows, objective
) -> None:
    terms = terms_of(windows, objective)
    is_broken, breaches = False, 0
    for state in states(terms, outcomes):
        budget = state.standing.error_budget
        if budget < 0 and not is_broken:
            is_broken, breaches = True, breaches + 1
        elif budget >= 0.5:
            is_broken = False
        assert (state.standing.is_broken, state.standing.breaches) == (is_broken, breaches)


def test_an_agreement_on_the_edge_is_not_broken_anew_by_every_window() -> None:
    # Ten of twenty may fail: broken by the eleventh, kept again when five are left.
    terms = terms_of(20, 0.5)
    outcomes = [Outcome.FAILED] * 11 + [Outcome.KEPT] * 15
    broken = [state.standing.is_broken for state in states(terms, outcomes)]
    assert broken == [False] * 10 + [True] * 15 + [False]


@given(OUTCOMES, st.integers(1, 60))
def test_the_state_holds_no_more_than_a_period(outcomes, windows) -> None:
    for state in states(terms_of(windows, 0.9), outcomes):
        assert max(state.judged_bits, state.failed_bits).bit_length() <= windows
        assert state.failed_bits & ~state.judged_bits == 0


def test_a_burn_rate_of_one_uses_the_budget_up_in_a_period() -> None:
    terms = terms_of(120, 0.9)
    outcomes = [Outcome.FAILED if window % 10 == 0 else Outcome.KEPT for window in range(120)]
    last = states(terms, outcomes)[-1].standing
    assert last.burn_rate == pytest.approx(1)
    assert last.error_budget == pytest.approx(0)
    assert last.breaches == 0


def test_nothing_judged_is_no_compliance_and_breaks_nothing() -> None:
    last = states(terms_of(10, 0.9), [Outcome.VOID] * 20)[-1].standing
    assert (last.compliance, last.overall_compliance) == (None, None)
    assert (last.error_budget, last.burn_rate, last.is_broken) == (1.0, 0.0, False)


def test_the_last_reason_stays_until_another_window_fails() -> None:
    last = states(terms_of(10, 0.9), [Outcome.FAILED, Outcome.KEPT, Outcome.VOID])[-1]
    assert last.standing.reason == "loss 50.00% above 10.00%"
    assert last.standing.overall_compliance == 0.5
