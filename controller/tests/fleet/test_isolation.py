"""What ails one switch is no matter to the others. In virtual time."""

from itertools import pairwise

import pytest
from p4abs.access.tls import TlsError
from p4abs.session import NotLeftWell, SwitchState, Unreachable

INTERVAL_S = 0.02
INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000  # see conftest.py
DURATION_S = 20.0
AILMENTS = {
    "dead": {"answers": False},
    "slow": {"exchange_s": 0.13},
    "silent": {"is_silent": True, "exchange_s": 0.25},
    "flapping": {"lasts_s": 0.3},
}


async def test_beside_switches_in_trouble_the_others_keep_every_deadline(world) -> None:
    well = ["first", "second", "last"]
    for name in ("first", "dead", "slow", "second", "silent", "flapping", "last"):
        world.add(name, **AILMENTS.get(name, {}))
    run = await world.run(DURATION_S)
    for name in well:
        statistics = run.statistics(name)
        assert statistics.ticks == pytest.approx(DURATION_S / INTERVAL_S, abs=2)
        assert (statistics.missed_deadlines, statistics.lost_exchanges) == (0, 0)
        assert max(statistics.lateness_s) < 1e-9
        gaps_s = [after - before for before, after in pairwise(run.ticks.at_s[name])]
        assert gaps_s == pytest.approx([INTERVAL_S] * len(gaps_s))
    assert run.statistics("slow").ticks == pytest.approx(DURATION_S / 0.14, abs=2)
    assert run.statistics("slow").missed_deadlines > 800
    assert run.fleet.switches["flapping"].controller.reconnections > 10
    assert run.fleet.switches["dead"].controller.loop is None


async def test_switches_are_spread_over_the_interval_also_after_reconnections(world) -> None:
    names = ["a", "b", "c", "d"]
    for name in names:
        world.add(name, lasts_s=0.37 if name == "c" else None, exchange_s=0.0)
    run = await world.run(5.0)
    for place, name in enumerate(names):
        offsets = {round(at_s / INTERVAL_S % 1, 3) % 1 for at_s in run.ticks.at_s[name]}
        assert offsets == {place / 4}


async def test_a_switch_that_comes_late_is_controlled_as_long_as_another_one_is(world) -> None:
    world.add("well")
    world.add("late", answers=False)
    world.after(60.0, "late", answers=True)
    run = await world.run(70.0)
    assert run.failures == {}
    assert run.statistics("late").ticks > 200


async def test_a_switch_that_is_back_is_in_control_within_a_second(world) -> None:
    world.add("well")
    world.add("back", lasts_s=1.0)
    world.after(0.5, "back", answers=False)
    world.after(60.0, "back", answers=True, lasts_s=None)
    begun_s = world.clock.time_s
    run = await world.run(70.0)
    ticks_s = [at_s - begun_s for at_s in run.ticks.at_s["back"]]
    assert 60.0 < min(at_s for at_s in ticks_s if at_s > 2.0) < 61.0


async def test_where_no_switch_answers_the_run_ends_and_names_all(world) -> None:
    world.add("one", answers=False)
    world.add("two", answers=False)
    run = await world.run(30.0)
    assert {name: type(error) for name, error in run.failures.items()} == {
        "one": Unreachable,
        "two": Unreachable,
    }
    assert world.clock.time_s >= 110.0
    assert any(line.startswith("one: given up: no answer for 10 s") for line in run.ticks.lines)


async def test_the_switches_that_were_not_left_well_are_named(world) -> None:
    world.add("well")
    world.add("dead", answers=False)
    world.add("lost", lasts_s=3.0)
    world.after(2.0, "lost", answers=False)
    run = await world.run(8.0)
    assert {name: type(error) for name, error in run.failures.items()} == {
        "dead": NotLeftWell,
        "lost": NotLeftWell,
    }
    assert set(world.switches["well"].limits.values()) == {SAFE_LIMIT}
    assert set(world.switches["lost"].limits.values()) == {INITIAL_LIMIT}
    assert {each.controller.state for each in run.fleet.switches.values()} == {SwitchState.STOPPED}


async def test_a_certificate_that_cannot_be_read_for_a_while_costs_no_switch(world) -> None:
    """They are renewed now and then, and connections are lost at any time."""
    world.add("well")
    world.add("renewed", lasts_s=1.0, refusal=TlsError("ca.pem: No such file or directory"))
    world.after(0.5, "renewed", answers=False)
    world.after(3.0, "renewed", answers=True, lasts_s=None)
    run = await world.run(6.0)
    assert run.failures == {}
    assert run.ticks.lines.count("renewed: ca.pem: No such file or directory; trying again") == 1
    assert run.fleet.switches["renewed"].controller.reconnections == 1


async def test_a_certificate_that_cannot_be_read_at_first_is_refused(world) -> None:
    world.add("well")
    world.add("wrong", answers=False, refusal=TlsError("ca.pem: not a certificate in PEM"))
    run = await world.run(2.0)
    assert {name: str(error) for name, error in run.failures.items()} == {
        "wrong": "ca.pem: not a certificate in PEM"
    }


async def test_a_switch_that_comes_back_unfit_is_tried_until_it_is_fit_again(world) -> None:
    """Such as one whose program is being replaced."""
    world.add("well")
    world.add("back", lasts_s=4.5)

    async def replaced(run) -> None:
        world.fails = {"back"}
        await world.clock.sleep(2.0)
        world.fails, world.switches["back"].lasts_s = set(), None

    run = await world.run(8.0, replaced)
    assert run.failures == {}
    assert run.ticks.lines.count("back: cannot be controlled; trying again") == 1
    assert run.fleet.switches["back"].controller.reconnections == 1


async def test_a_data_plane_that_started_anew_is_configured_though_answers_get_lost(world) -> None:
    world.ports = {"ecn-marking": True}
    switch = world.add("one")

    async def start_anew(run) -> None:
        switch.ports.clear()
        switch.marking.clear()
        switch.begun_us = round(world.clock.time_s * 1e6)
        switch.unconfigured = 3

    run = await world.run(2.0, start_anew)
    assert switch.marking == {1: True, 2: True}
    assert run.fleet.switches["one"].controller.reconnections == 0
    assert sum("safe limits" in line for line in run.ticks.lines) == 1


@pytest.mark.parametrize("ailment", ["unread", "unfit"])
async def test_a_port_that_is_refused_keeps_no_other_from_control(world, ailment) -> None:
    world.ports = {"ecn-marking": True}
    switch = world.add("one", **{ailment: {2}})

    async def heal(run) -> None:
        assert {sample.port for _, sample in run.ticks.samples} >= {1}
        setattr(switch, ailment, set())

    run = await world.run(6.0, heal)
    assert run.failures == {}
    assert switch.connections == 1
    [line] = [line for line in run.ticks.lines if "port 2: " in line and "OUT_OF_RANGE" in line]
    assert line.endswith("trying again; other ports are not affected")
    assert switch.marking == {1: True, 2: True}
    assert switch.limits == {1: SAFE_LIMIT, 2: SAFE_LIMIT}
    at_s = [sample.time_s for _, sample in run.ticks.samples if sample.port == 1]
    assert len(at_s) == pytest.approx(6.0 / INTERVAL_S, abs=3)
    assert switch.written[2][0] == INITIAL_LIMIT


@pytest.mark.parametrize("ailment", ["unread", "unfit"])
async def test_where_no_port_can_be_served_the_switch_is_refused(world, ailment) -> None:
    world.add("well")
    world.add("ill", **{ailment: {1, 2}})
    run = await world.run(2.0)
    assert "port 1: " in str(run.failures["ill"])
    assert run.failures.keys() == {"ill"}


async def test_for_a_port_that_is_refused_nothing_else_is_written_again_and_again(world) -> None:
    switch = world.add("one", unfit={2})
    asked_s: list[float] = []

    async def bound():
        asked_s.append(world.clock.time_s)
        return ()

    switch.bound = bound
    begun_s = world.clock.time_s
    run = await world.run(4.0)
    assert run.failures == {}
    assert [at_s for at_s in asked_s if at_s > begun_s + 1] == []
