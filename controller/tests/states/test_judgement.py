"""The states of ports: one cause, the true one, and none that comes and goes."""

from dataclasses import replace
from itertools import chain, pairwise, repeat

import numpy as np
import pytest
from p4abs.states import Judgement, PortState, Second, Wanted

from controller.tests.states.recorded import NAMES, WANTED, changes, judged, rows, second

OFFERED_BYTES = 1_250_000
BEGINNING_S = 60
ENDS = {
    "reno-1": PortState.ON_TARGET,
    "reno-4": PortState.ON_TARGET,
    "reno-16": PortState.ON_TARGET,
    "reno-64": PortState.ON_TARGET,
    "cubic-16": PortState.ON_TARGET,
    "fast": PortState.ON_TARGET,
    "beside-web": PortState.ON_TARGET,
    "max-delay": PortState.HELD_BY_MAX_DELAY,
    "max-delay-near": PortState.HELD_BY_MAX_DELAY,
    "max-limit": PortState.HELD_BY_MAX_LIMIT,
    "too-small": PortState.LOSS_ABOVE_TARGET,
    "idling": PortState.UTILIZATION_BELOW_TARGET,
    "overload": PortState.HELD_BY_MAX_LIMIT,
    "light": PortState.NOT_CONGESTED,
    "acknowledgements": PortState.NOT_CONGESTED,
    "web": PortState.UNREACHABLE,
    "short": PortState.UNREACHABLE,
    "bursts": PortState.UNREACHABLE,
}


def lossy(loss: float, **changes: float) -> Second:
    return second(OFFERED_BYTES, loss * OFFERED_BYTES, **changes)


def states_of(*parts: tuple[int, Second]) -> list[PortState]:
    """So many seconds of each kind, one after the other."""
    return judged(chain.from_iterable(repeat(each, times) for times, each in parts))


@pytest.mark.parametrize("name", NAMES)
def test_a_port_in_steady_traffic_comes_into_its_state_and_stays(name: str) -> None:
    states = judged(second(**row) for row in rows(name))
    assert states[-1] is ENDS[name.partition(".")[0]]
    moved = changes(states)
    late = [after_s for after_s, _ in moved if after_s > BEGINNING_S]
    assert all(after - before >= 60 for before, after in pairwise(late))
    assert len(late) <= 2


def test_every_cause_has_series_that_it_was_recorded_for() -> None:
    assert {name.partition(".")[0] for name in NAMES} == {*ENDS}


@pytest.mark.parametrize("times", [1.5, 2.0, 4.0])
def test_a_port_that_loses_more_than_asked_is_not_on_target(times: float) -> None:
    states = states_of((60, lossy(0.02)), (30, lossy(times * 0.02)))
    assert states[59] is PortState.ON_TARGET
    assert states[-1] is PortState.LOSS_ABOVE_TARGET


def test_half_an_hour_of_losses_around_the_target_is_on_target() -> None:
    generator, ports = np.random.default_rng(1), 100
    wanted = Wanted(np.full(ports, 0.98), np.full(ports, 0.02))
    plain = lossy(0.02).take(np.zeros(ports, np.intp))
    judgement = Judgement().over(ports)
    seen = set()
    for _ in range(1800):
        lost_bytes = 0.02 * OFFERED_BYTES * generator.uniform(0.2, 1.8, ports)
        judgement = judgement.after(replace(plain, lost_bytes=lost_bytes), wanted)
        seen |= {*judgement.state.tolist()}
    assert seen == {PortState.NO_TRAFFIC, PortState.NOT_MEASURED, PortState.ON_TARGET}


def test_a_port_that_is_on_target_again_says_so_within_a_minute() -> None:
    states = states_of((40, lossy(0.02)), (60, lossy(0.2)), (70, lossy(0.02)))
    assert states[95] is PortState.LOSS_ABOVE_TARGET
    assert states[-1] is PortState.ON_TARGET


@pytest.mark.parametrize(
    ("bound", "state"),
    [
        ("at_memory", PortState.HELD_BY_MEMORY),
        ("at_max_delay", PortState.HELD_BY_MAX_DELAY),
        ("at_max_limit", PortState.HELD_BY_MAX_LIMIT),
    ],
)
def test_a_bound_is_the_cause_of_what_is_missed_and_of_nothing_else(
    bound: str, state: PortState
) -> None:
    assert states_of((40, lossy(0.05, **{bound: 1})))[-1] is state
    assert states_of((40, lossy(0.02, **{bound: 1})))[-1] is PortState.ON_TARGET
    once_a_minute = chain([lossy(0.05, **{bound: 1})], repeat(lossy(0.05), 59))
    assert judged(once_a_minute)[-1] is PortState.LOSS_ABOVE_TARGET


def test_a_target_out_of_reach_is_named_although_the_policy_tries_again_and_again() -> None:
    tries = [lossy(0.02, idle_s=0.4, unreachable=number % 3 > 0) for number in range(300)]
    moved = changes(judged(iter(tries)))
    assert moved[-1][1] is PortState.UNREACHABLE
    assert moved[-1][0] < 60


def test_idle_time_counts_where_packets_are_lost() -> None:
    assert states_of((60, lossy(0.01, idle_s=0.1)))[-1] is PortState.UTILIZATION_BELOW_TARGET
    assert states_of((60, lossy(0.0, idle_s=0.1)))[-1] is PortState.NOT_CONGESTED
    assert states_of((60, lossy(0.01, idle_s=0.021)))[-1] is PortState.ON_TARGET


def test_a_lone_flow_on_a_busy_link_lacks_a_buffer_however_little_it_loses() -> None:
    sawtooth = [*repeat(lossy(0.0, idle_s=0.1), 19), lossy(0.001, idle_s=0.1)]
    states = judged(each for _ in range(60) for each in sawtooth)
    assert states[-1] is PortState.UTILIZATION_BELOW_TARGET


def test_a_frame_now_and_then_is_no_traffic() -> None:
    frame, nothing = second(200), second(0)
    kept_alive = (frame if number % 8 == 0 else nothing for number in range(600))
    assert {*judged(kept_alive)} == {PortState.NO_TRAFFIC}


def test_traffic_that_ends_is_none_soon_and_one_that_begins_is_judged_anew() -> None:
    states = states_of((60, lossy(0.2)), (80, second(0)), (30, lossy(0.02)))
    assert states[75] is states[139] is PortState.NO_TRAFFIC
    assert states[142] is PortState.NOT_MEASURED
    assert states[-1] is PortState.ON_TARGET


def test_without_a_capacity_nothing_is_measured() -> None:
    assert states_of((60, lossy(0.2, known_s=0.0)))[-1] is PortState.NOT_MEASURED


def test_a_port_without_samples_is_judged_by_the_clock() -> None:
    states = states_of((60, lossy(0.02)), (80, second(0, length_s=0.0)))
    assert states[-1] is PortState.NO_TRAFFIC


def test_ports_do_not_depend_on_each_other() -> None:
    names = [name for name in NAMES if name.endswith(".1")]
    series = [[second(**row) for row in rows(name)] for name in names]
    batched = Judgement().over(len(names))
    wanted = Wanted(np.full(len(names), 0.98), np.full(len(names), 0.02))
    alone = [Judgement().over(1) for _ in names]
    for seconds in zip(*(each[:60] for each in series), strict=True):
        batched = batched.after(_joined(seconds), wanted)
        alone = [each.after(own, WANTED) for each, own in zip(alone, seconds, strict=True)]
        assert batched.state.tolist() == [each.state[0] for each in alone]


def _joined(seconds: tuple[Second, ...]) -> Second:
    joined = seconds[0]
    for each in seconds[1:]:
        joined = joined.joined(each)
    return joined


def test_every_state_has_a_word_of_its_own() -> None:
    assert len({state.text for state in PortState}) == len(PortState)
