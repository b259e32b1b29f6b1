"""A port's points: those of its samples' seconds, the last ones only, in bounded memory."""

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.states import PortState
from p4abs.telemetry.port_meter import SwitchMeter
from p4abs.telemetry.port_states import SwitchStates
from p4abs.telemetry.web.board import POINT_S, PortRecords
from p4abs.telemetry.web.history import History, Point

from controller.tests.telemetry.samples import samples_of
from controller.tests.web.invented import Port, changed

BYTES = st.integers(0, 10**6)
INTERVALS = st.lists(
    st.builds(
        Interval,
        duration_s=st.floats(0.1, 1.5),
        admitted_bytes=BYTES,
        dropped_bytes=BYTES,
        departed_bytes=BYTES,
        marked_bytes=st.none() | BYTES,
    ),
    max_size=30,
)
SAMPLE = Port(2, 1).sample(1_700_000_000.0, 0.02)


SECOND_PORT = np.array([1])


class Followed:
    """Port 2, alone on its switch."""

    def __init__(self) -> None:
        self._meter = SwitchMeter({2: ()})
        self.records = PortRecords(self._meter, SwitchStates([PortSettings(number=2)], self._meter))

    def add(self, sample: Sample) -> None:
        told = samples_of([2], sample)
        self._meter.add(told)
        self.records.add(told)

    @property
    def last(self) -> Point | None:
        return self.records.history.last(0)


@given(st.integers(1, 20), st.integers(0, 70), st.integers(0, 70))
def test_the_last_points_are_kept_in_their_order(length, count, since) -> None:
    history = History(2, length)
    for second in range(count):
        history.append(SECOND_PORT, Point(time_s=second + 0.5, limit_bytes=second))
    seconds = [second for second in range(count)[-length:] if second + 0.5 > since]
    assert [point.limit_bytes for point in history.since(1, since)] == seconds
    assert not [*history.since(0, -1.0)]


def test_what_is_not_known_stays_so_and_times_keep_their_fractions() -> None:
    history = History(1, 3)
    history.append(np.array([0]), Point(time_s=1_700_000_000.123, utilization=nan, binding=3))
    (point,) = history.since(0, 0)
    assert isnan(point.utilization)
    assert (point.time_s, point.binding) == (1_700_000_000.123, 3)


@given(INTERVALS)
def test_a_point_is_the_ratio_of_sums_of_its_second(intervals) -> None:
    port, second, expected = Followed(), [], []
    for interval in intervals:
        port.add(changed(SAMPLE, interval=interval))
        second.append(interval)
        if sum(each.duration_s for each in second) >= POINT_S:
            offered = sum(each.offered_bytes for each in second)
            expected.append(sum(each.dropped_bytes for each in second) / (offered or 1))
            second = []
    points = list(port.records.history.since(0, 0))
    assert [point.loss for point in points] == pytest.approx(expected, rel=1e-6)
    assert (port.last is None) == (not expected)


def test_a_point_has_the_extremes_of_its_second_and_what_held_at_its_end() -> None:
    port = Followed()
    for minimum, maximum, delay_s, utilization in ((5, 90, 0.03, 1.0), (7, 40, 0.01, 0.5)):
        port.add(
            changed(
                SAMPLE,
                interval=Interval(
                    0.5,
                    900,
                    100,
                    900,
                    None,
                    minimum,
                    maximum,
                    50,
                    8_000_000,
                    2_000_000,
                    0,
                    300,
                    9_000_000,
                ),
                utilization=utilization,
                queue_delay_s=delay_s,
                decided_limit_bytes=100 + minimum,
                binding=Binding.MAX_DELAY,
            )
        )
    assert port.last == Point(
        time_s=SAMPLE.time_s,
        offered_bps=16_000.0,
        utilization=0.75,
        loss=0.1,
        marked_share=0.05,
        active_flows=16.0,
        long_flows=4.0,
        round_trip_s=0.03,
        limit_bytes=107,
        least_backlog_bytes=5,
        greatest_backlog_bytes=90,
        queue_delay_s=0.03,
        capacity_bps=SAMPLE.measured_capacity_bps,
        binding=list(Binding).index(Binding.MAX_DELAY),
        state=PortState.NO_TRAFFIC,
    )


def test_what_was_not_measured_in_a_second_is_not_known() -> None:
    port = Followed()
    port.add(
        changed(
            SAMPLE,
            interval=Interval(1.0, 900, 100, 900),
            utilization=None,
            queue_delay_s=None,
            measured_capacity_bps=None,
        )
    )
    last = port.last
    assert last is not None
    assert isnan(last.active_flows)
    assert isnan(last.long_flows)
    unknown = (last.utilization, last.marked_share, last.least_backlog_bytes, last.queue_delay_s)
    assert all(isnan(value) for value in (*unknown, last.capacity_bps))
