"""Reasons for missed goals on synthetic series."""

import numpy as np
import pytest
from p4abs_experiments.experiment.reasons import (
    drift,
    longest_time_without_drop_s,
    reason,
)
from p4abs_experiments.simulation.result import LinkSeries

TIME_S = np.arange(1, 6001) / 100
NOTHING = np.zeros(6000)


def _series(drops_s: list[float], limit_bytes: np.ndarray | None = None) -> LinkSeries:
    dropped = np.where(np.isin(TIME_S, drops_s), 600.0, 0.0)
    limit = np.full(6000, 6000.0) if limit_bytes is None else limit_bytes
    return LinkSeries(TIME_S, limit, NOTHING, NOTHING, dropped, NOTHING)


def test_the_longest_stretch_without_a_drop_may_lie_at_either_end() -> None:
    assert longest_time_without_drop_s(_series([31.0, 35.0]), 30.0) == pytest.approx(25.0)
    assert longest_time_without_drop_s(_series([52.0, 55.0]), 30.0) == pytest.approx(22.0)
    assert longest_time_without_drop_s(_series([]), 30.0) == pytest.approx(30.0)


def test_drift_compares_the_thirds_of_the_window() -> None:
    falling = np.where(TIME_S <= 50.0, 8000.0, 6000.0)
    assert drift(_series([], falling), 30.0) == pytest.approx(-0.25)


@pytest.mark.filterwarnings("error")
def test_drift_of_two_samples_compares_the_two() -> None:
    growing = np.where(TIME_S < 59.995, 6000.0, 7500.0)
    assert drift(_series([], growing), 59.985) == pytest.approx(0.25)


def test_a_steady_limit_with_frequent_drops_has_no_reason() -> None:
    often = _series([float(second) for second in range(30, 60)])
    assert reason(often, 30.0) == ""


def test_both_reasons_are_told_together() -> None:
    rare = _series([31.0], np.where(TIME_S <= 50.0, 8000.0, 6000.0))
    text = reason(rare, 30.0)
    assert "29 s pass without a drop" in text
    assert "still falls by 25 %" in text
    rising = _series([31.0], np.where(TIME_S <= 50.0, 6000.0, 7500.0))
    assert "still rises by 25 %" in reason(rising, 30.0)
