"""Gain training: agreement raises a gain, oscillation lowers it, bounds show nothing."""

import math
from itertools import cycle, islice

import pytest
from p4abs.policies.abs_first.training import SHRINKING_PER_PERIOD, Course, Training

TRAINING = Training(swing=0.1, memory_s=5.0, highest_gain=1.0)
LEVEL = math.log(0.05)
INTERVAL_S = 0.02


def trained(
    errors: list[float], gain: float, *, free: bool = True, step: float | None = None
) -> float:
    """The gain after relative errors of one interval each, the level moving with them."""
    level, course = LEVEL, Course(LEVEL, LEVEL)
    for error in errors:
        level += (gain if step is None else step) * error * INTERVAL_S
        gain, course = TRAINING.trained(
            gain, course, level, error * INTERVAL_S, INTERVAL_S, free=free
        )
    return gain


@pytest.mark.parametrize("error", [-1.0, 2.0])
def test_errors_that_agree_raise_the_gain_a_hundredfold_within_seconds(error: float) -> None:
    assert trained([error] * 400, 0.003) > 0.3


def test_errors_that_cancel_leave_the_gain() -> None:
    errors = list(islice(cycle([1.0, -1.0]), 2_000))
    assert trained(errors, 0.1) == pytest.approx(0.1, rel=0.2)


def test_long_swings_lower_the_gain() -> None:
    second = round(1 / INTERVAL_S)
    errors = ([1.0] * second + [-1.0] * second) * 20
    assert trained(errors, 0.5, step=0.5) < 0.25


def test_a_level_at_its_bound_does_not_raise_the_gain() -> None:
    assert trained([-1.0] * 1_000, 0.1, free=False) == 0.1


def test_the_gain_never_exceeds_its_bound() -> None:
    assert trained([1.0] * 5_000, 0.9) == 1.0


def test_a_gain_does_not_follow_noise_of_a_known_period() -> None:
    course = Course(LEVEL, LEVEL)
    for period_s in (5.0, 20.0):
        gain, _ = TRAINING.trained(
            1.0, course, LEVEL, 0.0, INTERVAL_S, free=True, period_s=period_s
        )
        assert gain == pytest.approx(SHRINKING_PER_PERIOD / period_s)
