"""Memory that ports lend each other, in virtual time: what is promised of it, and the cases."""

from dataclasses import replace

import pytest
from p4abs.control import ControlledPort, MemoryPool, Rank, Samples, SwitchControl
from p4abs.control.memory import lending
from p4abs.control.memory.lending import REMEMBERED_EXCHANGES
from p4abs.policies import Binding

from controller.tests.control.memory.test_priorities import (
    INTERVAL_US,
    MIN_BYTES,
    SENT_BYTES,
    WAYS,
    Switch,
)

PORTS, MEMORY_BYTES, NEEDED_BYTES = 32, 1_000_000, 105_000
LONG = 3 * REMEMBERED_EXCHANGES


def busy(way: type[SwitchControl], *numbers: int, memory_bytes: int = MEMORY_BYTES) -> Switch:
    """32 ports that each need 105 kB while they have traffic, which these have."""
    switch = Switch(way, memory_bytes, [0] * PORTS, [NEEDED_BYTES] * PORTS)
    switch.empty |= {*range(PORTS)} - {*numbers}
    return switch


@WAYS
def test_a_port_beside_31_silent_ones_has_what_it_needs(way: type[SwitchControl]) -> None:
    limits = busy(way, 2).run(LONG)
    assert limits[2] == NEEDED_BYTES
    assert {*limits[:2], *limits[3:]} == {MIN_BYTES}


@WAYS
@pytest.mark.parametrize("count", [1, 4, 8])
def test_ports_that_take_turns_have_what_they_need_where_it_fits(
    way: type[SwitchControl], count: int
) -> None:
    switch = busy(way)
    switch.run(LONG)
    for turn in range(3):
        theirs = range(turn * count, (turn + 1) * count)
        switch.empty = {*range(PORTS)} - {*theirs}
        # Who was busy before has a queue that drains; new ones fill theirs at once.
        limits = switch.run(3 + 2 * NEEDED_BYTES // SENT_BYTES)
        assert [limits[port] for port in theirs] == [NEEDED_BYTES] * count


@WAYS
def test_what_was_lent_comes_back_within_a_drain_time_of_what_it_was_lent_to(
    way: type[SwitchControl],
) -> None:
    switch = Switch(way, 400_000, [0, 0], [390_000, 200_000])
    switch.empty.add(1)
    assert switch.run(LONG)[0] == 390_000
    switch.empty.clear()
    # An interval to see the traffic, one to write the limits, one to see what has drained.
    drain = -(-(390_000 - 200_000) // SENT_BYTES)
    assert switch.run(3 + drain) == [200_000, 200_000]


@WAYS
def test_a_priority_holds_whatever_came_before(way: type[SwitchControl]) -> None:
    at_once = Switch(way, 400_000, [0, 1], [300_000, 300_000]).run(LONG)
    detour = Switch(way, 8_000_000, [0, 1], [300_000, 300_000])
    assert detour.run(LONG) == [300_000, 300_000]
    detour.memory_bytes = detour.pool.size_bytes = 400_000
    detour.control.share(detour.pool)
    fallen = [*detour.control.limits().values()]
    assert sum(fallen) <= 400_000
    for _ in range(40):
        _pass_interval(detour)
    assert [*detour.control.limits().values()] == at_once == [100_000, 300_000]


def _pass_interval(switch: Switch) -> None:
    """As Switch.run, while queues of a larger memory drain."""
    for number, limit_bytes in switch.control.limits_to_write().items():
        switch.now[number] = replace(switch.now[number], limit_bytes=limit_bytes)
    switch.control.decide(dict(switch.now), switch.pool)
    for number in switch.now:
        switch._pass_interval(number)


@WAYS
def test_a_port_that_is_short_of_memory_says_who_holds_it(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 0, 0], [300_000] * 3)
    switch.run(LONG)
    steps = switch.control.decide(dict(switch.now), switch.pool)
    samples = [*Samples.of(0.0, switch.control.numbers, steps, 0.0, 0.0)]
    assert {sample.binding for sample in samples} == {Binding.MEMORY}
    assert {sample.held_by_memory for sample in samples} == {"2 ports hold 260.4KiB of 390.6KiB"}
    assert sum(sample.held_bytes for sample in samples) <= 400_000


@WAYS
def test_where_memory_suffices_nothing_is_said_of_it(way: type[SwitchControl]) -> None:
    switch = busy(way, 2)
    switch.run(LONG)
    samples = [*Samples.of(0.0, switch.control.numbers, _step(switch), 0.0, 0.0)]
    assert {sample.held_by_memory for sample in samples} == {""}
    assert Binding.MEMORY not in {sample.binding for sample in samples}


def _step(switch: Switch):
    return switch.control.decide(dict(switch.now), switch.pool)


@WAYS
def test_light_traffic_keeps_twice_its_longest_queue_of_late(way: type[SwitchControl]) -> None:
    switch = Switch(way, 398_000, [0, 0], [390_000, 105_000])
    switch.empty.add(1)
    switch.run(LONG)
    peak_bytes, now = 4000, switch.now[1]
    for tick in range(LONG):
        now = replace(
            now,
            timestamp_us=now.timestamp_us + INTERVAL_US,
            admitted_bytes=now.admitted_bytes + 9000,
            departed_bytes=now.departed_bytes + 9000,
            greatest_backlog_bytes=peak_bytes if tick % 7 == 0 else 0,
            limit_bytes=switch.control.limits()[1],
        )
        switch.now[1] = now
        switch.run(1)
    assert [*switch.control.limits().values()] == [390_000, 2 * peak_bytes]


@WAYS
def test_what_nobody_needs_stays_with_a_port_that_was_busy_until_another_needs_it(
    way: type[SwitchControl], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lending, "KEPT_EXCHANGES", 2 * LONG)
    switch = Switch(way, 400_000, [0, 0], [300_000, 200_000])
    switch.empty.add(0)
    switch.run(LONG)
    switch.empty = {0, 1}
    assert switch.run(LONG)[1] == 200_000
    switch.empty = {1}
    assert switch.run(20) == [300_000, 100_000]
    switch.empty = {0, 1}
    assert switch.run(2 * LONG + 20) == [MIN_BYTES] * 2


@WAYS
def test_a_static_port_keeps_its_limit_without_traffic(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 7], [0, 390_000], policies={0: "static"})
    switch.empty.add(0)
    assert switch.run(LONG)[0] == 200_000


def test_memory_that_is_not_shared_any_more_bounds_nothing() -> None:
    for way in WAYS.args[1]:
        switch = Switch(way, 400_000, [0, 0], [300_000, 300_000])
        switch.run(LONG)
        switch.control.decide(dict(switch.now), MemoryPool(None))
        assert switch.control.limits() == switch.control.own_limits()
        assert switch.control.memory is None


def test_a_rank_keeps_nothing_unless_said() -> None:
    assert Rank() == Rank(0, 0, is_fixed=False)
    assert ControlledPort(1, None, None, 1).rank == Rank()
