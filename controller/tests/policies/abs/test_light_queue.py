"""A queue of a port with several, whose sources offer less than the link gives to it."""

from dataclasses import replace

import pytest
from p4abs.measurements import Interval
from p4abs.policies.abs import Abs, AbsState
from p4abs.policies.abs.dependence import (
    LONGEST_HOLD_EVENTS,
    SHORTEST_HOLD_EVENTS,
    Dependence,
)
from p4abs.policies.policy import Binding, Targets

from controller.tests.policies.measured_flows import with_flows

CAPACITY_BPS = 10e6
INTERVAL_S = 0.02
TARGETS = Targets(0.98, 0.02, None, 3_000, 750_000)
ONE_QUEUE = Abs(CAPACITY_BPS, TARGETS)
OF_SEVERAL = Abs(CAPACITY_BPS, replace(TARGETS, shares_link=True))
START_BYTES = 30_000
ALLOWED, SHORTEST_SAWTOOTH_S = 0.02, 0.1


def interval(
    *, long: float = 0.0, dropped: int = 0, timed: bool = True, idle: float = 0.5
) -> Interval:
    """20 ms with three flows, of which so many are long; they leave the link idle for a share."""
    sent = round((1 - idle) * INTERVAL_S * CAPACITY_BPS / 8)
    seen = Interval(INTERVAL_S, sent, dropped, sent, idle * INTERVAL_S)
    return with_flows(seen, max(3.0, long), long, 0.04 if timed else None)


def at_the_loss_target(events: int, **flows: float | bool) -> list[Interval]:
    """2 % are lost."""
    return [*[interval(**flows)] * 5, interval(dropped=1_500, **flows)] * events


def after(
    trace: list[Interval], policy: Abs, state: AbsState | None = None
) -> tuple[AbsState, list[Binding]]:
    state = policy.start(START_BYTES) if state is None else state
    bindings = []
    for each in trace:
        state, decision = policy.step(state, each)
        bindings.append(decision.binding)
    return state, bindings


def test_without_long_flows_the_loss_target_alone_decides_the_limit_of_a_queue() -> None:
    trace = at_the_loss_target(200)
    alone, _ = after(trace, ONE_QUEUE)
    queue, bindings = after(trace, OF_SEVERAL)
    assert Binding.UTILIZATION not in bindings[-600:]
    assert queue.limit_bytes < 0.6 * alone.limit_bytes


@pytest.mark.parametrize("flows", [{"long": 3.0}, {"timed": False}])
def test_long_flows_and_flows_without_round_trips_are_not_light_at_once(
    flows: dict[str, float | bool],
) -> None:
    trace = [*[interval(**flows)] * 19, interval(dropped=1_500, **flows)] * 6
    (alone, _), (queue, bindings) = after(trace, ONE_QUEUE), after(trace, OF_SEVERAL)
    assert bindings[-1] is Binding.UTILIZATION
    assert queue.limit_bytes == pytest.approx(alone.limit_bytes, rel=0.15)


def test_without_drops_a_queue_s_utilization_estimate_falls_with_that_of_loss() -> None:
    before, _ = after(at_the_loss_target(20), OF_SEVERAL)
    queue, _ = after([interval(long=8.0)] * 100, OF_SEVERAL, before)
    assert queue.dependence.is_quiet
    assert queue.utilization.level <= queue.loss.level


def quiet(dependence: Dependence, *, shares_link: bool) -> Dependence:
    """A time without drops that is longer than three sawteeth, and a drop."""
    dependence = replace(dependence, sawtooth_s=1.0)
    for _ in range(40):
        dependence = dependence.after(0.1, 0.03, ALLOWED, SHORTEST_SAWTOOTH_S)
    return dependence.dropped(ALLOWED, 10.0, SHORTEST_SAWTOOTH_S, shares_link)


def test_what_times_without_drops_tell_of_a_queue_holds_longer_each_time() -> None:
    queue, alone, held = Dependence(), Dependence(), []
    for _ in range(12):
        queue, alone = quiet(queue, shares_link=True), quiet(alone, shares_link=False)
        held.append(queue.hold_events)
        assert alone.hold_events <= SHORTEST_HOLD_EVENTS
    assert held[:3] == [SHORTEST_HOLD_EVENTS * 2**each for each in range(3)]
    assert held[-1] == LONGEST_HOLD_EVENTS


def test_what_was_found_ends_when_long_flows_join() -> None:
    trace = at_the_loss_target(100, long=8.0)
    found, _ = after(trace, OF_SEVERAL)
    held = replace(found.dependence, hold_events=512.0, next_hold_events=1024.0)
    state = replace(found, dependence=held)
    same, _ = after([interval(long=8.0)] * 100, OF_SEVERAL, state)
    assert same.dependence.hold_events == held.hold_events
    joined, _ = after([interval(long=9.0)] * 100, OF_SEVERAL, state)
    assert joined.dependence.hold_events == 0.0
    untimed, _ = after([interval(long=9.0, timed=False)] * 100, OF_SEVERAL, state)
    assert untimed.dependence.hold_events == held.hold_events
