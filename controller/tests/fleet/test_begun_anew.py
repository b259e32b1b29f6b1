"""Switches that come, go and begin anew when the configuration is read again under control."""

from itertools import pairwise

import pytest
from p4abs.access.program import load_program
from p4abs.cli.fleet_run import FleetRun, reload
from p4abs.config import Settings
from p4abs.errors import UserError
from p4abs.session import NotLeftWell, Replica

INTERVAL_S = 0.02
INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000  # see conftest.py
DURATION_S = 4.0
# Sizes that move, so that a limit that is kept can be told from those in the settings.
MOVING = {"policy": "abs", "utilization-from": "departures"}


def batched(*settings: Settings) -> Settings:
    return Settings(switch=tuple(each for one in settings for each in one.switch))


async def reloaded(world, settings: Settings, names=()):
    """A run of these switches in which other settings come half-way."""
    run = await world.run(DURATION_S, lambda run: reload(run.of, lambda: settings), names)
    assert run.failures == {}
    return run


def taken_over(run) -> str:
    (line,) = [line for line in run.ticks.lines if "onfiguration" in line]
    return line.removeprefix("new configuration in force; ")


def longest_gap_s(run, name: str) -> float:
    return max(later - earlier for earlier, later in pairwise(run.ticks.at_s[name]))


def limits(run, name: str, port: int) -> list[int]:
    of_port = [s for switch, s in run.ticks.samples if (switch, s.port) == (name, port)]
    return [sample.limit_bytes for sample in of_port]


@pytest.mark.parametrize(
    ("ports", "switch"),
    [
        ({}, {"interval": "10ms"}),
        ({}, {"election-id": 9}),
        ({"number": "1-3"}, {"interval": "10ms"}),
    ],
)
async def test_a_switch_begins_anew_at_its_limits_and_the_others_notice_nothing(
    world, ports, switch
) -> None:
    world.ports = MOVING
    for name in ("one", "two"):
        world.add(name)
    other = batched(world.settings(ports, ["one"], **switch), world.settings(names=["two"]))
    before: list[int] = []

    async def change(run) -> None:
        before[:] = limits(run, "one", 1)
        await reload(run.of, lambda: other)

    run = await world.run(DURATION_S, change)
    assert run.failures == {}
    assert taken_over(run) == "started again: one"
    assert longest_gap_s(run, "two") == pytest.approx(INTERVAL_S)
    assert longest_gap_s(run, "one") < 4 * INTERVAL_S
    first = limits(run, "one", 1)[len(before)]
    assert first == pytest.approx(before[-1], rel=0.06)
    assert before[-1] > 1.1 * SAFE_LIMIT


async def test_a_port_that_comes_has_its_first_limit_and_one_that_goes_its_safe_one(world) -> None:
    world.ports = MOVING
    switch = world.add("one")
    run = await reloaded(world, world.settings({"number": "2-3"}, interval="20.1ms"))
    assert limits(run, "one", 3)[0] == INITIAL_LIMIT
    gone = limits(run, "one", 1)
    assert len(gone) == pytest.approx(DURATION_S / 2 / INTERVAL_S, abs=2)
    assert switch.written[1][-1] == SAFE_LIMIT
    assert SAFE_LIMIT not in switch.written[2][:-1]


async def test_switches_come_and_go_under_control(world) -> None:
    for name in ("stays", "goes", "comes"):
        world.add(name)
    run = await reloaded(world, world.settings(names=["comes", "stays"]), ["goes", "stays"])
    assert taken_over(run) == "added: comes; removed: goes"
    assert [*run.fleet.switches] == ["comes", "stays"]
    assert longest_gap_s(run, "stays") == pytest.approx(INTERVAL_S)
    for name in ("goes", "comes"):
        assert len(run.ticks.at_s[name]) == pytest.approx(DURATION_S / 2 / INTERVAL_S, abs=4)
        assert set(world.switches[name].limits.values()) == {SAFE_LIMIT}


async def test_a_switch_at_another_address_is_another_switch(world) -> None:
    for name in ("one", "elsewhere"):
        world.add(name)
    moved = world.settings(names=["one"], **{"grpc-addr": "elsewhere:9559"})
    run = await reloaded(world, moved, ["one"])
    assert taken_over(run) == "started again: one"
    assert world.switches["one"].written[1] == [INITIAL_LIMIT, SAFE_LIMIT]
    assert world.switches["elsewhere"].written[1] == [INITIAL_LIMIT, SAFE_LIMIT]


async def test_a_switch_with_another_name_keeps_its_limits(world) -> None:
    switch = world.add("one")
    renamed = world.settings(name="other")
    run = await reloaded(world, renamed, ["one"])
    assert taken_over(run) == "added: other; removed: one"
    assert set(switch.written[1][:-1]) == {INITIAL_LIMIT}


async def test_a_switch_that_was_given_up_begins_anew(world) -> None:
    for name in ("one", "two"):
        world.add(name)
    world.fails = {"one"}

    async def change(run) -> None:
        assert any(line.startswith("one: given up") for line in run.ticks.lines)
        world.fails = set()
        await reload(run.of, world.settings)

    run = await world.run(DURATION_S, change)
    assert taken_over(run) == "started again: one"
    assert run.failures == {}
    assert len(run.ticks.at_s["one"]) > 90


async def test_a_reload_for_worse_ends_no_run_and_another_one_mends_it(world) -> None:
    world.add("one")

    async def change(run) -> None:
        world.fails = {"one"}
        await reload(run.of, lambda: world.settings(interval="19.9ms"))
        await world.clock.sleep(0.5)
        assert any(line.startswith("one: given up") for line in run.ticks.lines)
        world.fails = set()
        await reload(run.of, world.settings)

    run = await world.run(DURATION_S, change)
    assert run.failures == {}
    assert len(run.ticks.at_s["one"]) > 120


async def test_a_run_that_only_a_bad_reload_keeps_says_at_its_end_what_failed(world) -> None:
    world.add("one")

    async def change(run) -> None:
        world.fails = {"one"}
        await reload(run.of, lambda: world.settings(interval="19.9ms"))

    run = await world.run(DURATION_S, change)
    assert [*run.failures] == ["one"]


async def test_a_switch_that_hangs_keeps_no_other_from_beginning_anew(world) -> None:
    for name in ("one", "hangs", "removed"):
        world.add(name)

    async def change(run) -> None:
        for name in ("hangs", "removed"):
            world.switches[name].is_silent = True
            world.switches[name].exchange_s = 0.25
        await reload(run.of, lambda: world.settings({}, ["one", "hangs"], interval="19.9ms"))

    run = await world.run(DURATION_S, change)
    assert taken_over(run) == "started again: one, hangs; removed: removed"
    assert longest_gap_s(run, "one") < 4 * INTERVAL_S
    assert [*run.fleet.switches] == ["one", "hangs"]


def test_a_switch_with_its_address_spelt_otherwise_keeps_its_limits(world) -> None:
    run = FleetRun(world.settings(names=["localhost"]), world.clock)
    changes = run.changes_to(world.settings(names=["127.0.0.1"]))
    assert changes.ended["localhost"] is changes.begun["127.0.0.1"]


@pytest.mark.parametrize("other", ["127.0.0.1", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]"])
def test_an_address_is_one_however_it_is_spelt(world, other: str) -> None:
    run = FleetRun(world.settings(names=["localhost"]), world.clock)
    changes = run.changes_to(world.settings(names=["a"], **{"grpc-addr": f"{other}:9559"}))
    assert changes.awaited == {"a": {"localhost"}}
    assert changes.ended["localhost"] is changes.begun["a"]


def test_a_switch_that_may_be_known_by_an_address_is_waited_for_and_none_else(world) -> None:
    run = FleetRun(world.settings(names=["leaf", "spine"]), world.clock)
    by_address, by_name = (
        run.changes_to(world.settings(names=["a"], **{"grpc-addr": address}))
        for address in ("192.0.2.1:9559", "core:9559")
    )
    assert by_address.awaited == {"a": {"leaf", "spine"}}
    assert by_name.awaited == {"a": set()}
    assert not any(by_address.ended.values())


async def test_a_run_that_ends_meanwhile_begins_no_switch_anew_and_says_what_it_leaves(
    world,
) -> None:
    world.add("slow", exchange_s=0.5)
    world.add("added")

    async def change(run) -> None:
        world.clock.call_later(0.1, run.of.control.end)
        await reload(run.of, lambda: world.settings(interval="10ms"))

    run = await world.run(DURATION_S, change, ["slow"])
    assert {name: type(failure) for name, failure in run.failures.items()} == {"slow": NotLeftWell}
    assert set(world.switches["added"].limits.values()) == {SAFE_LIMIT}
    assert "slow: left with the limits port 1 58.59KiB, port 2 58.59KiB" in run.ticks.lines
    assert not any("configuration" in line for line in run.ticks.lines)
    assert set(world.switches["slow"].limits.values()) == {INITIAL_LIMIT}


async def test_what_cannot_begin_leaves_all_as_they_are(world) -> None:
    for name in ("one", "two"):
        world.add(name)
    nowhere = world.settings(names=["one"], **{"push-pipeline": "nowhere/program"})
    run = await reloaded(world, nowhere)
    assert taken_over(run).startswith("configuration not taken over, nothing has changed: nowhere")
    assert [*run.fleet.switches] == ["one", "two"]
    assert longest_gap_s(run, "one") == longest_gap_s(run, "two") == pytest.approx(INTERVAL_S)


async def test_what_the_program_of_a_switch_cannot_serve_is_known_before(world) -> None:
    world.add("one")
    world.program = load_program("virtual_queue")
    run = await reloaded(world, world.settings({"capacity": None}))
    assert "nothing has changed: one: port 1: capacity is missing" in taken_over(run)
    assert longest_gap_s(run, "one") == pytest.approx(INTERVAL_S)


def test_replicas_share_switches_by_their_places_which_stay(world) -> None:
    for name in ("one", "two", "three"):
        world.add(name)
    run = FleetRun(world.settings(names=["one", "two"]), world.clock, Replica(1, 2))
    assert [*run.changes_to(world.settings()).begun] == ["three"]
    assert [*run.changes_to(world.settings(names=["one"])).ended] == ["two"]
    with pytest.raises(UserError, match="two: its place among the switches must not change"):
        run.changes_to(world.settings(names=["two"]))


async def test_a_released_port_stays_so_when_its_switch_begins_anew(world) -> None:
    world.ports = MOVING
    world.add("one")

    async def change(run) -> None:
        controller = run.of.fleet.switches["one"].controller
        port = controller.settings.port[0]
        released.append(await controller.releases.release(port, "somebody"))
        await reload(run.of, lambda: world.settings(names=["one"], interval="10ms"))

    released: list[str] = []
    run = await world.run(DURATION_S, change)
    assert run.failures == {}
    assert taken_over(run) == "started again: one"
    assert "held by safe limit" in released[0]
    assert set(limits(run, "one", 1)[-50:]) == {SAFE_LIMIT}
    assert len(set(limits(run, "one", 2)[-50:])) > 1


@pytest.mark.parametrize("mode", ["control", "observe"])
async def test_a_port_released_during_a_reload_stays_so_unless_it_is_observed_now(
    world, mode: str
) -> None:
    world.add("one")

    async def change(run) -> None:
        controller = run.of.fleet.switches["one"].controller
        changes = run.of.changes_to(world.settings({"mode": mode}, ["one"], interval="10ms"))
        await controller.releases.release(controller.settings.port[0], "somebody")
        assert await run.of.carry_out(changes)

    run = await world.run(DURATION_S, change)
    released = run.fleet.switches["one"].controller.releases.limits
    assert released == ({1: SAFE_LIMIT} if mode == "control" else {})
