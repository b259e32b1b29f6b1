"""Ports that share memory by priorities, in virtual time."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean

import pytest
from p4abs.control import ControlledPort, MemoryPool, Rank, Samples, SwitchControl
from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.measurements import Snapshot
from p4abs.policies import Targets, create

from controller.tests.control.test_switch_control import Registers, a_port
from controller.tests.policies.test_fluid_plant import BYTES_PER_S, FluidPlant

CAPACITY_BPS, INTERVAL_US = 10_000_000, 20_000
SENT_BYTES = CAPACITY_BPS * INTERVAL_US // 8_000_000
MIN_BYTES = 3028
WAYS = pytest.mark.parametrize("way", [BatchedControl, PerPortControl])


def ranked(port: ControlledPort, priority: int) -> ControlledPort:
    return replace(port, rank=Rank(priority, MIN_BYTES))


@pytest.mark.parametrize(("seed", "memory"), [(1, None), (4, 300_000), (1, 1_000_000)])
def test_both_ways_share_alike_to_the_last_bit(seed: int, memory: int | None) -> None:
    rng = Random(seed)
    drawn = [a_port(number, rng) for number in range(1, 9)]
    ports = [ranked(port, rng.choice([0, 1, 4])) for port, _ in drawn]
    ways, pool, falls = [BatchedControl(ports), PerPortControl(ports)], MemoryPool(memory), 0
    for tick in range(300):
        written = ways[0].limits_to_write()
        assert ways[1].limits_to_write() == written
        brought = {port.port: each.snapshot(written.get(port.port)) for port, each in drawn}
        taken = {number: snapshot for number, snapshot in brought.items() if snapshot is not None}
        if tick % 100 == 99:
            ranks = {port.port: Rank(rng.choice([0, 1, 4]), MIN_BYTES) for port in ports}
            for way in ways:
                way.rank(ranks)
        before = ways[0].limits()
        batched, per_port = (
            [] if steps is None else [*Samples.of(0.0, way.numbers, steps, 0.0, 0.0)]
            for way, steps in [(way, way.decide(taken, pool)) for way in ways]
        )
        assert batched == per_port
        assert ways[0].limits() == ways[1].limits()
        assert ways[0].take_restarted() == sorted(ways[1].take_restarted())
        falls += sum(limit < before[number] for number, limit in ways[0].limits().items())
    assert falls > 100


@WAYS
def test_equal_priorities_are_no_priorities(way: type[SwitchControl]) -> None:
    rng = Random(4)
    drawn: list[tuple[ControlledPort, Registers]] = [a_port(number, rng) for number in range(1, 9)]
    unranked = way([ranked(port, 0) for port, _ in drawn])
    equal = way([ranked(port, 5) for port, _ in drawn])
    pool = MemoryPool(400_000)
    for _ in range(300):
        written = unranked.limits_to_write()
        brought = {port.port: each.snapshot(written.get(port.port)) for port, each in drawn}
        taken = {number: snapshot for number, snapshot in brought.items() if snapshot is not None}
        for each in (unranked, equal):
            each.decide(taken, pool)
        assert unranked.limits() == equal.limits()


@dataclass
class Switch:
    """Ports of 10 Mbit/s whose policies ask for fixed limits (the rule of thumb, of a round trip),
    and whose queues are as full as they may be, but for those that are empty or stuck."""

    way: type[SwitchControl]
    memory_bytes: int
    priorities: Sequence[int]
    wanted_bytes: list[int]
    empty: set[int] = field(default_factory=set)
    stuck: set[int] = field(default_factory=set)
    policies: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pool = MemoryPool(self.memory_bytes)
        numbers = range(len(self.priorities))
        self.now = {number: Snapshot(0, 0, 0, 0, 0) for number in numbers}
        self.control = self.way([self._port(number) for number in numbers])
        self.fullest_bytes = 0

    def want(self, number: int, bytes_: int) -> None:
        """Another limit from now on."""
        self.wanted_bytes[number] = bytes_
        limit_bytes = self.control.limits()[number]
        self.control.adopt([replace(self._port(number), limit_bytes=limit_bytes)])

    def run(self, intervals: int) -> list[int]:
        """Returns the limits at their end."""
        for _ in range(intervals):
            for number, limit_bytes in self.control.limits_to_write().items():
                self.now[number] = replace(self.now[number], limit_bytes=limit_bytes)
            self.control.decide(dict(self.now), self.pool)
            limits = [*self.control.limits().values()]
            assert sum(limits) <= self.memory_bytes
            assert min(limits) >= MIN_BYTES
            for number in self.now:
                self._pass_interval(number)
            queued = sum(each.occupancy_bytes for each in self.now.values())
            assert queued <= self.memory_bytes
        return limits

    def _port(self, number: int) -> ControlledPort:
        targets = Targets(0.98, 0.02, None, MIN_BYTES, 10_000_000)
        name = self.policies.get(number, "bdp")
        parameters = {} if name == "static" else {"mean_rtt_s": self.wanted_bytes[number] / 1.25e6}
        policy = create(name, CAPACITY_BPS, targets, **parameters)
        limit_bytes = self.memory_bytes // len(self.priorities)
        rank = Rank(self.priorities[number], MIN_BYTES, name == "static")
        return ControlledPort(number, CAPACITY_BPS, policy, limit_bytes, rank=rank)

    def _pass_interval(self, number: int) -> None:
        now = self.now[number]
        sent = 0 if number in self.stuck else min(SENT_BYTES, now.occupancy_bytes)
        room = 0 if number in self.empty else now.limit_bytes - (now.occupancy_bytes - sent)
        self.now[number] = replace(
            now,
            timestamp_us=now.timestamp_us + INTERVAL_US,
            admitted_bytes=now.admitted_bytes + max(0, room),
            departed_bytes=now.departed_bytes + sent,
        )


@WAYS
def test_a_higher_port_gets_all_it_wants_and_lower_ones_share_the_rest(
    way: type[SwitchControl],
) -> None:
    switch = Switch(way, 400_000, [0, 2, 0, 1], [300_000] * 4)
    limits = switch.run(200)
    assert limits[1] == 300_000
    assert limits[3] == 400_000 - 300_000 - 2 * MIN_BYTES
    assert limits[0] == limits[2] == MIN_BYTES


@WAYS
def test_what_a_higher_port_asks_for_comes_from_those_of_the_lower_ones_that_have_most(
    way: type[SwitchControl],
) -> None:
    switch = Switch(way, 400_000, [0, 1, 0, 0], [150_000, 20_000, 90_000, 120_000])
    assert switch.run(50) == [150_000, 20_000, 90_000, 120_000]
    switch.want(1, 120_000)
    assert switch.run(100) == [95_000, 120_000, 90_000, 95_000]


@WAYS
def test_a_port_in_between_gives_nothing_while_lower_ones_can(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 2, 1], [180_000, 40_000, 180_000])
    assert switch.run(50) == [180_000, 40_000, 180_000]
    switch.want(1, 140_000)
    limits = [switch.run(1) for _ in range(50)]
    assert limits[-1][:2] == [80_000, 140_000]
    assert {limit for _, _, limit in limits} == {180_000}


@WAYS
def test_memory_comes_back_to_lower_ports_when_a_higher_one_wants_less(
    way: type[SwitchControl],
) -> None:
    switch = Switch(way, 400_000, [0, 1], [300_000, 300_000])
    assert switch.run(100) == [100_000, 300_000]
    switch.want(1, 50_000)
    assert switch.run(100) == [300_000, 50_000]


@WAYS
def test_no_more_is_taken_than_is_asked_for_while_queues_drain(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 1], [390_000, 10_000])
    switch.run(50)
    switch.want(1, 110_000)
    # A queue of 390 kB takes four intervals to drain by 100 kB.
    lowest = min(switch.run(1)[0] for _ in range(30))
    assert lowest == pytest.approx(290_000, abs=10)


@WAYS
def test_memory_in_a_queue_that_does_not_drain_is_not_waited_for(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 1, 0], [190_000, 20_000, 190_000])
    switch.run(50)
    switch.stuck.add(0)
    switch.want(1, 150_000)
    # What stands in the queue that is stuck is nobody else's.
    assert switch.run(100) == [190_000, 150_000, 60_000]


@WAYS
def test_a_port_that_does_not_answer_is_not_waited_for(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 2, 1], [190_000, 20_000, 190_000])
    switch.run(50)
    silent = switch.now.pop(0)
    switch.want(1, 150_000)
    assert switch.run(100) == [190_000, 150_000, pytest.approx(60_000, abs=10)]
    assert silent.limit_bytes == 190_000


@WAYS
def test_a_static_limit_gives_nothing_back_and_those_above_it_do(
    way: type[SwitchControl],
) -> None:
    switch = Switch(way, 300_000, [0, 2, 1], [0, 200_000, 100_000], policies={0: "static"})
    assert switch.run(100) == [100_000, 300_000 - 100_000 - MIN_BYTES, MIN_BYTES]


@WAYS
def test_a_port_without_a_policy_yet_gives_back_what_it_has(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 1], [200_000, 350_000])
    unsized = ControlledPort(0, None, None, 200_000, rank=Rank(0, MIN_BYTES))
    switch.control.adopt([unsized])
    assert switch.run(100) == [50_000, 350_000]


@WAYS
def test_another_priority_holds_from_the_next_interval_on(way: type[SwitchControl]) -> None:
    switch = Switch(way, 400_000, [0, 1], [300_000, 300_000])
    assert switch.run(100) == [100_000, 300_000]
    switch.control.rank({0: Rank(2, MIN_BYTES)})
    assert switch.run(100) == [300_000, 100_000]


def test_the_law_of_a_higher_port_meets_its_target_where_equal_ones_do_not() -> None:
    """`abs` asks for memory at drops only, and memory that is given back comes later."""
    needed_bytes = 0.14 * BYTES_PER_S
    memory_bytes = int(1.5 * needed_bytes)

    def mean_limits(priorities: Sequence[int]) -> list[float]:
        targets = Targets(0.98, 0.02, None, MIN_BYTES, 1_250_000)
        policy = create("abs", CAPACITY_BPS, targets)
        plants = [FluidPlant(0.14, 0.01, seed=number) for number, _ in enumerate(priorities)]
        control = PerPortControl(
            [
                ControlledPort(
                    number,
                    CAPACITY_BPS,
                    policy,
                    memory_bytes // len(priorities),
                    rank=Rank(priority, MIN_BYTES),
                )
                for number, priority in enumerate(priorities)
            ]
        )
        now, limits = [Snapshot(0, 0, 0, 0, 0, 0, 0) for _ in plants], []
        for _ in range(1500):
            for number, limit_bytes in control.limits_to_write().items():
                now[number] = replace(now[number], limit_bytes=limit_bytes)
            control.decide(dict(enumerate(now)), MemoryPool(memory_bytes))
            limits.append([*control.limits().values()])
            now = [_after(before, plant) for before, plant in zip(now, plants, strict=True)]
        return [fmean(of_port) for of_port in zip(*limits[750:], strict=True)]

    equal, ranked = mean_limits([0, 0, 0]), mean_limits([0, 1, 0])
    assert max(equal) < 0.7 * needed_bytes
    assert ranked[1] == pytest.approx(needed_bytes, rel=0.05)
    assert min(ranked) > MIN_BYTES


def _after(before: Snapshot, plant: FluidPlant) -> Snapshot:
    interval = plant.interval(before.limit_bytes)
    sent = interval.departed_bytes
    return replace(
        before,
        timestamp_us=before.timestamp_us + INTERVAL_US,
        admitted_bytes=before.admitted_bytes + sent,
        dropped_bytes=before.dropped_bytes + interval.dropped_bytes,
        departed_bytes=before.departed_bytes + sent,
        unsaturated_us=before.unsaturated_us + round(INTERVAL_US * (1 - sent / SENT_BYTES)),
    )
