"""The Gaussian process against what is known of it by other ways."""

import math
from random import Random

import pytest
from p4abs_experiments.p4bs.gaussian_process import GaussianProcess, expected_improvement
from p4abs_experiments.p4bs.search import Search, Trial

LENGTH = 0.1


def process(points: list[float], values: list[float], noise: float = 1e-9) -> GaussianProcess:
    return GaussianProcess.of(points, values, LENGTH, noise)


def test_it_passes_through_what_was_observed_without_noise() -> None:
    points, values = [0.0, 0.13, 0.31, 0.5], [0.3, -0.2, 0.1, 0.7]
    known = process(points, values)
    for point, value in zip(points, values, strict=True):
        mean, deviation = known.at(point)
        assert mean == pytest.approx(value, abs=1e-6)
        assert deviation < 1e-3


def test_far_from_all_observations_it_is_its_prior() -> None:
    mean, deviation = process([0.0, 0.2], [-0.4, 0.8]).at(3.0)
    assert (mean, deviation) == (pytest.approx(0), pytest.approx(1))


def test_one_observation_is_the_formula_of_two_normal_variables() -> None:
    covariance = math.exp(-((0.07 / LENGTH) ** 2) / 2)
    mean, deviation = process([0.2], [0.6], noise=0.25).at(0.27)
    assert mean == pytest.approx(covariance / 1.25 * 0.6)
    assert deviation == pytest.approx(math.sqrt(1 - covariance**2 / 1.25))


def test_an_observation_that_is_repeated_has_the_noise_of_their_mean() -> None:
    repeated = process([0.1, 0.1, 0.1], [0.2, 0.5, 0.8], noise=0.3).at(0.15)
    assert repeated == pytest.approx(process([0.1], [0.5], noise=0.1).at(0.15))


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (-0.5, 0.3), (0.4, 0.2)])
def test_the_expected_improvement_is_the_mean_of_what_is_gained(
    mean: float, deviation: float
) -> None:
    random = Random(1)
    gains = [max(0.0, random.gauss(mean, deviation) - 0.1) for _ in range(200_000)]
    expected = sum(gains) / len(gains)
    assert expected_improvement(mean, deviation, 0.1) == pytest.approx(expected, rel=0.03)


def test_without_doubt_the_improvement_is_the_difference() -> None:
    assert expected_improvement(0.4, 0.0, 0.1) == pytest.approx(0.3)
    assert expected_improvement(0.0, 0.0, 0.1) == 0


def test_nothing_is_expected_of_a_range_that_is_known() -> None:
    search = Search.between(0.0, 0.075)
    for share in search.candidates:
        for _ in range(20):
            search = search.after(Trial(share, 0.5 if share else 0.1))
    assert search.next_share() is None
    assert search.best.share == 0


def test_the_next_trial_is_where_least_is_known() -> None:
    search = Search.between(0.0, 0.3).after(Trial(0.0, 0.2))
    for share in search.candidates[:20]:
        search = search.after(Trial(share, 0.2))
    assert search.next_share() in search.candidates[30:]
