"""Settling and reaching times on synthetic series."""

import math

import numpy as np
import pytest
from p4abs_experiments.experiment.settling import (
    reaching_time_s,
    settling_time_s,
    trailing_mean,
)

TIME_S = np.arange(1001) / 10 + 48.0


def test_an_exponential_approach_settles_when_it_enters_the_band() -> None:
    values = 100.0 + 200.0 * np.exp(-(TIME_S - 48.0) / 5)
    expected_s = 5 * math.log(20)
    assert settling_time_s(TIME_S, values, 100.0, 48.0) == pytest.approx(expected_s, abs=0.11)
    assert reaching_time_s(TIME_S, values, 100.0, 48.0) == pytest.approx(expected_s, abs=0.11)


def test_an_overshoot_reaches_early_and_settles_late() -> None:
    values = 100.0 * (1 - np.exp(-(TIME_S - 48.0) / 5) * np.cos(TIME_S - 48.0))
    reached_s = reaching_time_s(TIME_S, values, 100.0, 48.0)
    assert 0 < reached_s < 2 < settling_time_s(TIME_S, values, 100.0, 48.0) < 12


def test_a_value_that_stays_in_the_band_has_settled_at_once() -> None:
    values = 100.0 + 9.0 * np.sin(TIME_S)
    assert settling_time_s(TIME_S, values, 100.0, 48.0) == 0
    assert reaching_time_s(TIME_S, values, 100.0, 48.0) == 0


def test_a_value_that_ends_outside_has_not_settled() -> None:
    values = np.full(TIME_S.shape, 100.0)
    values[-1] = 120.0
    assert settling_time_s(TIME_S, values, 100.0, 48.0) == math.inf


def test_a_value_that_is_never_inside_is_never_reached() -> None:
    assert reaching_time_s(TIME_S, np.full(TIME_S.shape, 50.0), 100.0, 48.0) == math.inf


@pytest.mark.parametrize("samples", [1, 3, 20])
def test_the_trailing_mean_averages_what_there_is(samples: int) -> None:
    values = np.arange(10.0)
    expected = [values[max(0, end - samples) : end].mean() for end in range(1, 11)]
    assert trailing_mean(values, samples) == pytest.approx(expected)
