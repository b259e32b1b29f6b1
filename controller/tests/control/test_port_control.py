"""From snapshots to intervals, across wrapping counters, pauses and restarts."""

from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.control import PortControl
from p4abs.measurements import Interval, Snapshot
from p4abs.policies import Binding, Decision


@dataclass
class Recorder:
    """A policy that keeps what it is given and always asks for 7000 bytes."""

    name: ClassVar[str] = "recorder"
    intervals: list[Interval] = field(default_factory=list)

    def start(self, limit_bytes: int) -> None:
        return None

    def step(
        self, state: None, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[None, Decision]:
        idle_s = None if interval.idle_s is None else round(interval.idle_s, 9)
        self.intervals.append(replace(interval, idle_s=idle_s))
        return None, Decision(7000, Binding.FIXED, {})


@pytest.fixture
def policy() -> Recorder:
    return Recorder()


@pytest.fixture
def port(policy: Recorder) -> PortControl:
    return PortControl(2, 10_000_000, policy, 5000)


def test_the_first_snapshot_only_starts_the_series(port, policy) -> None:
    assert port.decide(Snapshot(1000, 10, 20, 30, 5000), None) is None
    assert policy.intervals == []


def test_an_interval_is_the_difference_of_two_snapshots(port, policy) -> None:
    port.decide(Snapshot(1_000, 100, 10, 50, 5000), None)
    step = port.decide(Snapshot(21_000, 700, 40, 350, 5000), None)
    assert policy.intervals == [Interval(0.02, 600, 30, 300)]
    assert step.limit_bytes == 5000
    assert port.limit_bytes == 7000


def test_counters_wrap_at_64_bits(port, policy) -> None:
    top = 2**64
    port.decide(Snapshot(1_000, top - 100, top - 1, top - 50, 5000), None)
    port.decide(Snapshot(21_000, 500, 9, 250, 5000), None)
    assert policy.intervals == [Interval(0.02, 600, 10, 300)]


def test_without_a_departure_the_interval_goes_on(port, policy) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000), None)
    assert port.decide(Snapshot(1_000, 600, 10, 0, 5000), None) is None
    port.decide(Snapshot(41_000, 900, 20, 300, 5000), None)
    assert policy.intervals == [Interval(0.04, 900, 20, 300)]


def test_a_port_that_was_idle_for_long_starts_a_new_series(port, policy) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000), None)
    assert port.decide(Snapshot(5_001_000, 900, 0, 900, 5000), None) is None
    port.decide(Snapshot(5_021_000, 1500, 0, 1500, 5000), None)
    assert policy.intervals == [Interval(0.02, 600, 0, 600)]


def test_idle_time_and_the_extremes_of_the_backlog_come_with_the_interval(port, policy) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000, 0, 0, 0, 0), None)
    port.decide(Snapshot(21_000, 900, 0, 900, 5000, 6_000, 1_250, 0, 700), None)
    assert policy.intervals == [Interval(0.02, 900, 0, 900, 0.005, 0, 700)]
    assert policy.intervals[0].utilization(10e6) == pytest.approx(0.75)


def test_the_policy_does_not_see_how_long_a_pause_was(port, policy) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000, 0, 0), None)
    step = port.decide(Snapshot(5_001_000, 900, 0, 900, 5000, 4_500_000, 0), None)
    assert step.interval == Interval(5.0, 900, 0, 900, 4.5)
    assert policy.intervals == [Interval(1.0, 900, 0, 900, 0.5)]


def test_a_long_interval_without_idle_time_is_whole(port, policy) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000, 0, 0), None)
    port.decide(Snapshot(1_801_000, 900, 50, 900, 5000, 0, 0), None)
    assert policy.intervals == [Interval(1.8, 900, 50, 900, 0.0)]


def test_of_a_counter_of_marked_bytes_that_is_taken_back_alone_nothing_is_known(
    port, policy
) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000, marked_bytes=900), None)
    step = port.decide(Snapshot(21_000, 900, 50, 900, 5000, marked_bytes=400), None)
    assert step.interval == Interval(0.02, 900, 50, 900)


def test_marked_bytes_come_with_the_interval_across_their_wrap(port, policy) -> None:
    port.decide(Snapshot(1_000, 0, 0, 0, 5000, marked_bytes=2**64 - 100), None)
    step = port.decide(Snapshot(21_000, 900, 50, 900, 5000, marked_bytes=100), None)
    assert step.interval == Interval(0.02, 900, 50, 900, marked_bytes=200)
    assert policy.intervals == [step.interval]


def test_repeated_and_late_snapshots_change_nothing(port, policy) -> None:
    snapshots = [Snapshot(20_000 * n, 600 * n, 0, 600 * n, 5000, 4_000 * n, 0) for n in range(4)]
    for index in (0, 1, 1, 3, 2, 3):
        port.decide(snapshots[index], None)
    assert port.restarts == 0
    assert policy.intervals == [
        Interval(0.02, 600, 0, 600, 0.004),
        Interval(0.04, 1200, 0, 1200, 0.008),
    ]


@given(
    st.lists(st.tuples(st.integers(0, 4000), st.integers(64, 1514)), min_size=20, max_size=60),
    st.lists(st.tuples(st.integers(1, 9000), st.integers(0, 3), st.booleans()), min_size=2),
)
def test_whatever_happens_to_snapshots_nothing_is_counted_twice_or_never(
    ideal_link, arrivals, taken
) -> None:
    """Some are lost, others arrive up to three places later, all of them twice."""
    link = ideal_link([(1, 64), *arrivals])
    times_us = list(accumulate((gap_us for gap_us, _, _ in taken), initial=0))
    places = [(index + delay, index) for index, (_, delay, lost) in enumerate(taken) if not lost]
    order = [0, *(1 + index for _, index in sorted(places)), len(taken)]
    policy = Recorder()
    port = PortControl(2, link.CAPACITY_BPS, policy, 5000)
    for index in order:
        for _ in range(2):
            port.decide(link.snapshot(times_us[index]), None)
    end, intervals = link.snapshot(times_us[-1]), policy.intervals
    assert port.restarts == 0
    assert sum(one.duration_s for one in intervals) == pytest.approx(times_us[-1] / 1e6)
    assert sum(one.admitted_bytes for one in intervals) == end.admitted_bytes
    assert sum(one.departed_bytes for one in intervals) == end.departed_bytes
    idle_s = sum(one.idle_s for one in intervals)
    assert abs(idle_s - link.idle_us(times_us[-1]) / 1e6) < 0.002


@pytest.mark.parametrize(
    "after_restart",
    [Snapshot(500, 0, 0, 0, 0), Snapshot(31_000, 50, 0, 20, 0), Snapshot(31_000, 700, 0, 700, 0)],
)
def test_a_data_plane_that_started_anew_starts_a_new_series(port, policy, after_restart) -> None:
    port.decide(Snapshot(1_000, 100, 10, 50, 5000), None)
    assert port.decide(after_restart, None) is None
    assert port.restarts == 1
    assert policy.intervals == []


def test_the_limit_is_written_only_if_the_switch_has_another(port) -> None:
    assert port.limit_to_write == 5000
    port.decide(Snapshot(1_000, 0, 0, 0, 5000), None)
    assert port.limit_to_write is None
    port.decide(Snapshot(21_000, 0, 0, 0, 5000), None)
    assert port.limit_to_write == 7000
    port.forget()
    assert port.limit_to_write == 7000
