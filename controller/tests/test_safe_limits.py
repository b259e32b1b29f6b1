"""Limits that are left behind, on a switch that exists in virtual time only."""

from dataclasses import replace

import pytest
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import PortRefused
from p4abs.config import Source, load_settings
from p4abs.measurements import Snapshot
from p4abs.session.ports.controls import shared_out
from p4abs.session.ports.safe_limits import leave_limits, safe_limits

PORTS = [
    {"number": 1, "capacity": "10Mbit", "priority": 2},
    {"number": [2, 3], "capacity": "10Mbit"},
]
(SETTINGS,) = load_settings(Source({"port": PORTS, "switch": {"memory": "500kB"}}), {}).switch

HELD = {2: 90_000, 3: 10_000}


def test_safe_limits_which_no_policy_has_asked_for_are_shared_as_among_equals() -> None:
    # 250 ms of 10 Mbit/s are 312.5 kB.
    limits = safe_limits(
        SETTINGS, dict.fromkeys([1, 2, 3], 10_000), dict.fromkeys([1, 2, 3], 10**7)
    )
    assert limits == dict.fromkeys([1, 2, 3], 166_666)


def test_a_safe_limit_that_is_configured_is_not_less_for_those_that_are_not() -> None:
    ports = [{"number": 1, "capacity": "10Mbit", "safe-limit": "400kB"}, *PORTS[1:]]
    (settings,) = load_settings(Source({"port": ports, "switch": {"memory": "500kB"}}), {}).switch
    limits = safe_limits(
        settings, dict.fromkeys([1, 2, 3], 10_000), dict.fromkeys([1, 2, 3], 10**7)
    )
    assert limits == {1: 400_000, 2: 50_000, 3: 50_000}


def test_what_ranks_higher_comes_first() -> None:
    wanted = dict.fromkeys([1, 2, 3], 312_500)
    limits = shared_out(SETTINGS, wanted, {1: 2, 2: 0, 3: 0})
    assert limits == {1: 312_500, 2: 93_750, 3: 93_750}


@pytest.mark.parametrize("unlimited", [1, 2])
def test_a_port_without_a_limit_gets_one_of_what_others_leave(unlimited: int) -> None:
    wanted = {1: 150_000, 2: 150_000, 3: 150_000} | {unlimited: 0}
    limits = shared_out(SETTINGS, wanted, {1: 2, 2: 0, 3: 0})
    assert sum(limits.values()) <= 500_000
    assert 100_000 < limits[unlimited] < 400_000
    assert unlimited == 1 or limits[1] == 150_000


async def test_a_limit_without_an_answer_is_written_again_and_no_other(switch, clock) -> None:
    switch.lost = {1, 3}
    await leave_limits(switch, {2: 2000, 3: 3000, 4: 4000}, {}, None, clock)
    assert switch.written == [(2, 2000), (3, 3000), (4, 4000), (3, 3000), (3, 3000)]


async def test_a_limit_that_is_never_answered_fails_and_the_others_are_written(
    switch, clock
) -> None:
    switch.lost = {0, 2, 3}
    with pytest.raises(ExchangeTimeout, match="reply 3"):
        await leave_limits(switch, {2: 2000, 3: 3000}, {}, None, clock)
    assert switch.ports[3].limit_bytes == 3000
    assert switch.exchanges == 3


@pytest.mark.parametrize("drains", [True, False])
async def test_what_a_limit_gives_back_is_left_to_others_when_its_queue_has_drained(
    switch, clock, drains
) -> None:
    """Or when a second has passed, as a link that is paused may stay so."""

    def drain(snapshot: Snapshot) -> Snapshot:
        left = snapshot.admitted_bytes - snapshot.departed_bytes
        departed = min(left, 30_000) if drains and switch.written else 0
        return replace(
            snapshot,
            timestamp_us=snapshot.timestamp_us + departed,
            departed_bytes=snapshot.departed_bytes + departed,
        )

    switch.behave = drain
    switch.ports = {2: Snapshot(0, 90_000, 0, 0, 90_000), 3: Snapshot(0, 0, 0, 0, 10_000)}
    begun_s, limits = clock.now_s(), {2: 10_000, 3: 50_000}
    await leave_limits(switch, limits, HELD, 100_000, clock)
    raised = switch.written.index((3, 50_000))
    assert (2, 10_000) in switch.written[:raised]
    assert {port: each.limit_bytes for port, each in switch.ports.items()} == limits
    assert clock.now_s() - begun_s < (0.1 if drains else 1.2)
    assert drains or clock.now_s() - begun_s > 0.9


@pytest.mark.parametrize(("held", "exchanges"), [({2: 40_000, 3: 10_000}, 1), (HELD, 3)])
async def test_limits_that_fit_are_left_at_once(switch, clock, held, exchanges) -> None:
    """Beside what others may still hold, else once they have shown that they no longer do."""
    switch.ports = {port: Snapshot(0, 0, 0, 0, limit) for port, limit in held.items()}
    await leave_limits(switch, {2: 10_000, 3: 50_000}, held, 100_000, clock)
    assert switch.exchanges == exchanges
    assert (switch.written[1] == (3, 50_000)) is (exchanges == 1)
    assert switch.written[-2:] == [(2, 10_000), (3, 50_000)]


async def test_no_limit_rises_into_what_answers_that_are_repeated_may_hide(switch, clock) -> None:
    """They tell of an instant at which the queue was empty."""
    once = Snapshot(5, 7, 0, 7, 50_000)
    switch.ports = {2: once, 3: Snapshot(0, 0, 0, 0, 10_000)}
    switch.behave = lambda now: once if now.admitted_bytes == once.admitted_bytes else now
    await leave_limits(switch, {2: 10_000, 3: 50_000}, HELD, 100_000, clock)
    assert {*switch.written} == {(2, 10_000), (3, 10_000)}


async def test_no_limit_rises_into_what_a_port_holds_that_is_not_left(switch, clock) -> None:
    """Such as an observed one."""
    switch.ports = {2: Snapshot(0, 0, 0, 0, 10_000), 3: Snapshot(0, 0, 0, 0, 10_000)}
    held = {1: 60_000, 2: 10_000, 3: 10_000}
    await leave_limits(switch, {2: 10_000, 3: 50_000}, held, 100_000, clock)
    assert switch.written[:2] == [(2, 10_000), (3, 30_000)]
    assert switch.written[-2:] == [(2, 10_000), (3, 50_000)]
    assert 0.9 < clock.now_s() - 100.0 < 1.2


async def test_a_port_that_tells_nothing_holds_nobody_up(switch, clock) -> None:
    switch.ports = {2: Snapshot(0, 0, 0, 0, 90_000)}
    switch.unknown = {3}
    with pytest.raises(PortRefused):
        await leave_limits(switch, {2: 10_000, 3: 50_000}, HELD, 100_000, clock)
    assert switch.ports[2].limit_bytes == 10_000
    assert switch.exchanges == 5


async def test_a_lost_answer_costs_no_port_its_safe_limit(switch, clock) -> None:
    switch.ports = {2: Snapshot(0, 0, 0, 0, 90_000), 3: Snapshot(0, 0, 0, 0, 10_000)}
    switch.lost = {1}
    await leave_limits(switch, {2: 10_000, 3: 50_000}, HELD, 100_000, clock)
    assert {port: each.limit_bytes for port, each in switch.ports.items()} == {2: 10_000, 3: 50_000}


async def test_slow_answers_make_the_wait_for_room_no_longer(switch, clock) -> None:
    switch.exchange_s = 0.25
    switch.ports = {2: Snapshot(0, 90_000, 0, 0, 90_000), 3: Snapshot(0, 0, 0, 0, 10_000)}
    begun_s = clock.now_s()
    await leave_limits(switch, {2: 10_000, 3: 50_000}, HELD, 100_000, clock)
    assert clock.now_s() - begun_s < 2.0
