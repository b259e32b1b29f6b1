"""A primary fails: who takes over, when, from where, and what becomes of the one that returns."""

import pytest
from p4abs.access.connection import BID_TIMEOUT_S
from p4abs.access.election import PREFERENCE_S, SILENT_INTERVALS
from p4abs.control.loop import SILENCE_S
from p4abs.heartbeat import BEHIND
from p4abs.session import SwitchState
from p4abs.session.controller import HAND_OVER_S

from controller.tests.replicas.switches import LATENCY_S, VirtualSwitch
from controller.tests.replicas.world import INTERVAL_S, MAX, MIN, PORTS, TAKE_OVER_S, Node, World

AWAY_S = 1.0
# Those to the last question whether it is silent, to the bid and from the registers; and its last
# sign of life.
ANSWERS_S = 3 * 2 * LATENCY_S[1] + LATENCY_S[1]
FAULTS = {
    "killed": (Node.kill, Node.start),
    "stopped": (Node.stop, Node.go_on),
    "cut off": (lambda node: node.cut(0), lambda node: node.mend(0)),
    "out of reach": (lambda node: node.silence(0), lambda node: node.mend(0)),
}
PATHS = ["mailbox", "register-entry"]


def state(node: Node, switch: int = 0) -> SwitchState:
    return node.fleet.switches[f"s{switch}"].controller.state


def under_control(make_world, nodes: int = 2, **options: str) -> World:
    world = make_world(nodes, 1, 7, **options)
    world.run(0.5)
    assert world.primary(0) is world.nodes[0]
    return world


@pytest.fixture(params=range(10))
def hung(make_world, request: pytest.FixtureRequest) -> World:
    """Its first node hangs since one moment of its interval or another; it was the primary."""
    world = under_control(make_world)
    world.run(request.param / 10 * INTERVAL_S)
    world.nodes[0].stop()
    return world


def test_switches_begin_with_the_replicas_that_are_preferred_for_them(make_world) -> None:
    world = make_world(3, 4, 7)
    world.run(0.5)
    assert [world.primary(n).replica.number for n in range(4)] == [1, 2, 3, 1]
    assert world.wrong == []


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_backup_takes_over_within_five_intervals(make_world, fault, path) -> None:
    world = under_control(make_world, path=path)
    failed, backup = world.nodes
    FAULTS[fault][0](failed)
    world.run(TAKE_OVER_S)
    assert world.primary(0) is backup
    assert state(backup) is SwitchState.CONTROLLING
    world.run(2 * INTERVAL_S)
    assert world.writer(0) is backup
    assert world.wrong == []


def test_how_soon_a_hung_primary_is_followed_is_no_matter_of_chance(hung: World) -> None:
    _, backup = hung.nodes
    hung.run((SILENT_INTERVALS + BEHIND) * INTERVAL_S + ANSWERS_S)
    assert hung.primary(0) is backup
    assert state(backup) is SwitchState.CONTROLLING
    assert hung.wrong == []


def test_a_primary_that_is_two_intervals_late_stays(hung: World) -> None:
    late, backup = hung.nodes
    hung.run(2 * INTERVAL_S)
    late.go_on()
    hung.run(AWAY_S)
    assert (late.takeovers, backup.takeovers) == (1, 0)
    assert hung.primary(0) is late


@pytest.mark.parametrize("fault", FAULTS)
def test_a_switch_that_tells_only_those_who_ask_is_taken_over_in_time(
    make_world, monkeypatch, fault
) -> None:
    """As BMv2, which does not tell backups of a primary's bids."""
    monkeypatch.setattr(VirtualSwitch, "tells_all", False)
    world = under_control(make_world)
    failed, backup = world.nodes
    world.run(AWAY_S)
    assert (failed.takeovers, backup.takeovers) == (1, 0)
    FAULTS[fault][0](failed)
    world.run(TAKE_OVER_S)
    assert state(backup) is SwitchState.CONTROLLING
    assert world.wrong == []


@pytest.mark.parametrize("fault", FAULTS)
def test_one_that_returns_finds_itself_a_backup_and_writes_nothing(make_world, fault) -> None:
    world = under_control(make_world)
    failed, backup = world.nodes
    FAULTS[fault][0](failed)
    world.run(AWAY_S)
    FAULTS[fault][1](failed)
    world.run(2 * AWAY_S)
    assert world.primary(0) is backup
    assert state(failed) is SwitchState.BACKUP
    assert world.wrong == []


def test_a_preferred_replica_has_its_switch_back_after_it_has_watched_for_a_minute(
    make_world, monkeypatch
) -> None:
    monkeypatch.setattr("p4abs.access.election.PREFERENCE_S", PREFERENCE_S / 20)
    world = under_control(make_world)
    preferred, backup = world.nodes
    preferred.stop()
    world.run(AWAY_S)
    preferred.go_on()
    world.run(PREFERENCE_S / 20 - 0.1)
    assert world.primary(0) is backup
    world.run(0.2)
    assert world.primary(0) is preferred
    assert (state(preferred), state(backup)) == (SwitchState.CONTROLLING, SwitchState.BACKUP)
    assert world.wrong == []


def test_backups_that_fail_together_leave_the_switch_to_the_last_one(make_world) -> None:
    world = under_control(make_world, 4)
    world.nodes[0].kill()
    world.nodes[1].stop()
    world.nodes[2].silence(0)
    world.run(2 * TAKE_OVER_S)
    assert world.primary(0) is world.nodes[3]
    assert state(world.nodes[3]) is SwitchState.CONTROLLING


def test_limits_that_are_out_of_bounds_are_brought_within_them(make_world) -> None:
    world = under_control(make_world)
    world.nodes[0].kill()
    too_low, too_high = (("queue_limit_bytes", PORTS[0], 1), ("queue_limit_bytes", PORTS[1], 10**9))
    world.switches[0].engine.registers_write([too_low, too_high])
    world.run(TAKE_OVER_S)
    assert all(MIN <= limit <= MAX for limit in world.limits(0))


@pytest.mark.parametrize("lag_s", [0.0, 0.5])
def test_a_backup_whose_clock_jumps_or_that_was_stopped_deposes_nobody(make_world, lag_s) -> None:
    world = under_control(make_world)
    backup = world.nodes[1]
    for _ in range(10):
        backup.stop()
        world.run(lag_s)
        backup.go_on()
        backup.jump(10.0)
        world.run(TAKE_OVER_S)
    assert [node.takeovers for node in world.nodes] == [1, 0]


def test_a_switch_that_stands_still_makes_no_backup_take_over(make_world) -> None:
    world = under_control(make_world)
    for node in world.nodes:
        node.silence(0)
    world.run(1.0)
    for node in world.nodes:
        node.mend(0)
    world.run(1.0)
    assert [node.takeovers for node in world.nodes] == [1, 0]


def test_a_replica_alone_is_back_when_its_link_is(make_world) -> None:
    world = under_control(make_world, 1)
    for fail in (Node.cut, Node.silence):
        fail(world.nodes[0], 0)
        world.run(5.0)
        world.nodes[0].mend(0)
        world.run(1.0)
        assert state(world.nodes[0]) is SwitchState.CONTROLLING
        assert world.timeline.now_s - world.exchanged_s[0] < TAKE_OVER_S


@pytest.mark.parametrize(("late_s", "goes_on"), [(-0.1, True), (0.1, False)])
def test_a_session_ends_when_a_bid_is_not_answered_in_time(make_world, late_s, goes_on) -> None:
    world = under_control(make_world)
    backup = world.nodes[1]
    (session,) = backup.link(0).streams
    backup.silence(0)
    world.run(BID_TIMEOUT_S + late_s)
    backup.mend(0)
    world.run(1.0)
    assert (session in backup.link(0).streams) is goes_on
    assert state(backup) is SwitchState.BACKUP


def test_a_bid_after_a_hand_over_that_nobody_took_has_all_its_time(make_world) -> None:
    world = under_control(make_world, 2)
    last, backup = world.nodes
    backup.kill()
    last.terminate()
    world.run(0.9 * HAND_OVER_S)
    last.silence(0)
    world.run(0.1 * HAND_OVER_S + 0.8 * BID_TIMEOUT_S)
    last.mend(0)
    world.run(1.0)
    assert last.run.control.failures == {}
    assert last.said.lines[-1].startswith("s0: left with safe limits")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("late_ms", range(-2, 4))
def test_a_backup_that_takes_over_from_one_that_leaves_safe_limits_is_as_good(
    make_world, late_ms, path
) -> None:
    world = under_control(make_world, 2, path=path)
    backup, leaving = world.nodes
    backup.kill()
    world.run(AWAY_S)
    backup.start()
    world.run(AWAY_S)
    backup.silence(0)
    leaving.terminate()
    world.run(HAND_OVER_S + late_ms / 1000)
    backup.mend(0)
    world.run(2.0)
    assert leaving.run.control.failures == {}
    assert state(backup) is SwitchState.CONTROLLING


def test_a_replica_that_is_told_to_end_when_it_wakes_up_leaves_safe_limits(make_world) -> None:
    world = under_control(make_world, 1)
    only = world.nodes[0]
    only.silence(0)
    world.run(SILENCE_S - 0.1)
    only.stop()
    only.terminate()
    world.run(0.2)
    only.mend(0)
    only.go_on()
    world.run(5.0)
    assert only.run.control.failures == {}
    assert only.said.lines[-1].startswith("s0: left with safe limits")
