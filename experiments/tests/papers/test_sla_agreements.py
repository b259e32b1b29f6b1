"""Scores and verdicts of service level agreements (the paper on service levels, section 5.2)."""

import numpy as np
import pytest
from p4abs_experiments.papers.sla_perspective.sla import Agreement, Score, coarse, fine, scores
from p4abs_experiments.simulation.result import LinkSeries

CAPACITY_BPS = 8_000_000.0
AGREEMENT = Agreement(delay_s=0.010, loss=0.01)


def record(*slices: tuple[float, float, float]) -> LinkSeries:
    """10 s slices of (utilization, loss, delay in s), in steps of 1 s."""
    used, lost, delay_s = (np.repeat(column, 10) for column in zip(*slices, strict=True))
    admitted = CAPACITY_BPS / 8 * used
    return LinkSeries(
        time_s=np.arange(1.0, len(used) + 1),
        limit_bytes=np.full(len(used), 1e5),
        occupancy_bytes=CAPACITY_BPS / 8 * delay_s,
        admitted_bytes=admitted,
        dropped_bytes=admitted * lost / (1 - lost),
        departed_bytes=admitted,
    )


def interval(delay_s: float = 0.0, loss: float = 0.0) -> Score:
    return Score(0.5, loss, delay_s)


def test_an_interval_scores_what_it_measured() -> None:
    first, second = scores(record((0.2, 0, 0), (0.5, 0.02, 0.004), (0.6, 0.001, 0.004)),
                           CAPACITY_BPS, from_s=10)  # fmt: skip
    assert second.utilization == pytest.approx(0.6)
    assert second.loss == pytest.approx(0.001)
    assert second.delay_s == pytest.approx(0.004)
    assert first.loss == pytest.approx(0.02)


@pytest.mark.parametrize("used", [0.7, 0.95])
def test_an_interval_of_high_utilization_does_not_count(used: float) -> None:
    assert len(scores(record((0.1, 0, 0), (used, 0, 0), (0.69, 0, 0)), CAPACITY_BPS, 10)) == 1


def test_an_incomplete_last_interval_is_left_out() -> None:
    assert len(scores(record((0.1, 0, 0), (0.1, 0, 0), (0.1, 0, 0)), CAPACITY_BPS, 15)) == 1


@pytest.mark.parametrize(
    ("score", "letters"),
    [
        (interval(0.001, 0.001), ""),
        (interval(0.011, 0.001), "D"),
        (interval(0.001, 0.011), "L"),
        (interval(0.011, 0.011), "B"),
        (interval(0.0095, 0.001), "ND"),
        (interval(0.001, 0.0095), "NL"),
        (interval(0.0095, 0.0095), "NB"),
        (interval(0.0095, 0.011), "L"),
    ],
)
def test_both_reports_agree_on_a_single_interval(score: Score, letters: str) -> None:
    assert coarse([score], AGREEMENT) == fine([score], AGREEMENT) == letters


def test_coarse_reporting_forgives_an_interval_that_fine_reporting_does_not() -> None:
    intervals = [interval(loss=0.015), interval(loss=0.001), interval(delay_s=0.012)]
    assert coarse(intervals, AGREEMENT) == ""
    assert fine(intervals, AGREEMENT) == "B"


def test_without_an_interval_that_counts_there_is_no_verdict() -> None:
    assert coarse([], AGREEMENT) == fine([], AGREEMENT) == "-"
