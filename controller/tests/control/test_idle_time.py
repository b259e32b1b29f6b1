"""Idle time from unsaturated time and bytes: within each interval, exact in sum."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from p4abs.control.idle_time import IdleTime
from p4abs.measurements import Snapshot

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


@example(arrivals=[(0, 500), (9_000, 1_000), (100, 868), (0, 900)], gaps_us=[9_950, 60, 1])
@given(ARRIVALS, GAPS_US)
def test_sums_of_idle_time_are_exact_and_each_share_lies_within_its_interval(
    ideal_link, arrivals, gaps_us
) -> None:
    """Exact but for the frame in transmission, and altogether exact once a busy time has passed."""
    link = ideal_link([(1, FULL_FRAME_BYTES), *arrivals])
    busy_us = link.end_us + 1
    link = ideal_link([(1, FULL_FRAME_BYTES), *arrivals, (busy_us, 64), *[(0, 1514)] * 9])
    times_us = [time_us for time_us in accumulate(gaps_us, initial=0) if time_us <= busy_us]
    times_us.append(link.end_us + 1)
    measured = idle_s([link.snapshot(time_us) for time_us in times_us])
    assert all(
        0 <= idle <= (after - before) / 1e6
        for idle, (before, after) in zip(measured, pairwise(times_us), strict=True)
    )
    frame_s = FULL_FRAME_BYTES * 8 / CAPACITY_BPS
    for idle, time_us in zip(accumulate(measured), times_us[1:], strict=True):
        assert abs(idle - link.idle_us(time_us) / 1e6) <= frame_s + 1e-9
    assert sum(measured) == pytest.approx(link.idle_us(times_us[-1]) / 1e6, abs=1e-9)


@pytest.mark.parametrize("error", [0.3, 0.9, 1.1, 3])
def test_a_wrong_capacity_does_no_lasting_harm(ideal_link, error) -> None:
    link = ideal_link([(1_100, 1_000)] * 500)
    times_us = [*range(0, link.end_us, 5_000), *(link.end_us + 20_000 * n for n in range(1, 4))]
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
    hours = [counted(20_000 * n, 10**10 if n else 0, 0) for n in range(9)]
    assert idle_s(hours)[-2:] == [0, 0]


def test_the_counters_wrap_at_64_bits() -> None:
    top = 2**64
    snapshots = [counted(0, top - 5_000, top - 500), counted(20_000, 5_000, 500)]
    assert idle_s(snapshots) == pytest.approx([0.01 - 0.001])


def test_where_the_target_does_not_count_idle_time_is_unknown() -> None:
    assert idle_s([counted(0, None, None), counted(20_000, None, None)]) == [None]
