"""Means over random seeds and their confidence intervals."""

import random

import pytest
from p4abs_experiments.experiment.estimate import Estimate, estimate


def test_the_interval_of_five_runs_is_student_s() -> None:
    found = estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found.mean == 3
    assert found.half_width == pytest.approx(2.776 * 2.5**0.5 / 5**0.5)


def test_one_run_has_no_interval() -> None:
    assert estimate([7.0]) == Estimate(7.0, None)
    assert estimate([7.0]).high == estimate([7.0]).low == 7.0


@pytest.mark.parametrize("runs", [2, 3, 5, 12, 40])
def test_nineteen_of_twenty_intervals_hold_the_true_mean(runs: int) -> None:
    draw = random.Random(runs)
    found = [estimate([draw.gauss(10.0, 3.0) for _ in range(runs)]) for _ in range(4000)]
    held = sum(each.low <= 10.0 <= each.high for each in found) / len(found)
    assert held == pytest.approx(0.95, abs=0.012)


def test_an_interval_scales_with_its_mean() -> None:
    assert Estimate(0.98, 0.002).over(0.98).high == pytest.approx(1 + 0.002 / 0.98)
