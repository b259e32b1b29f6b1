"""Idle time from unsaturated time and bytes: within each interval, exact in sum."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.control.idle_time import IdleTime
from p4abs.snapshot import Snapshot

CAPACITY_BPS = 8_000_000
FULL_FRAME_BYTES = 1514
ARRIVALS = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(64, FULL_FRAME_BYTES)), min_size=1, max_size=60
)
GAPS_US = st.lists(st.integers(1, 9000), min_size=1, max_size=60)


def counted(timestamp_us: int, unsaturated_us: int | None, unsaturated_bytes: int | None):
    return Snapshot(timestamp_us, 0, 0, 0, 0, unsaturated_us, unsaturated_bytes)


def idle_s(snapshots: list[Snapshot], capacity_bps: float = CAPACITY_BPS) -> list[float]:
    idle_time = IdleTime()
    return [idle_time.between(before, after, capacity_bps) for before, after in pairwise(snapshots)]


@given(ARRIVALS, GAPS_US)
def test_sums_of_idle_time_are_exact_and_each_share_lies_within_its_interval(
    ideal_link, arrivals, gaps_us
) -> None:
    # The series starts with the link idle: nothing is owed from before.
    link = ideal_link([(1, FULL_FRAME_BYTES), *arrivals])
    times_us = [0]
    for gap_us in gaps_us:
        times_us.append(times_us[-1] + gap_us)
    times_us.append(max(times_us[-1], link.end_us) + 1)
    measured = idle_s([link.snapshot(time_us) for time_us in times_us])
    assert all(
        0 <= idle <= (after - before) / 1e6
        for idle, (before, after) in zip(measured, pairwise(times_us), strict=True)
    )
    frame_s = FULL_FRAME_BYTES * 8 / CAPACITY_BPS
    for index, time_us in enumerate(times_us[1:], start=1):
        assert abs(sum(measured[:index]) - link.idle_us(time_us) / 1e6) <= frame_s + 1e-9
    # Nothing is in transmission any more.
    assert sum(measured) == pytest.approx(link.idle_us(times_us[-1]) / 1e6, abs=1e-9)


@given(ARRIVALS, st.floats(0.3, 3))
def test_a_wrong_capacity_does_no_lasting_harm(ideal_link, arrivals, error) -> None:
    link = ideal_link(arrivals)
    end_us = link.end_us
    times_us = list(range(0, end_us, 5000)) + [end_us + 20_000 * n for n in range(1, 4)]
    measured = idle_s([link.snapshot(time_us) for time_us in times_us], error * CAPACITY_BPS)
    assert measured[-1] == pytest.approx(0.02)


def test_idle_time_that_is_known_too_early_belongs_to_the_next_interval() -> None:
    snapshots = [counted(0, 0, 0), counted(1_000, 9_000, 0), counted(11_000, 9_000, 0)]
    assert idle_s(snapshots) == pytest.approx([0.001, 0.008])


def test_counted_time_that_is_taken_back_is_not_owed() -> None:
    snapshots = [
        counted(0, 0, 0),
        counted(20_000, 20_000, 0),
        counted(40_000, 5_000, 0),
        counted(60_000, 25_000, 0),
    ]
    assert idle_s(snapshots) == pytest.approx([0.02, 0, 0.02])


def test_more_time_than_has_passed_is_not_carried_for_ever() -> None:
    hours = [counted(20_000 * n, 10**10 if n else 0, 0) for n in range(4)]
    assert idle_s(hours) == pytest.approx([0.02, 0.02, 0])


def test_the_counters_wrap_at_64_bits() -> None:
    top = 2**64
    snapshots = [counted(0, top - 5_000, top - 500), counted(20_000, 5_000, 500)]
    assert idle_s(snapshots) == pytest.approx([0.01 - 0.001])


def test_where_the_target_does_not_count_idle_time_is_unknown() -> None:
    assert idle_s([counted(0, None, None), counted(20_000, None, None)]) == [None]
