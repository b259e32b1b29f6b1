"""The control loop in virtual time, on a switch that exists in virtual time only."""

from array import array
from collections import Counter, deque
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.access.rpc_error import PortRefused
from p4abs.control import (
    ControlledPort,
    ControlLoop,
    MemoryPool,
    Sample,
    SwitchSilent,
)
from p4abs.control.loop import LastValues
from p4abs.measurements import Snapshot
from p4abs.policies import Targets, create

INTERVAL_S = 0.02
CAPACITY_BPS = 10_000_000


class Enough(Exception):
    """The loop has run for as long as the test wants."""


def make_loop(
    clock,
    samples: list[Sample],
    ticks: int,
    ports=(2,),
    memory=None,
    limit=50_000,
    capacity_bps: int | None = CAPACITY_BPS,
    notices: list[str] | None = None,
):
    """`capacity_bps` None: not declared, and no policy."""
    targets = Targets(0.98, 0.02, None, 3028, 1_250_000)
    loop = ControlLoop(
        [
            ControlledPort(
                port,
                capacity_bps,
                None if capacity_bps is None else create("abs", capacity_bps, targets),
                limit,
            )
            for port in ports
        ],
        MemoryPool(memory),
        INTERVAL_S,
        clock,
        samples.extend,
        on_tick=lambda: stop_after(loop, ticks),
        on_notice=[].append if notices is None else notices.append,
        on_trouble=[].append if notices is None else notices.append,
        restore=lambda access, ports: access.configure(dict.fromkeys(ports, CAPACITY_BPS), {}),
    )
    return loop


def stop_after(loop: ControlLoop, ticks: int) -> None:
    if loop.statistics.ticks >= ticks:
        raise Enough


def congested(snapshot: Snapshot) -> Snapshot:
    """20 ms at full utilization and 4 % loss."""
    return replace(
        snapshot,
        timestamp_us=snapshot.timestamp_us + 20_000,
        admitted_bytes=snapshot.admitted_bytes + 25_000,
        dropped_bytes=snapshot.dropped_bytes + 1_000,
        departed_bytes=snapshot.departed_bytes + 25_000,
    )


async def run(loop: ControlLoop, switch) -> None:
    await loop.begin(switch)
    with pytest.raises(Enough):
        await loop.run(switch)


async def test_every_interval_gives_one_sample(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    await run(make_loop(clock, samples, ticks=50), switch)
    assert len(samples) == 50
    assert samples[0].utilization == pytest.approx(1.0)
    assert samples[0].loss == pytest.approx(1 / 26)
    assert samples[1].time_s - samples[0].time_s == pytest.approx(INTERVAL_S)


async def test_a_decision_is_written_by_the_next_exchange(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    await run(make_loop(clock, samples, ticks=10), switch)
    decided = [sample.decided_limit_bytes for sample in samples]
    assert len(set(decided)) > 5
    assert [limit for _, limit in switch.written] == [50_000, *decided[:-1]]
    assert [sample.limit_bytes for sample in samples] == [50_000, 50_000, *decided[:-2]]


async def test_an_unchanged_limit_is_not_written_again(clock, switch) -> None:
    await run(make_loop(clock, [], ticks=10), switch)
    assert switch.written == [(2, 50_000)]


async def test_control_begins_from_limits_in_force_without_an_exchange(clock, switch) -> None:
    known = Snapshot(0, 0, 0, 0, limit_bytes=50_000)
    loop = make_loop(clock, [], ticks=10)
    await loop.begin(switch, {2: known})
    assert switch.exchanges == 0
    assert not loop.control.limits_to_write()


async def test_control_begins_with_a_write_where_another_limit_is_in_force(clock, switch) -> None:
    known = Snapshot(0, 0, 0, 0, limit_bytes=40_000)
    await make_loop(clock, [], ticks=10).begin(switch, {2: known})
    assert switch.written == [(2, 50_000)]


async def test_lateness_exchange_time_and_missed_deadlines_are_recorded(clock, switch) -> None:
    clock.oversleep_s = 0.002
    switch.exchange_s = 0.045
    loop = make_loop(clock, [], ticks=4)
    await run(loop, switch)
    assert list(loop.statistics.lateness_s) == pytest.approx([0.002] * 4)
    assert list(loop.statistics.exchange_s) == pytest.approx([0.045] * 4)
    assert loop.statistics.missed_deadlines == 2 * 3


async def test_a_lost_exchange_makes_one_longer_interval(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    switch.lost = {2}
    loop = make_loop(clock, samples, ticks=3)
    await run(loop, switch)
    assert loop.statistics.lost_exchanges == 1
    assert [sample.interval.duration_s for sample in samples] == pytest.approx([0.02, 0.04])


async def test_all_ports_of_an_interval_come_from_one_exchange(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    loop = make_loop(clock, samples, ticks=10, ports=range(1, 101))
    await run(loop, switch)
    assert switch.exchanges == 1 + 10
    assert len(loop.statistics.exchange_s) == 10
    assert [sample.port for sample in samples] == [*range(1, 101)] * 10


async def test_only_limits_that_have_changed_are_written(clock, switch) -> None:
    switch.behave = lambda snapshot: congested(snapshot) if switch.asked % 3 == 2 else snapshot
    await run(make_loop(clock, [], ticks=10, ports=(2, 3, 4)), switch)
    later = switch.written[3:]
    assert len(later) > 5
    assert {port for port, _ in later} == {3}


async def test_a_port_s_lost_answer_makes_that_port_s_interval_longer_alone(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    switch.lost = {2 * 3 + 1}
    loop = make_loop(clock, samples, ticks=4, ports=(2, 3, 4))
    await run(loop, switch)
    assert loop.statistics.lost_exchanges == 1
    durations_s = {
        port: [sample.interval.duration_s for sample in samples if sample.port == port]
        for port in (2, 3, 4)
    }
    regular = pytest.approx([0.02] * 4)
    assert durations_s == {2: regular, 3: pytest.approx([0.02, 0.04, 0.02]), 4: regular}


async def test_a_port_that_the_switch_refuses_is_told_once_each_time_and_the_others_go_on(
    clock, switch
) -> None:
    def withdraw(snapshot: Snapshot) -> Snapshot:
        switch.unknown = {3} if switch.exchanges in (5, 6, 7, 9) else ()
        return congested(snapshot)

    samples: list[Sample] = []
    said: list[str] = []
    switch.behave = withdraw
    loop = make_loop(clock, samples, ticks=10, ports=(2, 3, 4), notices=said)
    await run(loop, switch)
    assert [line for line in said if "OUT_OF_RANGE" in line] == [
        "port 3: read: OUT_OF_RANGE: no such port; trying again; other ports are not affected"
    ] * 2
    assert Counter(sample.port for sample in samples) == {2: 10, 3: 6, 4: 10}
    assert loop.statistics.lost_exchanges == 0


async def test_control_begins_with_the_ports_that_answer(clock, switch) -> None:
    samples: list[Sample] = []
    said: list[str] = []
    switch.behave, switch.unknown, switch.lost = congested, {3}, {2}
    loop = make_loop(clock, samples, ticks=10, ports=(2, 3, 4), notices=said)
    await run(loop, switch)
    assert sum("port 3: read: OUT_OF_RANGE" in line for line in said) == 1
    assert Counter(sample.port for sample in samples) == {2: 10, 4: 9}


async def test_a_switch_that_refuses_every_port_is_given_up(clock, switch) -> None:
    loop = make_loop(clock, [], ticks=10, ports=(2, 3))
    await loop.begin(switch)
    switch.unknown = {2, 3}
    with pytest.raises(PortRefused, match="port 2: read: OUT_OF_RANGE"):
        await loop.run(switch)


async def test_a_switch_that_stays_silent_is_given_up_after_two_seconds(clock, switch) -> None:
    switch.lost = range(10, 10_000)
    loop = make_loop(clock, [], ticks=10_000)
    with pytest.raises(SwitchSilent):
        await loop.run(switch)
    assert clock.time_s == pytest.approx(100 + 10 * INTERVAL_S + 2, abs=2 * INTERVAL_S)


async def test_a_new_connection_starts_a_new_series_and_keeps_the_limits(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    loop = make_loop(clock, samples, ticks=10)
    await run(loop, switch)
    last_limit = loop.control.limits()[2]
    switch.ports.clear()
    switch.written.clear()
    samples.clear()
    await loop.begin(switch)
    assert switch.written == [(2, last_limit)]
    await run(loop, switch)
    assert samples[0].interval.duration_s == pytest.approx(0.02)


async def test_a_restart_under_the_loop_brings_limit_and_drain_rate_back(clock, switch) -> None:
    def restarts_once(snapshot: Snapshot) -> Snapshot:
        return Snapshot(0, 0, 0, 0, 0) if switch.exchanges == 5 else congested(snapshot)

    switch.behave = restarts_once
    await run(make_loop(clock, [], ticks=10), switch)
    assert switch.drain_rates == {2: CAPACITY_BPS}
    assert switch.ports[2].limit_bytes != 0


async def test_what_people_should_know_of_a_port_is_said_with_its_number(clock, switch) -> None:
    switch.behave = congested
    said: list[str] = []
    await run(make_loop(clock, [], ticks=100, notices=said), switch)
    assert len(said) == 1
    assert said[0].startswith("port 2: the switch does not measure idle time")


async def test_a_port_without_a_known_capacity_has_samples(clock, switch) -> None:
    switch.behave = congested
    samples: list[Sample] = []
    loop = make_loop(clock, samples, ticks=10, capacity_bps=None)
    await run(loop, switch)
    assert loop.control.capacities() == {2: None}
    assert {(sample.utilization, sample.queue_delay_s) for sample in samples} == {(None, None)}


async def test_the_limits_of_all_ports_stay_within_the_memory(clock, switch) -> None:
    samples: list[Sample] = []
    switch.behave = congested
    memory = 300_000
    loop = make_loop(clock, samples, ticks=500, ports=(2, 3, 4), memory=memory)
    await run(loop, switch)
    decided = [sample.decided_limit_bytes for sample in samples]
    totals = [sum(limits) for limits in zip(*[iter(decided)] * 3, strict=True)]
    assert max(totals) <= memory
    assert max(totals) > 0.99 * memory


class ReadBesideTheLoop(array):
    """The loop adds a value whenever a reader has read one."""

    def __new__(cls, values: LastValues) -> "ReadBesideTheLoop":
        made = super().__new__(cls, "d", values._values)
        made.values = values
        return made

    def __getitem__(self, index: int) -> float:
        value = super().__getitem__(index)
        self.values.append(-1.0)
        return value


@given(st.integers(1, 9), st.integers(0, 30), st.integers(0, 12))
def test_the_last_values_are_kept_in_their_order(most: int, count: int, asked: int) -> None:
    values, expected = LastValues(most), deque[float](maxlen=most)
    for number in range(count):
        values.append(number)
        expected.append(number)
    assert (list(values), len(values)) == (list(expected), len(expected))
    assert values.last(asked) == list(expected)[max(0, len(expected) - asked) :]


@given(st.integers(0, 30))
def test_the_last_values_are_read_while_the_loop_appends_others(count: int) -> None:
    values = LastValues(10)
    for number in range(count):
        values.append(number)
    values._values = ReadBesideTheLoop(values)
    assert values.last(5) == list(range(count))[-5:]
