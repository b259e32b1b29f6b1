"""An agreement as a pure state machine: windows in the data plane's time, no clock.

An agreement is broken when more windows of a period have failed than it allows. It is kept again
when half of the budget is back. Otherwise an agreement at its limit would be broken anew by every
window.
"""

from typing import NamedTuple

from p4abs.agreements.standing import Standing
from p4abs.agreements.terms import Terms
from p4abs.agreements.window import Window
from p4abs.measurements import Interval

_WHOLE_AGAIN = 0.5


class AgreementState(NamedTuple):
    """The window under way, and of each window of the last period whether it was judged and failed.

    Bits of two numbers, the last window's lowest.
    """

    window: Window = Window()
    judged_bits: int = 0
    failed_bits: int = 0
    standing: Standing = Standing()


def step(
    terms: Terms,
    state: AgreementState,
    interval: Interval,
    utilization: float | None,
    queue_delay_s: float | None,
) -> AgreementState:
    """The state after one more interval. None: the utilization or the delay is not known.

    A window ends with the interval that fills it; time without intervals is not judged.
    """
    window = state.window.plus(terms, interval, utilization, queue_delay_s)
    if window.duration_s < terms.window_s:
        return AgreementState(window, *state[1:])
    reason = window.judge(terms)
    period = (1 << terms.windows) - 1
    judged_bits = (state.judged_bits << 1 | (reason is not None)) & period
    failed_bits = (state.failed_bits << 1 | bool(reason)) & period
    standing = _standing(terms, state.standing, reason, judged_bits, failed_bits)
    return AgreementState(Window(), judged_bits, failed_bits, standing)


def _standing(
    terms: Terms, before: Standing, reason: str | None, judged_bits: int, failed_bits: int
) -> Standing:
    judged, failed = judged_bits.bit_count(), failed_bits.bit_count()
    recent = failed_bits & (1 << terms.recent_windows) - 1
    recently_allowed = (1 - terms.objective) * terms.recent_windows
    error_budget = 1 - failed / terms.failures_allowed
    is_broken = error_budget < 0 or (before.is_broken and error_budget < _WHOLE_AGAIN)
    return Standing(
        compliance=1 - failed / judged if judged else None,
        error_budget=error_budget,
        burn_rate=recent.bit_count() / recently_allowed,
        is_broken=is_broken,
        breaches=before.breaches + (is_broken and not before.is_broken),
        judged=before.judged + (reason is not None),
        failed=before.failed + bool(reason),
        reason=reason or before.reason,
    )
