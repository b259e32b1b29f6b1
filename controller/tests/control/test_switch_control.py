"""All ports of a switch at once get, bit for bit, what each gets alone in its turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from p4abs.config import PortSettings
from p4abs.control import (
    ControlledPort,
    MemoryPool,
    PortControl,
    Rank,
    Sample,
    Samples,
    SwitchControl,
)
from p4abs.control.batched import BatchedControl
from p4abs.control.batched.series import SwitchSeries
from p4abs.control.per_port import PerPortControl, control_of
from p4abs.control.port_control import Step
from p4abs.control.series import News, SnapshotSeries
from p4abs.control.ways import FEW_PORTS, switch_control
from p4abs.measurements import Snapshot
from p4abs.session.ports.limits import PortLimits

TOP = 2**64
NOTHING = Snapshot(0, 0, 0, 0, 0)
POLICIES = ["abs", "abs", "abs", "abs-paper", "adt", "static"]


@dataclass
class Registers:
    """A port's registers and what becomes of its snapshots: some come late, twice or never."""

    random: Random
    capacity_bps: int
    measures_idle: bool
    marks: bool
    now: Snapshot = field(init=False)
    taken: list[Snapshot] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = self._fresh(self.random.choice([0, TOP - 10**6]))

    def snapshot(self, limit_bytes: int | None) -> Snapshot | None:
        """What an exchange brings after this limit has been written."""
        rng = self.random
        if limit_bytes is not None:
            self.now = replace(self.now, limit_bytes=limit_bytes)
        if rng.random() < 0.002:
            self.now, self.taken = self._fresh(0), []
        self._advance(rng.choice([20_000] * 40 + [0, 0, 3_000_000]))
        self.taken.append(self.now)
        fate = rng.random()
        if fate < 0.05:
            return None
        return rng.choice(self.taken[-9:]) if fate < 0.1 else self.now

    def _fresh(self, start: int) -> Snapshot:
        idle = (start, start) if self.measures_idle else (None, None)
        return Snapshot(0, start, start, start, 0, *idle, 0, 0, start if self.marks else None)

    def _advance(self, time_us: int) -> None:
        rng, now = self.random, self.now
        busy = rng.choice([1.0, 1.0, 1.0, 0.4, 0.0])
        sent = round(busy * self.capacity_bps * time_us / 8e6) or rng.choice([0, 900])
        moved: dict[str, Any] = {
            "timestamp_us": now.timestamp_us + time_us,
            "admitted_bytes": (now.admitted_bytes + sent) % TOP,
            "dropped_bytes": (now.dropped_bytes + rng.choice([0, 0, 0, sent // 9])) % TOP,
            "departed_bytes": (now.departed_bytes + (sent if time_us else 0)) % TOP,
            "least_backlog_bytes": rng.choice([None, rng.randrange(900)]),
            "greatest_backlog_bytes": rng.choice([None, 1000 + rng.randrange(900)]),
        }
        if self.measures_idle:
            unsaturated_us = round((1 - busy) * time_us)
            moved["unsaturated_us"] = (now.unsaturated_us + unsaturated_us) % TOP
            few = rng.randrange(400) if busy < 1 else 0
            moved["unsaturated_bytes"] = (now.unsaturated_bytes + few) % TOP
        if self.marks:
            moved["marked_bytes"] = (now.marked_bytes + rng.choice([0, sent // 20])) % TOP
        self.now = replace(now, **moved)


def a_port(number: int, rng: Random) -> tuple[ControlledPort, Registers]:
    """A port like none of the others, with or without a declared capacity."""
    capacity_bps = rng.choice([2_000_000, 10_000_000, 100_000_000])
    settings = PortSettings.model_validate(
        {"number": number, "policy": rng.choice(POLICIES), "loss": rng.choice([0.02, 0.001])}
    )
    declared_bps = rng.choice([None, capacity_bps, round(1.1 * capacity_bps)])
    port = ControlledPort(
        number,
        declared_bps,
        None if declared_bps is None else settings.make_policy(declared_bps),
        rng.choice([20_000, 60_000]),
        sizing=PortLimits(settings) if declared_bps is None else None,
        measures_idle=rng.random() < 0.9,
    )
    return port, Registers(rng, capacity_bps, rng.random() < 0.9, rng.random() < 0.5)


def snapshots(
    ports: Sequence[ControlledPort], registers: Sequence[Registers]
) -> dict[int, Snapshot]:
    """Of the ports that answer this time."""
    brought = [each.snapshot(20_000) for each in registers]
    return {port.port: each for port, each in zip(ports, brought, strict=True) if each is not None}


def observe_in_turn(
    alone: list[PortControl], taken: dict[int, Snapshot]
) -> tuple[list[tuple[PortControl, Step]], list[str]]:
    """Each port's step, and what was said."""
    steps, lines = [], []
    for port in alone:
        if port.port in taken:
            step = port.decide(taken[port.port], None)
            lines += [f"port {port.port}: {line}" for line in port.take_notices()]
            if step is not None:
                steps.append((port, step))
    return steps, lines


def assert_same(sample: Sample, port: PortControl, step: Step) -> None:
    decision = step.decision
    assert sample.port == port.port
    assert (sample.interval, sample.limit_bytes) == (step.interval, step.limit_bytes)
    assert sample.decided_limit_bytes == decision.limit_bytes
    assert (sample.binding, sample.gains) == (decision.binding, decision.gains)
    assert sample.unreachable == decision.unreachable
    assert sample.measured_capacity_bps == port.measured_capacity_bps


WAYS = [BatchedControl, PerPortControl]


@pytest.mark.parametrize("control", WAYS)
@pytest.mark.parametrize(("seed", "count"), [(1, 8), (4, 4)])
def test_what_the_ports_of_a_switch_get_is_what_each_gets_alone(
    seed: int, count: int, control: type[SwitchControl]
) -> None:
    rng = Random(seed)
    ports, registers = zip(*(a_port(number, rng) for number in range(1, 1 + count)), strict=True)
    switch, pool, decided = control(ports), MemoryPool(None), 0
    restarted: list[int] = []
    alone = [*map(control_of, ports)]
    for tick in range(400):
        wanted = {port.port: port.limit_to_write for port in alone}
        written = {number: limit for number, limit in wanted.items() if limit is not None}
        assert switch.limits_to_write() == written
        brought = {
            port.port: each.snapshot(written.get(port.port))
            for port, each in zip(ports, registers, strict=True)
        }
        if tick % 150 == 149:
            for each in (switch, *alone):
                each.forget()
        taken = {number: snapshot for number, snapshot in brought.items() if snapshot is not None}
        expected, lines = observe_in_turn(alone, taken)
        steps = switch.decide(taken, pool)
        samples = [] if steps is None else [*Samples.of(0.0, switch.numbers, steps, 0.0, 0.0)]
        for sample, own in zip(samples, expected, strict=True):
            assert_same(sample, *own)
        assert switch.limits() == {port.port: port.limit_bytes for port in alone}
        assert switch.capacities() == {port.port: port.capacity_bps for port in alone}
        restarted += switch.take_restarted()
        assert [restarted.count(port.port) for port in alone] == [port.restarts for port in alone]
        assert sorted(switch.take_notices()) == sorted(lines)
        decided += len(expected)
    assert decided > 200 * count
    assert sum(port.restarts for port in alone) > 0


@pytest.mark.parametrize("control", WAYS)
def test_a_port_changes_its_policy_and_the_others_do_not_notice(
    control: type[SwitchControl],
) -> None:
    rng = Random(5)
    ports, registers = zip(*(a_port(number, rng) for number in range(1, 9)), strict=True)
    switch, alone = control(ports), [*map(control_of, ports)]
    for tick in range(300):
        taken = snapshots(ports, registers)
        observe_in_turn(alone, taken)
        switch.decide(taken, MemoryPool(None))
        limits, expected = switch.limits(), {port.port: port.limit_bytes for port in alone}
        assert limits | {3: 0} == expected | {3: 0}
        if tick % 20 == 0:
            settings = PortSettings.model_validate({"number": 3, "policy": rng.choice(POLICIES)})
            switch.adopt([ControlledPort(3, None, settings.make_policy(10_000_000), 33_000)])
            assert switch.port(3).limit_bytes == switch.limits_to_write()[3] == 33_000


@pytest.mark.parametrize("control", WAYS)
def test_ports_change_their_policies_together_as_one_by_one(
    control: type[SwitchControl],
) -> None:
    rng = Random(6)
    ports, registers = zip(*(a_port(number, rng) for number in range(1, 13)), strict=True)
    batched, in_turn = control(ports), control(ports)
    for tick in range(300):
        taken = snapshots(ports, registers)
        for each in (batched, in_turn):
            each.decide(taken, MemoryPool(None))
        assert batched.limits() == in_turn.limits()
        if tick % 20 == 0:
            settings = PortSettings.model_validate({"number": 1, "policy": rng.choice(POLICIES)})
            policy = settings.make_policy(10_000_000)
            changed = [ControlledPort(n, None, policy, 33_000) for n in rng.sample(range(1, 13), 5)]
            batched.adopt(changed)
            for port in changed:
                in_turn.adopt([port])


def change(rng: Random, there: list[int]) -> tuple[set[int], list[int]]:
    """Who goes and who comes, some of them at once again: 4 to 12 ports are there then."""
    gone = {*rng.sample(there, rng.randrange(4))}
    free = ({*range(1, 30)} - {*there}) | gone
    staying = len(there) - len(gone)
    return gone, rng.sample(sorted(free), rng.randrange(max(0, 4 - staying), 13 - staying))


@pytest.mark.parametrize("control", WAYS)
def test_ports_come_and_go_and_the_others_get_what_each_gets_alone(
    control: type[SwitchControl],
) -> None:
    """Some come again at once, which is another control of the port."""
    rng, pool, told = Random(9), MemoryPool(None), 0
    there = {number: a_port(number, rng) for number in range(1, 9)}
    switch = control([port for port, _ in there.values()])
    alone = {number: control_of(port) for number, (port, _) in there.items()}
    for tick in range(200):
        if tick % 10 == 0:
            gone, numbers = change(rng, [*there])
            come = {n: a_port(n, rng) for n in numbers}
            switch.replace(gone, [port for port, _ in come.values()])
            there = {n: each for n, each in there.items() if n not in gone} | come
            alone = {n: each for n, each in alone.items() if n not in gone}
            alone |= {n: control_of(port) for n, (port, _) in come.items()}
            assert switch.numbers == (*alone,)
        taken = snapshots(*zip(*there.values(), strict=True))
        expected, lines = observe_in_turn([*alone.values()], taken)
        steps = switch.decide(taken, pool)
        samples = [] if steps is None else [*Samples.of(0.0, switch.numbers, steps, 0.0, 0.0)]
        for sample, own in zip(samples, expected, strict=True):
            assert_same(sample, *own)
        assert switch.limits() == {number: port.limit_bytes for number, port in alone.items()}
        assert switch.capacities() == {number: port.capacity_bps for number, port in alone.items()}
        assert sorted(switch.take_notices()) == sorted(lines)
        told += len(samples)
    assert told > 700


def test_ports_that_share_memory_come_and_go_in_both_ways_alike_and_within_it() -> None:
    rng, pool = Random(11), MemoryPool(400_000)

    def ranked(number: int) -> tuple[ControlledPort, Registers]:
        port, registers = a_port(number, rng)
        return replace(port, rank=Rank(rng.randrange(3), 3_000)), registers

    there = {number: ranked(number) for number in range(1, 9)}
    ways = [way([port for port, _ in there.values()]) for way in WAYS]
    for tick in range(150):
        if tick % 10 == 9:
            gone, numbers = change(rng, [*there])
            come = {n: ranked(n) for n in numbers}
            others = ways[0].limits()
            for way in ways:
                way.replace(gone, [port for port, _ in come.values()])
            there = {n: each for n, each in there.items() if n not in gone} | come
            stay = others.keys() & there.keys() - come.keys()
            now = ways[0].limits()
            assert {n: now[n] for n in stay} == {n: others[n] for n in stay}
            assert all(now[n] == 3_000 for n in come)
        written = ways[0].limits_to_write()
        assert ways[1].limits_to_write() == written
        brought = {n: registers.snapshot(written.get(n)) for n, (_, registers) in there.items()}
        taken = {n: each for n, each in brought.items() if each is not None}
        for way in ways:
            way.decide(taken, pool)
        assert ways[0].limits() == ways[1].limits()
        assert ways[0].memory.held_bytes.tolist() == ways[1].memory.held_bytes.tolist()
        assert sum(ways[0].limits().values()) <= pool.size_bytes


@pytest.mark.parametrize("memory_bytes", [None, 350_000])
@pytest.mark.parametrize("control", WAYS)
def test_ports_that_begin_at_other_limits_go_on_as_with_new_policies(
    control: type[SwitchControl], memory_bytes: int | None
) -> None:
    rng, pool = Random(8), MemoryPool(memory_bytes)
    registers = [a_port(number, rng)[1] for number in range(1, 9)]
    ports = [
        ControlledPort(number, None, policy, 33_000, rank=Rank(number % 2, 10_000))
        for number, name in enumerate((*POLICIES, "abs", "dql"), 1)
        for settings in [PortSettings.model_validate({"number": number, "policy": name})]
        for policy in [settings.make_policy(10_000_000)]
    ]
    begun, adopted = control(ports), control(ports)
    for tick in range(160):
        taken = snapshots(ports, registers)
        for each in (begun, adopted):
            each.decide(taken, pool)
        assert begun.limits() == adopted.limits()
        if tick % 20 == 0:
            chosen = rng.sample(ports, 5)
            limits = {port.port: rng.randrange(20_000, 60_000) for port in chosen}
            begun.begin_at(limits)
            adopted.adopt([replace(port, limit_bytes=limits[port.port]) for port in chosen])
            assert begun.limits().items() >= limits.items()
            assert begun.own_limits().items() >= limits.items()


def test_few_ports_take_turns() -> None:
    rng = Random(6)
    ports = [a_port(number, rng)[0] for number in range(1 + FEW_PORTS)]
    assert isinstance(switch_control(ports[1:]), PerPortControl)
    assert isinstance(switch_control(ports), BatchedControl)


@pytest.mark.parametrize("control", WAYS)
def test_marks_taken_back_are_not_known(control: type[SwitchControl]) -> None:
    settings = PortSettings.model_validate({"number": 2, "policy": "static"})
    switch = control([ControlledPort(2, 10**7, settings.make_policy(10**7), 20_000)])
    before = Snapshot(0, 0, 0, 0, 20_000, 0, 0, marked_bytes=900)
    after = replace(before, timestamp_us=20_000, admitted_bytes=5000, marked_bytes=0)
    switch.decide({2: before}, MemoryPool(None))
    steps = switch.decide({2: after}, MemoryPool(None))
    (sample,) = Samples.of(0.0, switch.numbers, steps, 0.0, 0.0)
    assert sample.interval.marked_bytes is None


@pytest.mark.parametrize("control", WAYS)
@pytest.mark.parametrize("later_us", [0, 20_000])
def test_a_program_that_is_pushed_again_before_there_is_traffic_is_noticed(
    control: type[SwitchControl], later_us: int
) -> None:
    settings = PortSettings.model_validate({"number": 2, "policy": "static"})
    ports = [
        ControlledPort(number, 10**7, settings.make_policy(10**7), 20_000) for number in (2, 3)
    ]
    switch, before = control(ports), Snapshot(0, 0, 0, 0, 20_000)
    after = replace(before, timestamp_us=later_us)
    switch.decide({2: before, 3: before}, MemoryPool(None))
    switch.decide({2: replace(after, limit_bytes=0), 3: after}, MemoryPool(None))
    assert switch.take_restarted() == [2]
    assert switch.limits_to_write() == {2: 20_000}


@pytest.mark.parametrize("seed", [1, 22])
def test_the_series_of_a_switch_tells_what_those_of_its_ports_tell(seed: int) -> None:
    """With seed 22 a port restarts whose last 64 snapshots took more than 64 exchanges."""
    rng, count, news = Random(seed), 8, set()
    registers = [a_port(number, rng)[1] for number in range(count)]
    batched, alone = SwitchSeries(count), [SnapshotSeries() for _ in registers]
    for tick in range(300):
        brought = [each.snapshot(20_000 + tick) for each in registers]
        present = np.array([each is not None for each in brought])
        columns = Snapshot.batched([each or NOTHING for each in brought])
        ended, restarted = batched.add(columns, present)
        for port in np.flatnonzero(present).tolist():
            news.add(told := alone[port].add(brought[port]))
            assert (told is News.NEXT) == ended[port]
            assert (told is News.RESTART) == (port in restarted)
            assert alone[port].last == batched.last.alone(port)
    assert news == {*News}
