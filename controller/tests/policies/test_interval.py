"""What an interval's counters say."""

import math

import pytest
from p4abs.measurements import Interval


def test_loss_is_the_dropped_fraction_of_what_arrived() -> None:
    assert Interval(0.02, 900, 100, 500).loss == pytest.approx(0.1)


def test_loss_of_an_idle_interval_is_zero() -> None:
    assert Interval(0.02, 0, 0, 500).loss == 0


def test_utilization_counts_what_left_and_offered_load_what_arrived() -> None:
    interval = Interval(0.02, admitted_bytes=20_000, dropped_bytes=5_000, departed_bytes=10_000)
    assert interval.utilization(10e6) == pytest.approx(0.4)
    assert interval.offered_load(10e6) == pytest.approx(1.0)


def test_utilization_is_the_share_of_time_that_was_not_idle_whatever_the_capacity() -> None:
    interval = Interval(0.02, 10_000, 0, 10_000, idle_s=0.005)
    assert interval.utilization(10e6) == interval.utilization(1.0) == pytest.approx(0.75)


def test_the_mean_queue_is_taken_for_the_middle_of_its_extremes() -> None:
    interval = Interval(
        0.02, 1, 0, 1, None, least_backlog_bytes=1_000, greatest_backlog_bytes=5_000
    )
    assert interval.queue_bytes == 3_000


def test_a_queue_that_is_not_measured_is_not_known() -> None:
    known = Interval(0.02, 1, 0, 1, None, least_backlog_bytes=1_000, greatest_backlog_bytes=5_000)
    unknown = Interval(0.02, 1, 0, 1)
    assert math.isnan(unknown.queue_bytes)
    together = Interval.batched([known, unknown]).queue_bytes
    assert together[0] == 3_000
    assert math.isnan(together[1])


@pytest.mark.parametrize(
    "fields",
    [
        (0.0, 1, 1, 1),
        (-1.0, 1, 1, 1),
        (0.02, -1, 0, 0),
        (0.02, 0, -1, 0),
        (0.02, 0, 0, -1),
        (0.02, 0, 0, 0, -0.001),
        (0.02, 0, 0, 0, 0.021),
        (0.02, 0, 0, 0, None, 500, 400),
        (0.02, 0, 0, 0, None, -1, 400),
    ],
)
def test_impossible_intervals_are_refused(fields: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="must"):
        Interval(*fields)
