"""The limit after a change of the number of flows."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from p4abs.measurements import Interval
from p4abs.policies.abs import Abs, AbsState
from p4abs.policies.abs.feed_forward import (
    LONGEST_ROUND_TRIP_S,
    LOWEST_POWER,
    RISE_S,
    WAIT_ROUND_TRIPS,
    WAIT_S,
    FeedForward,
)
from p4abs.policies.abs.law import FOLLOW
from p4abs.policies.policy import Targets

CAPACITY_BPS = 10e6
BYTES_PER_S = CAPACITY_BPS / 8
INTERVAL_S = 0.02
ROUND_TRIP_S = 0.08
PIPE_BYTES = BYTES_PER_S * ROUND_TRIP_S
LIMIT_BYTES = 100_000


@dataclass
class Port:
    """Feed-forward at a port whose limit goes wherever it says."""

    binds: bool = True
    round_trip_s: float = ROUND_TRIP_S
    full: float = math.nan
    loses: bool = True
    limit_bytes: float = LIMIT_BYTES
    state: FeedForward = field(default_factory=FeedForward)
    moves: list[float] = field(default_factory=list)
    waited_s: float = 0.0

    def see(self, for_s: float, flows: float, young: float = 0.0) -> None:
        for _ in range(round(for_s / INTERVAL_S)):
            self.state = self.state.after(
                INTERVAL_S,
                flows,
                flows - young,
                self.round_trip_s,
                self.full,
                math.log(self.limit_bytes),
                BYTES_PER_S,
                binds=self.binds,
                loses=self.loses,
            )
            self.waited_s += INTERVAL_S if self.state.waits else 0.0
            if self.state.moves:
                self.limit_bytes = math.exp(self.state.level)
                self.moves.append(self.limit_bytes)

    def rise(self, before: float, after: float, for_s: float = 5.0) -> None:
        self.see(0.5, after, young=after - before)
        self.see(for_s, after)


def rested(flows: float, **settings: object) -> Port:
    port = Port(**settings)  # type: ignore[arg-type]
    port.see(10.0, flows)
    assert not port.moves
    return port


def asked_bytes(before: float, after: float, full: float = 1.0) -> float:
    return LIMIT_BYTES + (full * LIMIT_BYTES + PIPE_BYTES) * (after / before - 1)


@pytest.mark.parametrize("factor", [1.5, 2, 4])
def test_the_windows_of_more_flows_fill_the_link_and_a_larger_queue(factor: float) -> None:
    port = rested(16)
    port.rise(16, 16 * factor)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 16 * factor), rel=0.05)


@pytest.mark.parametrize("share", [0.75, 0.65])
def test_those_of_fewer_flows_a_smaller_one(share: float) -> None:
    port = rested(16)
    port.see(5.0, 16 * share)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 16 * share), rel=0.1)


@pytest.mark.parametrize("full", [0.5, 0.9])
def test_the_part_of_the_limit_that_stays_empty_does_not_change(full: float) -> None:
    port = Port(full=full)
    port.see(40.0, 16)
    port.rise(16, 32)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 32, full), rel=0.05)


def test_a_queue_that_has_drained_since_flows_left_is_not_the_mean_one() -> None:
    port = Port(full=0.9)
    port.see(40.0, 16)
    port.full = 0.0
    port.see(5.0, 12)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 12, 0.9), rel=0.03)


def test_nothing_moves_while_the_queue_is_as_full_as_before() -> None:
    port = Port(full=0.5)
    port.see(40.0, 16)
    port.full = 0.1  # for a moment, while all flows are there
    port.see(INTERVAL_S, 16)
    port.full = 0.5
    port.see(20.0, 16)
    port.see(20.0, 8)
    assert not port.moves


def test_a_rise_goes_up_step_by_step_and_never_down() -> None:
    port = rested(16)
    port.limit_bytes *= 1.3  # the errors have seen the first losses
    port.rise(16, 32)
    assert len(port.moves) >= RISE_S / 0.25
    assert port.moves == sorted(port.moves)
    assert port.moves[0] == pytest.approx(1.3 * LIMIT_BYTES)


def test_a_rise_whose_number_is_known_at_once_goes_all_the_way() -> None:
    port = rested(16)
    port.see(0.14, 48, young=32)  # a window that shows both halves of the time
    port.see(RISE_S - 0.14, 32)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, port.state.followed), rel=0.01)
    port.see(5.0, 32)
    assert len(port.moves) >= RISE_S / 0.25
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 32), rel=0.05)


@pytest.mark.parametrize("lasts_s", [0.5, 5.0])
def test_forged_flows_that_lose_nothing_do_not_move_the_limit(lasts_s: float) -> None:
    port = rested(16)
    port.loses = False
    port.see(lasts_s, 16 + 200, young=200)
    port.see(10.0, 16)
    assert not port.moves
    assert not port.waited_s


def test_without_a_round_trip_time_falls_are_answered_and_rises_left_to_errors() -> None:
    port = rested(32, round_trip_s=math.nan)
    port.rise(32, 64)
    assert not port.moves
    assert port.waited_s == 0
    port = rested(32, round_trip_s=math.nan)
    port.see(1.0, 20)
    assert port.limit_bytes == pytest.approx(20 / 32 * LIMIT_BYTES, rel=0.05)
    port.see(2.0, 32)
    assert port.limit_bytes > 0.9 * LIMIT_BYTES


@pytest.mark.parametrize("wrong", [0.5, 2.0])
def test_a_number_that_is_wrong_by_a_factor_asks_for_the_same(wrong: float) -> None:
    port = rested(wrong * 16)
    port.rise(wrong * 16, wrong * 32)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 32), rel=0.05)


@pytest.mark.parametrize("seen_for_s", [0.0, 0.1, 0.2, 0.3])
def test_the_limit_before_the_change_is_what_it_starts_from(seen_for_s: float) -> None:
    port = rested(16)
    port.limit_bytes *= 1.5  # the errors have seen the first losses
    port.see(seen_for_s, 16)
    port.rise(16, 32)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 32), rel=0.06)


@pytest.mark.parametrize("more_s", [0.0, 0.2, 0.4, 0.6])
def test_behind_a_long_queue_the_limit_before_the_change_is_of_longer_ago(more_s: float) -> None:
    limit_bytes = 0.8 * BYTES_PER_S
    port = rested(16, limit_bytes=limit_bytes)
    port.see(more_s, 16)
    port.limit_bytes = 0.75 * limit_bytes  # the errors have seen that nothing is lost
    port.see(5.0, 12)
    windows_bytes = limit_bytes + PIPE_BYTES
    assert port.limit_bytes == pytest.approx(limit_bytes - windows_bytes / 4, rel=0.05)


def test_a_limit_of_more_than_a_second_before_is_not_what_it_starts_from() -> None:
    port = rested(16)
    port.limit_bytes *= 1.5
    port.see(1.5, 16)
    port.rise(16, 32)
    windows_bytes = 1.5 * LIMIT_BYTES + PIPE_BYTES
    assert port.limit_bytes == pytest.approx(1.5 * LIMIT_BYTES + windows_bytes, rel=0.05)


def test_a_fall_is_at_most_the_third_power_of_that_of_the_flows() -> None:
    port = rested(16, round_trip_s=0.5)
    port.see(5.0, 8)
    assert port.limit_bytes == pytest.approx(LIMIT_BYTES / 2**LOWEST_POWER, rel=0.05)


def test_a_change_soon_after_another_one_starts_from_where_that_one_did() -> None:
    port = rested(16)
    port.rise(16, 32, for_s=0.7)
    port.limit_bytes *= 1.5
    port.see(1.3, 32)
    port.rise(32, 64)
    assert port.limit_bytes == pytest.approx(asked_bytes(16, 64), rel=0.05)


def test_nothing_moves_while_loss_does_not_bind() -> None:
    port = rested(16, binds=False)
    port.rise(16, 64)
    port.see(5.0, 16)
    assert not port.moves
    assert not port.waited_s


def test_nothing_moves_behind_a_queue_in_which_flows_are_silent_for_longer_than_counted() -> None:
    port = rested(16, limit_bytes=1.1 * LONGEST_ROUND_TRIP_S * BYTES_PER_S - PIPE_BYTES)
    port.rise(16, 64)
    assert not port.moves


def test_nothing_moves_where_flows_are_not_counted() -> None:
    port = rested(math.nan)
    assert port.state.count == FeedForward().count


def test_nothing_moves_at_the_start_of_flows() -> None:
    port = Port()
    port.see(1.0, 2)
    port.rise(2, 64)
    assert not port.moves


def test_errors_wait_after_a_rise_and_not_after_a_fall() -> None:
    port = rested(16)
    port.rise(16, 32)
    round_trip_s = (PIPE_BYTES + asked_bytes(16, 32)) / BYTES_PER_S
    assert port.waited_s == pytest.approx(WAIT_S + WAIT_ROUND_TRIPS * round_trip_s, abs=0.3)
    port.waited_s = 0.0
    port.see(8.0, 16)
    assert port.waited_s == 0.0


def test_a_model_that_has_not_held_is_trusted_less() -> None:
    port = rested(16)
    for _ in range(4):
        port.rise(16, 32, for_s=RISE_S)
        port.limit_bytes = LIMIT_BYTES  # the errors take it all back
        port.see(30.0, 32)
        port.see(30.0, 16)
        port.limit_bytes = LIMIT_BYTES
        port.see(30.0, 16)
    assert port.state.trust < 0.3
    port.rise(16, 32, for_s=RISE_S)
    assert LIMIT_BYTES < port.limit_bytes < 1.5 * LIMIT_BYTES < asked_bytes(16, 32)


def test_a_model_that_has_held_stays_trusted() -> None:
    port = rested(16)
    for _ in range(4):
        port.rise(16, 32, for_s=30.0)
        port.see(30.0, 16)
    assert port.state.trust > 0.9


def test_flows_that_come_back_after_a_silence_find_the_limit_that_they_left() -> None:
    port = rested(16)
    port.see(2.0, 0)
    port.binds = False
    port.see(10.0, 0)
    port.binds = True
    port.see(0.5, 16, young=16)
    port.see(5.0, 16)
    assert port.limit_bytes == LIMIT_BYTES


def law(utilization: float = 0.98) -> Abs:
    return Abs(CAPACITY_BPS, Targets(utilization, 0.02, None, 3_000, 2_000_000))


def driven(
    interval_of: Callable[[int], Interval],
    steps: int,
    utilization: float = 0.98,
    begun: AbsState | None = None,
    first: int = 0,
) -> AbsState:
    policy = law(utilization)
    state = policy.start(LIMIT_BYTES) if begun is None else begun
    for number in range(first, steps):
        state, _ = policy.step(state, interval_of(number))
    return state


def busy(number: int) -> Interval:
    """2 % of loss, one burst of it in ten intervals."""
    sent_bytes = round(INTERVAL_S * BYTES_PER_S)
    dropped_bytes = round(0.2 * sent_bytes) if number % 10 == 0 else 0
    return Interval(INTERVAL_S, sent_bytes, dropped_bytes, sent_bytes, 0.0)


def counted(flows: float, young: float = 0.0) -> dict[str, int]:
    per_flow_us = 1e6 * INTERVAL_S
    return {
        "active_flow_us": round(flows * per_flow_us),
        "long_flow_us": round((flows - young) * per_flow_us),
        "untracked_bytes": 0,
    }


def test_a_number_that_stands_still_leaves_the_law_as_it_is() -> None:
    without = driven(busy, 2000)
    frozen = driven(lambda number: replace(busy(number), **counted(16)), 2000)
    assert frozen.limit_bytes == without.limit_bytes
    assert frozen.loss == without.loss


def slow_start(number: int) -> Interval:
    """A third of what comes is lost."""
    return replace(busy(number), dropped_bytes=busy(number).departed_bytes // 2)


def joined(number: int, before: float = 16, after: float = 32) -> Interval:
    """More flows than before from the 1000th interval on; they lose for half a second. Their round
    trips take next to no time."""
    since_s = INTERVAL_S * (number - 1000)
    timed = replace(busy(number), timed_bytes=1000, timed_byte_us=1000)
    if since_s < 0:
        return replace(timed, **counted(before))
    if since_s < 0.5:
        lost = {"dropped_bytes": slow_start(number).dropped_bytes}
        return replace(timed, **lost, **counted(after, young=after - before))
    return replace(timed, **counted(after))


def test_the_limit_of_the_law_follows_flows_that_join_within_a_second_and_a_half() -> None:
    before = driven(joined, 1000).limit_bytes
    after = driven(joined, 1075).limit_bytes
    assert after == pytest.approx(2 * before, rel=0.1)


def test_the_limit_of_the_law_grows_by_what_stands_in_the_queue() -> None:
    queue_bytes = 50_000

    def half_full(number: int) -> Interval:
        extremes = {"least_backlog_bytes": 0, "greatest_backlog_bytes": 2 * queue_bytes}
        return replace(joined(number), **extremes)

    before = driven(half_full, 1000).limit_bytes
    after = driven(half_full, 1075).limit_bytes
    assert after == pytest.approx(before + queue_bytes, rel=0.05)


def test_forged_flows_do_not_move_the_limit_of_the_law() -> None:
    def forged(number: int) -> Interval:
        flood = 200.0 if 1000 <= number < 1250 else 0.0
        return replace(busy(number), **counted(16 + flood, young=flood))

    for steps in (1010, 1025, 1050, 1250, 1300, 1500):
        assert driven(forged, steps).limit_bytes == driven(busy, steps).limit_bytes


def test_the_limit_of_the_law_follows_flows_that_leave_within_two_seconds() -> None:
    def left(number: int) -> Interval:
        return replace(busy(number), **counted(32 if number < 1000 else 16))

    before = driven(left, 1000).limit_bytes
    after = driven(left, 1100).limit_bytes
    assert after < 0.6 * before


def test_losses_of_slow_starts_do_not_move_the_limit() -> None:
    def limit_bytes(later_bytes: int) -> int:
        def loses(number: int) -> Interval:
            now = joined(number)
            return replace(now, dropped_bytes=later_bytes) if number > 1025 else now

        return driven(loses, 1000 + round(1.2 / INTERVAL_S)).limit_bytes

    assert limit_bytes(0) == limit_bytes(20_000)


def test_a_fall_leaves_what_keeps_the_link_busy() -> None:
    round_trip_s = 0.1
    timed = {"timed_bytes": 1_000, "timed_byte_us": round(1e9 * round_trip_s)}

    def left(number: int) -> Interval:
        return replace(busy(number), **counted(32 if number < 1000 else 8), **timed)

    before = driven(left, 1000).limit_bytes
    after = driven(left, 1040).limit_bytes  # then the errors go on
    assert after == pytest.approx(BYTES_PER_S * round_trip_s / math.sqrt(8), rel=0.1)
    assert after < 0.75 * before


def following(state: AbsState, swing: float = 0.0) -> AbsState:
    """With a branch of utilization that has followed a limit that swung by so much since."""
    level = math.log(state.limit_bytes) + FOLLOW + swing
    return replace(state, utilization=state.utilization.moved(level))


def test_a_fall_raises_nothing_where_the_limit_is_less_than_the_link_may_need() -> None:
    timed = {"timed_bytes": 1_000, "timed_byte_us": round(1e9 * 0.5)}

    def left(number: int) -> Interval:
        return replace(busy(number), **counted(32 if number < 1000 else 8), **timed)

    before = following(driven(left, 1035))
    after = driven(left, 1045, begun=before, first=1035)
    assert after.feed_forward.asked < 0
    assert 0.8 * before.limit_bytes < after.limit_bytes < 1.02 * before.limit_bytes


@pytest.mark.parametrize("swing", [0.0, 0.08])
def test_the_branch_that_has_followed_a_limit_that_swings_holds_no_fall_up(swing: float) -> None:
    def left(number: int) -> Interval:
        return replace(busy(number), **counted(32 if number < 1000 else 16))

    before = following(driven(left, 1035), swing)
    after = driven(left, 1045, begun=before, first=1035)
    assert after.limit_bytes == pytest.approx(before.limit_bytes / 2, rel=0.15)


def test_nothing_moves_on_a_link_that_idles_though_loss_binds() -> None:
    def idling(number: int) -> Interval:
        now = joined(number)
        half_bytes = now.departed_bytes // 2
        return replace(
            now,
            admitted_bytes=half_bytes,
            departed_bytes=half_bytes,
            dropped_bytes=now.dropped_bytes // 2,
            idle_s=INTERVAL_S / 2,
        )

    state = driven(idling, 1100, utilization=0.4)
    assert state.loss.level >= state.utilization.level
    assert state.feed_forward.count.flows == pytest.approx(32, rel=0.1)
    assert state.feed_forward.asked == 0
