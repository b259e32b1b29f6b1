"""The configuration read again under control: what changes, what cannot, and that nothing stops."""

import re
from itertools import pairwise

import pytest
from p4abs.access.program import load_program
from p4abs.access.tables import Share, Sharing
from p4abs.cli.fleet_run import reload
from p4abs.config import ConfigError, Source, load_settings

from controller.tests.fleet.conftest import PORTS, World

INTERVAL_S = 0.02
INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000  # see conftest.py
DURATION_S = 4.0
# The lines of a file's ports have to agree with each other.
# The rule of thumb, of a round trip whose product is the initial limit.
RULED = {"policy": "bdp", "parameters": {"mean-rtt-s": 0.048}}
SMALLER = {"max-limit": "50kB", "initial-limit": "50kB", "safe-limit": "50kB"}
TAKEN_OVER = "new configuration in force; changed: "
NOT_TAKEN_OVER = "configuration not taken over, nothing has changed: "


def changed(run) -> list[str]:
    """The switches that were told to have changed, without what it was."""
    told = [line.removeprefix(TAKEN_OVER) for line in run.ticks.lines if TAKEN_OVER in line]
    return [re.sub(r" \([^)]*\)", "", line) for line in told]


async def reloaded(world, ports=None, names=("one", "two"), **switch):
    """A run in which these settings come half-way."""
    for name in names:
        world.add(name)

    async def change(run) -> None:
        await reload(run.of, lambda: world.settings(ports or {}, **switch))

    return await world.run(DURATION_S, change)


async def without_a_reload(world, monkeypatch):
    """The same run, undisturbed."""
    alone = World(monkeypatch)
    alone.ports = world.ports
    for name in ("one", "two"):
        alone.add(name)
    return await alone.run(DURATION_S)


def limits_by_port(run, name: str) -> dict[int, list[int]]:
    of_switch = [sample for switch, sample in run.ticks.samples if switch == name]
    return {port: [s.limit_bytes for s in of_switch if s.port == port] for port in (1, 2)}


def assert_no_gap(run) -> None:
    for name in run.fleet.switches:
        at_s = run.ticks.at_s[name]
        assert [b - a for a, b in pairwise(at_s)] == pytest.approx([INTERVAL_S] * (len(at_s) - 1))
        for port in (1, 2):
            samples = [s for switch, s in run.ticks.samples if switch == name and s.port == port]
            assert len(samples) == len(at_s)
            lengths_s = [sample.interval.duration_s for sample in samples]
            assert lengths_s[1:] == pytest.approx([INTERVAL_S] * (len(lengths_s) - 1), abs=2e-6)


@pytest.mark.parametrize(
    ("ports", "limit"),
    [
        (SMALLER, 50_000),
        ({"min-limit": "70kB", "initial-limit": "70kB"}, 70_000),
        ({**SMALLER, "max-limit": "60kB", "max-delay": "40ms"}, 50_000),
    ],
)
async def test_other_bounds_are_in_force_with_the_next_exchange(world, ports, limit) -> None:
    run = await reloaded(world, ports)
    assert changed(run) == ["one, two"]
    for limits in limits_by_port(run, "one").values():
        half = len(limits) // 2
        assert set(limits[: half - 1]) == {INITIAL_LIMIT}
        assert set(limits[half + 2 :]) == {limit}
    assert_no_gap(run)
    assert run.failures == {}


@pytest.mark.parametrize(
    ("before", "other", "keys"),
    [
        ({}, {}, "initial-limit"),
        ({"max-step": "1kB"}, {}, "initial-limit"),
        ({}, {"capacity": "12Mbit"}, "capacity, initial-limit"),
    ],
)
async def test_another_initial_limit_is_a_static_port_s_limit_at_once(
    world, before, other, keys
) -> None:
    world.ports = before
    run = await reloaded(world, {"initial-limit": "80kB", **other})
    told = f"one (ports 1-2: {keys}), two (ports 1-2: {keys})"
    assert f"{TAKEN_OVER}{told}" in run.ticks.lines
    for limits in limits_by_port(run, "one").values():
        half = len(limits) // 2
        assert set(limits[: half - 1]) == {INITIAL_LIMIT}
        assert set(limits[half + 2 :]) == {80_000}


async def test_a_port_that_becomes_static_has_its_initial_limit(world) -> None:
    world.ports = {"policy": "abs"}
    run = await reloaded(world, {"policy": "static"})
    for limits in limits_by_port(run, "one").values():
        half = len(limits) // 2
        assert limits[half - 2] != INITIAL_LIMIT
        assert set(limits[half + 2 :]) == {INITIAL_LIMIT}


async def test_another_initial_limit_of_other_policies_waits_for_the_next_start(
    world, monkeypatch
) -> None:
    world.ports = {"policy": "abs"}
    run = await reloaded(world, {"initial-limit": "80kB", "safe-limit": "300kB"})
    told = "ports 1-2: initial-limit at the next start only, safe-limit"
    assert f"{TAKEN_OVER}one ({told}), two ({told})" in run.ticks.lines
    undisturbed = await without_a_reload(world, monkeypatch)
    assert limits_by_port(run, "one") == limits_by_port(undisturbed, "one")


async def test_another_policy_begins_at_the_present_limit(world) -> None:
    run = await reloaded(world, {"policy": "dql"})
    of_port = [s for switch, s in run.ticks.samples if (switch, s.port) == ("two", 1)]
    assert len({sample.decided_limit_bytes for sample in of_port[: len(of_port) // 2 - 1]}) == 1
    assert len({sample.binding for sample in of_port}) > 1
    moves = [after.limit_bytes - before.limit_bytes for before, after in pairwise(of_port)]
    assert max(map(abs, moves)) < 2 * INITIAL_LIMIT
    assert_no_gap(run)


@pytest.mark.parametrize("in_force", [100_000, 0])
async def test_an_observed_port_that_is_controlled_begins_at_the_limit_in_force(
    world, in_force
) -> None:
    """Not at what was decided beside it, which is nearly twice as much by then."""
    world.ports = {"policy": "abs", "utilization-from": "departures", "initial-limit": None}
    one = world.add("one")
    one.limits |= dict.fromkeys((1, 2), in_force)
    observed = world.settings({"mode": "observe", "safe-limit": None})

    async def change(run) -> None:
        await reload(run.of, world.settings)

    run = await world.run(2 * DURATION_S, change, settings=observed)
    decided = [sample.decided_limit_bytes for name, sample in run.ticks.samples]
    assert max(decided) > 1.9 * in_force
    # As from the start, without a limit: what the link carries in 250 ms.
    assert one.written[1][0] == pytest.approx(in_force or 312_500, rel=0.06)


async def test_limits_shrink_into_a_smaller_memory_at_once(world) -> None:
    world.ports = RULED
    run = await reloaded(world, memory="100kB")
    first, second = limits_by_port(run, "one").values()
    half = len(first) // 2
    assert first[half - 2] + second[half - 2] == 2 * INITIAL_LIMIT
    totals = [a + b for a, b in zip(first, second, strict=True)][half + 2 :]
    assert 90_000 < min(totals) <= max(totals) <= 100_000
    assert_no_gap(run)


async def test_another_priority_disturbs_nobody(world, monkeypatch) -> None:
    world.ports = {"policy": "abs"}
    run = await reloaded(world, {"priority": 3})
    assert changed(run) == ["one, two"]
    assert_no_gap(run)
    undisturbed = await without_a_reload(world, monkeypatch)
    assert limits_by_port(run, "one") == limits_by_port(undisturbed, "one")


async def test_a_smaller_memory_is_shared_by_the_new_priorities(world) -> None:
    world.add("one")
    world.ports = RULED
    first = {**PORTS, **RULED, "number": 1, "priority": 1}
    tables = [{"name": "one", "grpc-addr": "one:9559", "memory": "70kB"}]
    tables[0]["port"] = [{**PORTS, **RULED, "number": 2, **SMALLER}, {**first, **SMALLER}]

    async def change(run) -> None:
        await reload(run.of, lambda: load_settings(Source({"switch": tables}), {}))

    run = await world.run(DURATION_S, change)
    limits = limits_by_port(run, "one")
    assert (limits[1][-1], limits[2][-1]) == (50_000, 20_000)


async def test_memory_is_shared_by_thresholds_from_then_on(world) -> None:
    """Which bound the sum of the queues, and no longer the limits, which stay."""
    world.program = load_program("shared_queue")
    thresholds = {"memory": "100kB", "memory-sharing": "dynamic-thresholds"}
    run = await reloaded(world, {"alpha": 0.5}, **thresholds)
    assert changed(run) == ["one, two"]
    shares = dict.fromkeys((1, 2), Share(0, 512))
    assert world.switches["two"].sharing == Sharing(100_000, shares)
    for limits in limits_by_port(run, "two").values():
        assert set(limits) == {INITIAL_LIMIT}
    assert_no_gap(run)


async def test_thresholds_that_the_program_does_not_have_change_nothing(world) -> None:
    run = await reloaded(world, memory="100kB", **{"memory-sharing": "abm"})
    [line] = [line for line in run.ticks.lines if NOT_TAKEN_OVER in line]
    assert "one: memory-sharing abm: the program lacks the tables memory_size," in line
    assert_no_gap(run)


async def test_marking_is_switched_on_the_switch(world) -> None:
    run = await reloaded(world, {"ecn-marking": True})
    assert world.switches["one"].marking == {1: True, 2: True}
    assert set(limits_by_port(run, "one")[1]) == {INITIAL_LIMIT}
    assert_no_gap(run)


async def test_another_safe_limit_is_left(world) -> None:
    await reloaded(world, {"safe-limit": "250kB"})
    assert set(world.switches["two"].limits.values()) == {250_000}


def agreement(name: str, loss: float) -> dict[str, object]:
    # The switches lose 4 %.
    return {"name": name, "loss": loss, "window": "1s", "period": "10s", "objective": 0.95}


async def test_other_agreements_are_judged_and_the_same_ones_go_on(world) -> None:
    kept, broken = agreement("kept", 0.1), agreement("broken", 0.001)
    world.ports = {"agreement": [kept, agreement("gone", 0.1)]}
    run = await reloaded(world, {"agreement": [kept, broken]})
    totals = run.fleet.switches["one"].meters[1].totals()["agreements"]
    assert {name: own["windows_judged"] for name, own in totals.items()} == {
        "kept": 3,
        "broken": 2,
    }
    assert any("agreement broken is broken" in line for line in run.ticks.lines)
    assert_no_gap(run)


async def test_the_limit_does_not_notice_another_agreement(world, monkeypatch) -> None:
    world.ports = {"policy": "abs"}
    run = await reloaded(world, {"agreement": [agreement("gold", 0.1)]})
    undisturbed = await without_a_reload(world, monkeypatch)
    assert limits_by_port(run, "one") == limits_by_port(undisturbed, "one")
    assert len(set(limits_by_port(run, "one")[1])) > 3


async def test_what_has_not_changed_begins_nothing_anew(world) -> None:
    run = await reloaded(world)
    assert TAKEN_OVER + "nothing" in run.ticks.lines
    assert_no_gap(run)


async def test_while_a_switch_is_lost_its_settings_change_for_when_it_is_back(world) -> None:
    world.add("two")
    world.add("one", lasts_s=1.0)
    world.after(0.9, "one", answers=False)
    world.after(2.3, "one", answers=True, lasts_s=None)

    async def change(run) -> None:
        await reload(run.of, lambda: world.settings(SMALLER))

    run = await world.run(DURATION_S, change)
    assert run.fleet.switches["one"].controller.reconnections == 1
    assert limits_by_port(run, "one")[1][-1] == 50_000


async def test_what_a_reload_would_have_begun_anew_leaves_safe_limits_if_the_run_ends_before(
    world,
) -> None:
    world.add("one")

    async def change(run) -> None:
        changes = run.of.changes_to(world.settings(interval="40ms"))
        assert changes.ended
        run.of.control.end()
        assert not await run.of.carry_out(changes)

    run = await world.run(DURATION_S, change)
    assert run.failures == {}
    assert run.ticks.lines[-1].startswith("one: left with safe limits: ")


async def test_a_wrong_file_changes_nothing_and_is_said_in_one_line(world) -> None:
    for name in ("one", "two"):
        world.add(name)

    def wrong():
        raise ConfigError("fleet.toml:7: loss: 7: must be above 0 and below 1")

    run = await world.run(DURATION_S, lambda run: reload(run.of, wrong))
    assert [line for line in run.ticks.lines if "onfiguration" in line] == [
        f"{NOT_TAKEN_OVER}fleet.toml:7: loss: 7: must be above 0 and below 1"
    ]
    assert not run.of.fleet.configuration.is_accepted
    assert_no_gap(run)


async def test_certificates_that_cannot_be_read_change_nothing(world, tmp_path) -> None:
    authority = tmp_path / "ca.pem"
    run = await reloaded(world, **{"tls-ca": str(authority)})
    assert [line for line in run.ticks.lines if "onfiguration" in line] == [
        f"{NOT_TAKEN_OVER}one: tls-ca: {authority}: No such file or directory"
    ]
    assert_no_gap(run)
    assert run.failures == {}


async def test_one_switch_that_cannot_be_served_keeps_all_as_they_are(world) -> None:
    for name in ("one", "two"):
        world.add(name)
    world.program = load_program("virtual_queue")
    # Which that program cannot measure.
    two = world.settings(SMALLER | {"capacity": None, "max-limit": "50kB"}).switch[1]
    before = world.settings().switch

    async def change(run) -> None:
        settings = world.settings(SMALLER)
        settings = settings.model_copy(update={"switch": (settings.switch[0], two)})
        await reload(run.of, lambda: settings)
        assert tuple(each.settings for each in run.fleet.switches.values()) == before

    run = await world.run(DURATION_S, change)
    (line,) = [line for line in run.ticks.lines if "onfiguration" in line]
    assert line.startswith(f"{NOT_TAKEN_OVER}two: port 1: capacity is missing")
    assert set(limits_by_port(run, "one")[1]) == {INITIAL_LIMIT}
    assert_no_gap(run)
