"""Where the limit begins when flows do."""

import math
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.measurements import Interval
from p4abs.policies.abs import Abs, AbsState
from p4abs.policies.abs.start import MEMORY_S, Start
from p4abs.policies.policy import Targets

from controller.tests.policies.measured_flows import with_flows

CAPACITY_BPS = 100e6
BYTES_PER_S = CAPACITY_BPS / 8
INTERVAL_S = 0.02
ROUND_TRIP_S = 0.1
FRAME_BYTES = 1_500
PIPE_BYTES = BYTES_PER_S * ROUND_TRIP_S
LIMIT_BYTES = 100_000


@dataclass
class Port:
    """A start's port: `limits` are the lowest ones allowed, in bytes."""

    round_trip_s: float = ROUND_TRIP_S
    state: Start = field(default_factory=Start)
    limits: list[float] = field(default_factory=list)
    ends: int = 0

    def see(self, for_s: float, flows: float, young: float = 0.0) -> None:
        for _ in range(round(for_s / INTERVAL_S)):
            self._see(flows, young)

    def see_sawtooth(self, flows: float, length_s: float, *, idles: bool = False) -> None:
        """The end of one."""
        self._see(flows, busy_s=0.0 if idles else length_s, idles=idles)

    def _see(
        self, flows: float, young: float = 0.0, busy_s: float = 0.0, idles: bool = False
    ) -> None:
        self.state = self.state.after(
            INTERVAL_S,
            flows,
            flows - young,
            self.round_trip_s,
            BYTES_PER_S,
            FRAME_BYTES,
            busy_s,
            idles,
        )
        self.limits.append(math.exp(self.state.lowest_level))
        self.ends += bool(self.state.ends)

    def begin(self, flows: float, for_s: float) -> None:
        """Flows of which all are young for half a second."""
        self.see(0.5, flows, young=flows)
        self.see(for_s, flows)


def lasts_s(flows: int) -> float:
    """A flow's share of the pipe, a frame in each round trip."""
    return PIPE_BYTES / flows / FRAME_BYTES * ROUND_TRIP_S


@pytest.mark.parametrize("flows", [1, 2, 9])
def test_the_limit_begins_at_the_pipe_over_the_root_of_the_flows(flows: int) -> None:
    port = Port()
    port.begin(flows, 4.0)
    assert port.limits[-1] == pytest.approx(PIPE_BYTES / math.sqrt(flows), rel=0.02)


@pytest.mark.parametrize("flows", [1, 2, 9])
def test_a_start_lasts_until_windows_can_have_come_back(flows: int) -> None:
    port = Port()
    port.begin(flows, lasts_s(flows) - 0.7)
    assert port.limits[-1] > 0
    assert not port.ends
    port.see(2.0, flows)
    assert port.limits[-1] == 0
    assert port.ends == 1


def test_many_flows_end_it_at_once() -> None:
    port = Port()
    port.begin(200, 0.5)
    assert port.ends == 1


def test_flows_that_do_not_last_do_not_lower_the_limit() -> None:
    port = Port()
    port.begin(1, 1.0)
    port.see(4.0, 50, young=49)
    assert port.limits[-1] == pytest.approx(PIPE_BYTES, rel=0.02)


def test_young_flows_count_as_long_as_there_are_no_long_ones() -> None:
    port = Port()
    port.see(0.5, 16, young=16)
    assert port.limits[-1] < PIPE_BYTES / 2


def test_a_start_begins_before_a_flow_has_become_a_long_one() -> None:
    port = Port()
    port.see(3 * INTERVAL_S, 1, young=1)
    assert port.limits[-1] == pytest.approx(PIPE_BYTES)


def test_a_second_flow_lowers_where_the_limit_begins_and_ends_the_start_sooner() -> None:
    port = Port()
    port.begin(1, 8.0)
    port.see(0.5, 2, young=1)
    port.see(8.0 * MEMORY_S, 2)
    assert port.limits[-1] == pytest.approx(PIPE_BYTES / math.sqrt(2), rel=0.02)
    assert port.state.recovery_s == pytest.approx(lasts_s(2), rel=0.01)


def test_time_before_the_first_flow_is_none_of_the_start() -> None:
    port = Port()
    port.see(1000.0, 0)
    port.begin(1, 1.0)
    assert port.limits[-1] == pytest.approx(PIPE_BYTES)


@given(
    round_trip_s=st.floats(0.1, 1.0),
    flows=st.integers(1, 5),
    lengths_s=st.tuples(*[st.floats(0.1, 100.0)] * 3),
)
def test_three_sawteeth_that_left_the_link_busy_end_a_start_however_long_a_round_trip_is_said_to_be(
    round_trip_s: float, flows: int, lengths_s: tuple[float, ...]
) -> None:
    port = Port(round_trip_s)
    port.see(0.1, flows, young=flows)
    for length_s in lengths_s:
        assert not port.ends
        port.see_sawtooth(flows, length_s)
    assert port.ends == 1
    assert port.limits[-1] == 0
    assert port.state.expected_s == min(max(lengths_s), port.state.recovery_s)


def test_a_sawtooth_in_which_the_link_idled_takes_back_those_before() -> None:
    port = Port()
    port.begin(2, 1.0)
    for length_s, idles in ((2.0, False), (3.0, False), (2.0, True), (0.7, False), (0.5, False)):
        port.see_sawtooth(2, length_s, idles=idles)
    assert not port.ends
    port.see_sawtooth(2, 0.6)
    assert port.ends == 1
    assert port.state.expected_s == 0.7


def test_there_is_one_start() -> None:
    port = Port()
    port.begin(50, 4.0)
    port.see(60.0, 0)
    port.begin(1, 1.0)
    assert port.limits[-1] == 0
    assert port.ends == 1


def test_flows_that_were_there_before_the_law_have_no_start() -> None:
    port = Port()
    port.see(5.0, 1)
    assert max(port.limits) == 0
    assert port.state.is_over


@pytest.mark.parametrize(
    ("flows", "round_trip_s"), [(math.nan, ROUND_TRIP_S), (1, math.nan), (math.nan, math.nan)]
)
def test_without_the_number_of_flows_and_their_round_trips_there_is_none(
    flows: float, round_trip_s: float
) -> None:
    port = Port(round_trip_s=round_trip_s)
    port.begin(flows, 20.0)
    assert max(port.limits) == 0
    assert not port.ends


def interval(
    flows: int,
    *,
    young: int = 0,
    idle: float = 0.0,
    dropped: int = 0,
    round_trip_s: float = ROUND_TRIP_S,
) -> Interval:
    sent = round((1 - idle) * INTERVAL_S * BYTES_PER_S)
    seen = Interval(INTERVAL_S, sent, dropped, sent, idle * INTERVAL_S)
    return with_flows(seen, flows, flows - young, round_trip_s)


POLICY = Abs(CAPACITY_BPS, Targets(0.98, 0.5, None, 2 * FRAME_BYTES, 12_000_000))


def after_start(flows: int, for_s: float, state: AbsState | None = None) -> AbsState:
    """Slow starts lose at once, and leave the link idle by half."""
    now = POLICY.start(LIMIT_BYTES) if state is None else state
    for number in range(round(for_s / INTERVAL_S)):
        young = flows if number < 25 and state is None else 0
        dropped = 60_000 if number in (20, 30) and state is None else 0
        now, _ = POLICY.step(now, interval(flows, young=young, idle=0.5, dropped=dropped))
    return now


def test_losses_with_which_flows_begin_do_not_take_their_buffer() -> None:
    assert after_start(2, 20.0).limit_bytes >= 0.999 * PIPE_BYTES / math.sqrt(2)


def test_a_start_goes_no_higher_than_is_allowed() -> None:
    highest_bytes = round(PIPE_BYTES / 4)
    policy = Abs(CAPACITY_BPS, Targets(0.98, 0.5, None, 2 * FRAME_BYTES, highest_bytes))
    state = policy.start(LIMIT_BYTES)
    for _ in range(50):
        state, _ = policy.step(state, interval(1, young=1))
    assert state.limit_bytes == highest_bytes


def test_a_larger_limit_stays_where_it_began() -> None:
    large = 2 * round(PIPE_BYTES)
    state = POLICY.start(large)
    state, _ = POLICY.step(state, interval(2, young=2))
    assert state.limit_bytes == pytest.approx(large, rel=0.01)


def test_what_errors_taught_in_a_start_is_forgotten_with_it() -> None:
    begun = after_start(2, lasts_s(2) - 1.0)
    ended = after_start(2, 0.0, begun)
    while not ended.start.ends:
        ended, _ = POLICY.step(ended, interval(2, idle=0.5))
    assert begun.utilization.events > 2
    assert ended.utilization.events == 1
    assert ended.limit_bytes == pytest.approx(begun.limit_bytes, rel=0.05)
    assert ended.idle_errors.typical == pytest.approx(lasts_s(2), rel=0.05)
    assert ended.dependence == begun.dependence.expecting(ended.start.recovery_s)


def test_an_idling_link_is_no_bottleneck_once_windows_would_have_come_back() -> None:
    ended = after_start(2, lasts_s(2) + 1.0)
    assert not after_start(2, 0.9 * lasts_s(2), ended).dependence.is_quiet
    later = after_start(2, 2 * lasts_s(2), ended)
    assert later.dependence.is_quiet
    assert later.limit_bytes < 0.85 * ended.limit_bytes


def test_windows_that_no_drop_has_cut_need_no_time_to_come_back() -> None:
    state = POLICY.start(LIMIT_BYTES)
    limits = []
    for number in range(1000):
        young, idle = 100 if number < 25 else 0, 0.9 if number < 75 else 0.2
        state, decision = POLICY.step(state, interval(100, young=young, idle=idle))
        limits.append(decision.limit_bytes)
    assert state.start.is_over
    assert limits[-1] < max(limits) / 10


def test_without_round_trip_times_the_law_is_as_it_was() -> None:
    def untimed(number: int) -> Interval:
        now = interval(2, young=2 if number < 25 else 0, idle=0.3 if number % 7 else 0.0)
        return replace(now, timed_bytes=0, timed_byte_us=0, dropped_bytes=3_000 * (number % 9 == 0))

    state = POLICY.start(LIMIT_BYTES)
    for number in range(500):
        state, _ = POLICY.step(state, untimed(number))
    assert state.start.lowest_level == -math.inf
    assert state.utilization.events > 2


def after_sawteeth_of(
    length_s: float, *, idle: float = 0.0, sawteeth: int = 8, too_long: float = 5.0
) -> AbsState:
    """Of eight flows whose round-trip time is said to be so many times as long as it is; the link
    idles for a share of each sawtooth."""
    state = POLICY.start(LIMIT_BYTES)
    intervals = round(length_s / INTERVAL_S)
    for number in range(sawteeth * intervals):
        now = interval(
            8,
            young=8 if number < 25 else 0,
            idle=1.0 if number % intervals < idle * intervals else 0.0,
            dropped=3_000 if number % intervals == intervals - 1 else 0,
            round_trip_s=too_long * ROUND_TRIP_S,
        )
        state, _ = POLICY.step(state, now)
    return state


def lasts_after_sawteeth_of(length_s: float, *, idle: float = 0.0) -> bool:
    return not after_sawteeth_of(length_s, idle=idle).start.is_over


def test_a_link_that_stays_busy_from_drop_to_drop_ends_a_start() -> None:
    assert not lasts_after_sawteeth_of(2.0)
    assert lasts_after_sawteeth_of(2.0, idle=0.1)


def test_sawteeth_too_short_to_show_what_a_drop_has_done_do_not_end_a_start() -> None:
    drain_time_s = 5 * PIPE_BYTES / math.sqrt(8) / BYTES_PER_S
    assert lasts_after_sawteeth_of(3.5 * drain_time_s)
    assert not lasts_after_sawteeth_of(6.0 * drain_time_s)


def test_shorter_sawteeth_speed_the_law_up_only_where_they_ended_the_start() -> None:
    believed = after_sawteeth_of(0.1, too_long=1.0, sawteeth=200)
    assert believed.start.is_over
    assert believed.idle_errors.typical == pytest.approx(lasts_s(8), rel=0.1)
    doubted = after_sawteeth_of(2.0)
    assert doubted.idle_errors.typical == pytest.approx(2.0, rel=0.1)
