"""What a snapshot is to those before it: the next, a repeated one, a late one, a new life."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.control.series import News, SnapshotSeries
from p4abs.measurements import Snapshot

START = Snapshot(50_000, 100, 10, 50, 5000)


def busy(tick: int) -> Snapshot:
    """The port after so many ticks of 20 ms, loaded from the first one on."""
    return Snapshot(20_000 * tick, 25_000 * tick, 500 * tick, 24_000 * tick, 5000)


def series_of(snapshots) -> tuple[SnapshotSeries, list[News]]:
    series = SnapshotSeries()
    return series, [series.add(one) for one in snapshots]


@given(st.permutations(range(8)), st.lists(st.integers(0, 7), max_size=5), st.integers(0, 30))
def test_no_order_of_arrival_is_taken_for_a_restart(order, repeated, first) -> None:
    start = [busy(first), busy(first + 100)]
    mixed = [busy(first + 1 + tick) for tick in (*order, *repeated)]
    series, news = series_of([*start, *mixed, busy(first + 101)])
    assert news == [News.FIRST, News.NEXT, *[News.NONE] * len(mixed), News.NEXT]
    assert series.last == busy(first + 101)


@given(
    st.lists(st.tuples(st.integers(0, 4000), st.integers(64, 1514)), min_size=1),
    st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 3)), min_size=2, max_size=40),
)
def test_what_is_lost_or_late_changes_only_the_length_of_intervals(
    ideal_link, arrivals, sent
) -> None:
    """Snapshots are taken in the order of time, and arrive up to three places later."""
    link = ideal_link(arrivals)
    taken = sorted(time_us for time_us, _ in sent)
    delays = [delay for _, delay in sent]
    order = sorted(range(1, len(taken)), key=lambda index: index + delays[index])
    arrived = [link.snapshot(taken[index]) for index in (0, *order)]
    series = SnapshotSeries()
    kept = []
    for one in arrived:
        if series.add(one) in (News.FIRST, News.NEXT):
            kept.append(series.last)
    assert all(before.timestamp_us < after.timestamp_us for before, after in pairwise(kept))
    assert kept[-1].timestamp_us == taken[-1]


@pytest.mark.parametrize(
    "after_restart",
    [
        pytest.param(Snapshot(500, 0, 0, 0, 0), id="the clock starts anew"),
        pytest.param(Snapshot(50_000 + 19_990, 0, 0, 0, 5000), id="the clock has caught up"),
        pytest.param(Snapshot(90_000, 50, 0, 20, 0), id="only the counters start anew"),
        pytest.param(Snapshot(70_000, 0, 0, 0, 0), id="time has not moved"),
    ],
)
def test_a_new_life_is_no_late_snapshot(after_restart) -> None:
    last = replace(START, timestamp_us=70_000, admitted_bytes=700, departed_bytes=700)
    series, news = series_of([START, last, after_restart])
    assert news[-1] is News.RESTART
    assert series.last == after_restart


@pytest.mark.parametrize("counter", ["admitted_bytes", "dropped_bytes", "departed_bytes"])
def test_one_counter_that_goes_backwards_is_a_new_life(counter) -> None:
    after = replace(START, timestamp_us=90_000)
    fewer = replace(after, **{counter: getattr(START, counter) - 1})
    assert series_of([START, after])[1][-1] is News.NEXT
    assert series_of([START, fewer])[1][-1] is News.RESTART


def test_what_is_admitted_in_an_instant_that_stands_still_waits_for_the_next() -> None:
    more = replace(START, admitted_bytes=START.admitted_bytes + 1)
    series, _ = series_of([START])
    assert not series.is_waiting
    assert series.add(more) is News.NONE
    assert series.is_waiting
    assert series.add(replace(more, timestamp_us=90_000)) is News.NEXT
    assert not series.is_waiting


def test_a_snapshot_older_than_all_that_are_remembered_is_a_new_life() -> None:
    _, news = series_of([*(busy(tick) for tick in range(1, 100)), busy(2)])
    assert news[-1] is News.RESTART


@given(st.integers(8, 40), st.integers(1, 19_999), st.sampled_from([0, 1_000_000_000]))
def test_a_new_life_that_repeats_the_one_before_is_noticed_by_its_second_snapshot(
    lived, later_us, jumped_us
) -> None:
    """Also where the clock of the one before had jumped ahead at its end."""
    life = [busy(tick) for tick in range(lived)]
    jumped = [replace(each, timestamp_us=each.timestamp_us + jumped_us) for each in life[-2:]]
    reborn = [replace(each, timestamp_us=each.timestamp_us + later_us) for each in life[:3]]
    series, news = series_of([*life[:-2], *jumped, *reborn])
    assert news[-3:] == [News.NONE, News.RESTART, News.NEXT]
    assert series.last == reborn[-1]


def test_a_snapshot_with_a_limit_that_was_not_in_force_then_is_of_a_new_life() -> None:
    """In a gap as long as a clock stood still: it would fit there for as long."""
    life = [busy(1), busy(100), replace(busy(101), limit_bytes=4000)]
    _, news = series_of([*life, busy(50)])
    assert news[-1] is News.NONE
    _, news = series_of([*life, replace(busy(50), limit_bytes=3900)])
    assert news[-1] is News.RESTART


def test_a_new_life_on_an_idle_port_is_noticed_once_it_is_not_idle() -> None:
    idle = [replace(START, timestamp_us=20_000 * tick) for tick in range(10)]
    reborn = [Snapshot(20_000 * tick + 5, 100, 10, 50, 5000) for tick in range(3)]
    loaded = Snapshot(185_000, 90, 0, 20, 5000)
    _, news = series_of([*idle, *reborn, loaded])
    assert news[-1] is News.RESTART


@pytest.mark.parametrize("later_us", [0, 20_000])
def test_a_limit_that_is_gone_tells_of_a_new_life_on_a_port_without_traffic(later_us) -> None:
    """Somebody has pushed the program again: clock and counters do not go back."""
    idle = Snapshot(20_000, 0, 0, 0, 5000)
    reborn = Snapshot(20_000 + later_us, 0, 0, 0, 0)
    _, news = series_of([idle, reborn, replace(reborn, timestamp_us=90_000, limit_bytes=5000)])
    assert news == [News.FIRST, News.RESTART, News.NEXT]


def test_counters_that_wrap_go_on() -> None:
    top = 2**64
    before = Snapshot(1_000, top - 100, top - 1, top - 50, 5000)
    late = Snapshot(11_000, top - 5, 4, 10, 5000)
    _, news = series_of([before, Snapshot(21_000, 500, 9, 250, 5000), late])
    assert news == [News.FIRST, News.NEXT, News.NONE]


def test_extremes_of_the_backlog_are_those_of_the_whole_interval() -> None:
    """RegisterEntry: time stands still until the next departure, and each read begins a window."""

    def seen(time_us: int, admitted: int, minimum: int | None, maximum: int | None) -> Snapshot:
        return Snapshot(time_us, admitted, 0, 0, 5000, 0, 0, minimum, maximum)

    begun, still, gone = seen(0, 0, 0, 0), seen(0, 900, 200, 900), seen(20_000, 950, 700, 950)
    series, _ = series_of([begun, still, gone])
    assert (series.last.least_backlog_bytes, series.last.greatest_backlog_bytes) == (200, 950)
    series, _ = series_of([begun, seen(0, 900, None, None), gone])
    assert (series.last.least_backlog_bytes, series.last.greatest_backlog_bytes) == (None, None)
    series, _ = series_of([begun, still, gone, seen(40_000, 990, 600, 640)])
    assert (series.last.least_backlog_bytes, series.last.greatest_backlog_bytes) == (600, 640)
