"""Ports that are stepped together get, bit for bit, what each gets alone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from p4abs.measurements import Interval
from p4abs.policies import POLICIES, UNBOUNDED_STEP, MaxStep, Policy, Targets
from p4abs.policies.abs.law import Abs

from controller.tests.policies.measured_flows import with_flows

MakePolicy = Callable[..., Policy[Any]]

ROUND_TRIP_S = 0.1


@dataclass
class Traffic:
    """A port with a mind of its own: busy, idle, bursty, silent or overloaded for a while."""

    random: Random
    capacity_bps: float
    mood: int = 0
    flows: int = 8
    young: int = 8

    def interval(self) -> Interval:
        """The next one; now and then a longer one, with marks, or without measured idle time."""
        rng = self.random
        if rng.random() < 0.02:
            self.mood = rng.randrange(5)
        if rng.random() < 0.005:
            before, self.flows = self.flows, rng.choice([1, 4, 8, 32, 100])
            self.young = max(0, self.flows - before)
        elif rng.random() < 0.05:
            self.young = 0
        duration_s = rng.choice([0.02, 0.02, 0.02, 0.0213, 0.05])
        full_bytes = duration_s * self.capacity_bps / 8
        idle = (0.0, rng.random() ** 4, 0.3, 1.0, 0.05 * rng.random())[self.mood]
        drops = (0.2, 0.1, 0.05, 0.0, 0.5)[self.mood]
        sent_bytes = round((1 - idle) * full_bytes)
        dropped_bytes = round(0.1 * full_bytes * rng.random()) if rng.random() < drops else 0
        idle_s = idle * duration_s if rng.random() < 0.95 else None
        interval = Interval(duration_s, sent_bytes, dropped_bytes, sent_bytes, idle_s)
        interval = replace(interval, marked_bytes=rng.choice([None, 0, sent_bytes // 10]))
        if rng.random() < 0.02:
            return interval
        return with_flows(interval, self.flows, self.flows - self.young, ROUND_TRIP_S)


def one_of_many(make_policy: MakePolicy, name: str, rng: Random) -> Policy[Any]:
    """A policy like none of the others."""
    capacity_bps = rng.choice([1e6, 10e6, 16_000_000, 1e9])
    scale = capacity_bps / 8
    targets = Targets(
        rng.choice([0.98, 0.9, 0.999]),
        rng.choice([0.02, 1e-3, 0.05]),
        rng.choice([None, 0.1]),
        round(0.002 * scale) + 64,
        round(rng.choice([0.3, 2]) * scale),
        rng.choice([UNBOUNDED_STEP, UNBOUNDED_STEP, MaxStep(3_000), MaxStep(0, 0.02)]),
        shares_link=rng.choice([False, True]),
    )
    parameters = {"precision": rng.choice([0.19, 0.1])} if name == "abs" else {}
    return make_policy(name, capacity_bps, targets, **parameters)


def step_both_ways(
    ports: list[Policy[Any]], rng: Random, intervals: int, shares_memory: bool
) -> tuple[list[Any], Any]:
    """The states of the ports, stepped alone and together; asserts that decisions are the same."""
    traffic = [Traffic(Random(rng.random()), port.capacity_bps) for port in ports]
    limits = [round(rng.choice([0.005, 0.1, 0.5]) * port.capacity_bps / 8) for port in ports]
    law = type(ports[0]).batched(ports)
    states, batched = [*map(type(ports[0]).start, ports, limits)], law.start(np.array(limits))
    for _ in range(intervals):
        seen = [each.interval() for each in traffic]
        left = [round(rng.uniform(-0.005, 0.01) * port.capacity_bps / 8) for port in ports]
        given = left if shares_memory else [None] * len(ports)
        steps = [*map(type(ports[0]).step, ports, states, seen, given)]
        states = [state for state, _ in steps]
        batched, decisions = law.step(
            batched, Interval.batched(seen), np.array(left) if shares_memory else None
        )
        assert [*decisions] == [each for _, each in steps]
    return states, batched


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("shares_memory", [False, True])
def test_decisions_do_not_depend_on_the_ports_beside(
    make_policy: MakePolicy, name: str, shares_memory: bool
) -> None:
    rng = Random(1)
    ports = [one_of_many(make_policy, name, rng) for _ in range(5)]
    step_both_ways(ports, rng, 200, shares_memory)


@pytest.mark.parametrize(("count", "seed"), [(1, 1), (2, 2), (40, 1)])
def test_states_of_abs_are_the_same_to_the_last_bit(
    make_policy: MakePolicy, count: int, seed: int
) -> None:
    rng = Random(seed)
    ports = [one_of_many(make_policy, "abs", rng) for _ in range(count)]
    states, batched = step_both_ways(ports, rng, 60_000 // (count + 40), shares_memory=False)
    assert batched == type(states[0]).batched(states)
    assert any(state.dependence.next_hold_events for state in states) or count < 40
    assert any(state.feed_forward.asked for state in states) or count < 40
    assert any(state.start.recovery_s < state.start.since_s for state in states) or count < 40


def test_ports_come_and_go_without_a_trace() -> None:
    targets = Targets(0.98, 0.02, None, 3_000, 750_000)
    law = Abs.batched([Abs(capacity_bps, targets) for capacity_bps in (1e6, 10e6, 100e6)])
    some, others = np.array([0, 2]), np.array([1])
    state = law.start(np.array([10_000, 20_000, 30_000]))
    lossy = Interval.batched([Interval(0.02, 20_000, 900, 20_000, 0.001)] * 3)
    whole, decisions = law.step(state, lossy)
    for ports in (some, others):
        after, own = law.take(ports).step(state.take(ports), lossy.take(ports))
        state = state.put(ports, after)
        assert own.limit_bytes.tolist() == decisions.limit_bytes[ports].tolist()
    assert state == whole
    assert law.put(some, law.take(some)) == law
