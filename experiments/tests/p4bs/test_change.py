"""What is a change of the traffic, and what is its noise."""

from p4abs_experiments.p4bs.measurement import SAMPLES, Recent


def after(*objectives: float) -> Recent:
    recent = Recent()
    for objective in objectives:
        recent = recent.after(objective)
    return recent


STEADY = [0.2, 0.3] * SAMPLES
"""Averages between 0.244 and 0.256, with a standard deviation of 0.0056."""


def is_change(recent: Recent, objective: float) -> bool:
    return recent.is_left_by(recent.after(objective))


def test_a_change_is_further_from_the_mean_than_ten_standard_deviations() -> None:
    recent = after(*STEADY)
    newest = recent.averages[-1]
    assert not is_change(recent, newest + (0.25 - newest + 0.054) / 0.2)
    assert is_change(recent, newest + (0.25 - newest + 0.057) / 0.2)
    assert is_change(recent, newest + (0.25 - newest - 0.057) / 0.2)


def test_what_goes_on_as_before_is_none() -> None:
    recent = after(*STEADY)
    assert not any(is_change(recent, objective) for objective in (0.2, 0.3))


def test_without_fifty_samples_nothing_is_one() -> None:
    assert not is_change(after(*[0.2] * (SAMPLES - 1)), 100.0)
    assert is_change(after(*[0.2] * SAMPLES), 100.0)


def test_only_the_latest_fifty_samples_count() -> None:
    assert is_change(after(*[0.2, 0.9] * SAMPLES, *[0.2] * 3 * SAMPLES), 0.3)


def test_a_difference_in_the_fifth_decimal_is_none() -> None:
    assert not is_change(after(*[0.2] * SAMPLES), 0.2004)
