"""Reading the smallest sufficient buffer from a grid."""

import math

import pytest
from p4abs_experiments.experiment.crossing import smallest_buffer


def test_half_way_in_both_logarithms() -> None:
    assert smallest_buffer([10, 40, 160], [0.90, 0.96, 0.99], 0.98) == pytest.approx(80)


def test_a_full_link_counts_as_a_twentieth_of_what_may_be_missed() -> None:
    full = smallest_buffer([40, 160], [0.96, 1.0], 0.98)
    assert full == smallest_buffer([40, 160], [0.96, 0.999], 0.98)
    assert 40 < full < 80


def test_a_grid_point_on_the_target_is_the_answer() -> None:
    assert smallest_buffer([10, 40, 160], [0.90, 0.98, 1.0], 0.98) == pytest.approx(40)


def test_a_lucky_small_buffer_does_not_count() -> None:
    assert smallest_buffer([10, 20, 40, 80], [0.99, 0.96, 0.97, 0.99], 0.98) > 40


def test_a_target_that_no_buffer_meets_is_nan() -> None:
    assert math.isnan(smallest_buffer([10, 40], [0.9, 0.95], 0.98))
    assert math.isnan(smallest_buffer([], [], 0.98))


def test_a_target_that_all_buffers_meet_gives_the_smallest() -> None:
    assert smallest_buffer([10, 40], [0.99, 1.0], 0.98) == 10
