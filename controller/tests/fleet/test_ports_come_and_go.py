"""Ports that a reload adds to a switch or takes from it, while the others stay under control."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from p4abs.access.register_access import ExchangeTimeout
from p4abs.cli.fleet_run import reload
from p4abs.config import Settings, Source, load_settings
from p4abs.telemetry import Board, Metrics, summarize

from controller.tests.fleet.conftest import PORTS, RemoteSwitch, Run, World

INTERVAL_S = 0.02
INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000  # see conftest.py
DURATION_S = 4.0
HALF = round(DURATION_S / 2 / INTERVAL_S)
# Sizes that move, so that a policy that goes on can be told from one that begins.
MOVING = {"policy": "abs", "utilization-from": "departures"}
AGREED = {"agreement": [{"name": "gold", "loss": 0.1, "window": "1s", "period": "10s"}]}
MANY = 20
"""More than are controlled one by one."""


def switch(name: str, ports: Mapping[str, Mapping[str, object]], **more: object) -> dict:
    """A table of a switch: what its ports have beside PORTS, by their numbers."""
    tables = [{**PORTS, **MOVING, **AGREED, "number": each, **own} for each, own in ports.items()]
    for table in tables:
        if table.get("mode") == "observe":
            del table["safe-limit"]
    return {"name": name, "grpc-addr": f"{name}:9559", "port": tables, **more}


def settings(*tables: dict) -> Settings:
    return load_settings(Source({"switch": [*tables]}), {})


async def reloaded(
    world: World,
    before: Settings,
    after: Settings | None,
    watch: Callable[[Run], None] = lambda run: None,
) -> Run:
    """A run in which the other settings come half-way."""
    for each in before.switch:
        if each.name not in world.switches:
            world.add(each.name)

    async def change(run: Run) -> None:
        watch(run)
        if after is not None:
            await reload(run.of, lambda: after)

    run = await world.run(DURATION_S, change, settings=before)
    assert run.failures == {}
    return run


def samples(run: Run, port: int, name: str = "one") -> list:
    return [s for switch, s in run.ticks.samples if (switch, s.port) == (name, port)]


def limits(run: Run, port: int, name: str = "one") -> list[int]:
    return [sample.limit_bytes for sample in samples(run, port, name)]


def assert_goes_on(run: Run, ports: Sequence[int], name: str = "one") -> None:
    """Nobody has taken an interval of these ports, and nothing was begun anew."""
    at_s = run.ticks.at_s[name]
    assert [b - a for a, b in pairwise(at_s)] == pytest.approx([INTERVAL_S] * (len(at_s) - 1))
    meters = run.fleet.switches[name].meters
    for port in ports:
        lengths_s = [sample.interval.duration_s for sample in samples(run, port, name)]
        assert len(lengths_s) == len(at_s)
        assert lengths_s[1:] == pytest.approx([INTERVAL_S] * (len(lengths_s) - 1), abs=2e-6)
        assert meters[port].total.duration_s == pytest.approx(sum(lengths_s))
        [(_, standing)] = meters[port].agreements.standings()
        assert standing.judged == int(DURATION_S) - 1


def taken_over(run: Run) -> str:
    (line,) = [line for line in run.ticks.lines if "onfiguration" in line]
    return line.removeprefix("new configuration in force; ")


@pytest.mark.parametrize("others", ["1-2", f"1-{MANY}"])
async def test_ports_come_and_go_and_the_others_notice_nothing(world, monkeypatch, others) -> None:
    """Not even their policies: limits are the same to the byte as without the reload."""
    before = settings(switch("one", {others: {}, "30": {}}))
    run = await reloaded(world, before, settings(switch("one", {others: {}, "31-32": {}})))
    assert taken_over(run) == "changed: one (ports 31-32: added; port 30: removed)"
    undisturbed = await reloaded(World(monkeypatch), before, None)
    numbers = range(1, 1 + int(others.removeprefix("1-")))
    assert_goes_on(run, numbers)
    for port in numbers:
        assert limits(run, port) == limits(undisturbed, port)
    assert len(set(limits(run, 1))) > 3
    assert world.switches["one"].connections == 1


async def test_a_port_that_comes_begins_with_its_first_limit(world) -> None:
    one = world.add("one")
    one.limits[3] = 5_000_000
    run = await reloaded(
        world, settings(switch("one", {"1-2": {}})), settings(switch("one", {"1-3": {}}))
    )
    come = limits(run, 3)
    assert len(come) == pytest.approx(HALF, abs=4)
    assert come[0] == 5_000_000
    assert (one.written[3][0], one.written[3][-1]) == (INITIAL_LIMIT, SAFE_LIMIT)
    assert one.marking.keys() == {1, 2, 3}


async def test_a_port_that_goes_gets_its_safe_limit_at_once(world) -> None:
    one = world.add("one")
    told: list[float] = []

    def watch(run: Run) -> None:
        told.append(world.clock.now_s())

    run = await reloaded(
        world, settings(switch("one", {"1-3": {}})), settings(switch("one", {"1-2": {}})), watch
    )
    assert one.written[3][-1] == SAFE_LIMIT
    assert SAFE_LIMIT not in one.written[2][:-1]
    assert len(samples(run, 3)) == pytest.approx(HALF, abs=2)
    assert one.ports[3].timestamp_us / 1e6 - told[0] < 3 * INTERVAL_S
    assert "one: taken out of control with safe limits: port 3 195.3KiB" in run.ticks.lines


@pytest.mark.parametrize(
    "other",
    [{"capacity": "20Mbit"}, {"utilization-from": "idle"}, {"mtu": "9216B", "min-limit": "18432B"}],
)
async def test_a_port_that_is_another_link_begins_anew_alone(world, other) -> None:
    """At the limit that it has."""
    left: list[int] = []
    run = await reloaded(
        world,
        settings(switch("one", {"1-2": {}, "3": {}})),
        settings(switch("one", {"1-2": {}, "3": other})),
        lambda run: left.extend(limits(run, 3)),
    )
    assert taken_over(run) == f"changed: one (port 3: {', '.join(other)})"
    assert_goes_on(run, [1, 2])
    anew = run.fleet.switches["one"].meters[3]
    assert anew.total.duration_s == pytest.approx(DURATION_S / 2, abs=0.2)
    of_port = limits(run, 3)
    assert of_port[len(left) + 1] == pytest.approx(left[-1], rel=0.06)
    assert left[-1] > 1.1 * SAFE_LIMIT


async def test_every_view_of_the_others_goes_on(world) -> None:
    board: list[Board] = []
    metrics: list[Metrics] = []

    def followed(fleet) -> Board:
        board.append(Board(fleet, world.clock.now_s))
        return board[0]

    def scraped(fleet) -> Metrics:
        metrics.append(Metrics(fleet))
        return metrics[0]

    world.watchers = [followed, scraped]
    run = await reloaded(
        world,
        settings(switch("one", {"1-3": {}})),
        settings(switch("one", {"1-2": {}, "4": {}})),
    )
    one, page = board[0].switches["one"]
    ends = {port: len([*page.history.since(one.meters[port].position, 0.0)]) for port in (1, 2, 4)}
    assert ends == {1: int(DURATION_S) - 1, 2: int(DURATION_S) - 1, 4: int(DURATION_S / 2) - 1}
    families = {family.name: [*family.samples] for family in metrics[0].collect()}
    offered = {
        s.labels["port"]: s.value for s in families["p4abs_admitted_bytes"] if "port" in s.labels
    }
    assert offered.keys() == {"1", "2", "4"}
    assert offered["1"] == pytest.approx(2 * offered["4"], rel=0.1)
    delays = {
        s.labels["port"]: s.value
        for s in families["p4abs_queue_delay_ratio"]
        if s.name.endswith("_count")
    }
    # A port without a limit has no drain time.
    assert delays == {str(port): np.count_nonzero(limits(run, port)) for port in (1, 2, 4)}
    assert [*summarize(run.fleet).switches["one"]["ports"]] == ["1", "2", "4"]
    after = run.ticks.lines.index(
        "new configuration in force; changed: one (port 4: added; port 3: removed)"
    )
    assert not any("port 3:" in line for line in run.ticks.lines[after + 1 :])


async def test_a_port_that_comes_and_cannot_be_read_costs_the_others_nothing(world) -> None:
    one = world.add("one", unread={3})
    world.after(3.0, "one", unread=set())
    run = await reloaded(
        world, settings(switch("one", {"1-2": {}})), settings(switch("one", {"1-3": {}}))
    )
    assert_goes_on(run, [1, 2])
    [said] = [line for line in run.ticks.lines if "other ports are not affected" in line]
    assert said.startswith("one: port 3: ")
    assert len(limits(run, 3)) == pytest.approx(1.0 / INTERVAL_S, abs=4)
    assert one.written[3][0] == INITIAL_LIMIT


async def test_a_port_that_is_not_read_yet_may_change_and_nothing_is_written_to_it(world) -> None:
    one = world.add("one", unread={3})
    later = ({}, {"initial-limit": "90kB", "min-limit": "70kB"})

    async def change(run: Run) -> None:
        for third in later:
            other = switch("one", {"1-2": {}, "3": third})
            await reload(run.of, partial(settings, other))
            await world.clock.sleep(0.1)
        control = run.of.fleet.switches["one"].controller.loop.control
        assert 3 not in control.limits_to_write()
        one.unread = set()

    run = await world.run(DURATION_S, change, settings=settings(switch("one", {"1-2": {}})))
    assert_goes_on(run, [1, 2])
    assert one.written[3][0] == 90_000


async def test_a_port_that_goes_and_cannot_be_read_is_given_up_with_a_line(world) -> None:
    world.add("one", unread={3})
    before, after = (settings(switch("one", {ports: {}})) for ports in ("1-3", "1-2"))
    run = await world.run(
        1.2 * DURATION_S, lambda run: reload(run.of, lambda: after), settings=before
    )
    assert run.failures == {}
    assert run.ticks.lines[-2:] == [
        "one: taken out of control, but the switch has not confirmed the safe limits: "
        "port 3 195.3KiB",
        "one: left with safe limits: port 1 195.3KiB, port 2 195.3KiB",
    ]


async def test_no_limit_is_written_before_the_switch_knows_the_port(world) -> None:
    """A virtual queue without a rate would not drain."""
    one = world.add("one")
    known: list[bool] = []

    async def configure(rates, marking, mtus):
        if 3 in marking and len(known) < 2:
            known.append(3 in one.written)
            raise ExchangeTimeout("no answer")
        return await RemoteSwitch.configure(one, rates, marking, mtus)

    one.configure = configure
    run = await reloaded(
        world, settings(switch("one", {"1-2": {}})), settings(switch("one", {"1-3": {}}))
    )
    assert known == [False, False]
    assert one.written[3][0] == INITIAL_LIMIT
    assert_goes_on(run, [1, 2])


async def test_while_a_switch_is_lost_its_ports_change_for_when_it_is_back(world) -> None:
    one = world.add("one", lasts_s=1.0)
    world.after(0.9, "one", answers=False)
    world.after(2.3, "one", answers=True, lasts_s=None)
    lines: list[str] = []
    run = await reloaded(
        world,
        settings(switch("one", {"1-2": {}, "3": {}})),
        settings(switch("one", {"1-2": {}, "4": {}})),
        lambda run: lines.extend(run.ticks.lines),
    )
    assert "lost" in lines[-1]
    assert run.fleet.switches["one"].controller.reconnections == 1
    assert one.written[3][-1] == SAFE_LIMIT
    assert one.written[4][0] == INITIAL_LIMIT
    before, after = (limits(run, 1)[place] for place in (45, 60))
    assert after == pytest.approx(before, rel=0.2)
    assert run.fleet.switches["one"].meters[1].total.duration_s > 2.0


async def test_ports_that_leave_in_the_last_moment_are_left_well(world) -> None:
    one = world.add("one")
    after = settings(switch("one", {"1-2": {}}))

    async def change(run: Run) -> None:
        await reload(run.of, lambda: after)
        run.of.control.end()

    run = await world.run(DURATION_S, change, settings=settings(switch("one", {"1-3": {}})))
    assert run.failures == {}
    assert {one.written[port][-1] for port in (1, 2, 3)} == {SAFE_LIMIT}


async def test_an_observed_port_comes_and_goes_and_nothing_is_written_to_it(world) -> None:
    one = world.add("one")
    one.limits |= {3: 90_000, 4: 80_000}
    observed = {"mode": "observe"}
    run = await reloaded(
        world,
        settings(switch("one", {"1": {}, "3": observed})),
        settings(switch("one", {"1": {}, "4": observed})),
    )
    assert_goes_on(run, [1])
    assert set(limits(run, 4)) == {80_000}
    assert not {3, 4} & {port for port, written in one.written.items() if written}


async def test_a_released_port_leaves_as_it_is_and_comes_back_into_control(world) -> None:
    one = world.add("one")
    both, alone = settings(switch("one", {"1-2": {}})), settings(switch("one", {"1": {}}))

    async def change(run: Run) -> None:
        releases = run.of.fleet.switches["one"].controller.releases
        await releases.release(both.switch[0].port[1], "somebody")
        await reload(run.of, lambda: alone)
        await world.clock.sleep(0.2)
        assert one.written[2][-1] == SAFE_LIMIT
        await reload(run.of, lambda: both)
        await world.clock.sleep(0.2)
        assert one.written[2][-1] != SAFE_LIMIT
        assert not releases.limits

    run = await world.run(DURATION_S, change, settings=both)
    assert_goes_on(run, [1])


async def test_a_port_that_goes_and_comes_at_once_goes_on_from_its_limit(world) -> None:
    one = world.add("one")
    both, alone = settings(switch("one", {"1-2": {}})), settings(switch("one", {"1": {}}))

    async def change(run: Run) -> None:
        await reload(run.of, lambda: alone)
        await reload(run.of, lambda: both)

    run = await world.run(DURATION_S, change, settings=both)
    assert_goes_on(run, [1])
    assert len(limits(run, 2)) > 1.9 * HALF
    assert one.limits == {1: SAFE_LIMIT, 2: SAFE_LIMIT}


async def test_a_port_moves_to_another_switch(world) -> None:
    run = await reloaded(
        world,
        settings(switch("one", {"1-3": {}}), switch("two", {"1-2": {}})),
        settings(switch("one", {"1-2": {}}), switch("two", {"1-3": {}})),
    )
    for name in ("one", "two"):
        assert_goes_on(run, [1, 2], name)
    assert world.switches["one"].limits[3] == SAFE_LIMIT
    assert len(limits(run, 3, "two")) == pytest.approx(HALF, abs=4)


@pytest.mark.parametrize("count", [4, MANY])
async def test_a_silent_port_that_comes_takes_its_least_limit_of_the_memory(world, count) -> None:
    memory = {"memory": f"{count * 100}kB"}
    before, after = (
        settings(switch("one", {ports: {"safe-limit": "50kB"}}, **memory))
        for ports in (f"1-{count}", f"1-{count + 1}")
    )
    one = world.add("one")
    one.limits[count + 1] = 5_000_000
    one.idle = {count + 1}
    run = await reloaded(world, before, after)
    ports = range(1, count + 1)
    assert_goes_on(run, ports)
    minimum = settings(switch("one", {"1": {}})).switch[0].port[0].min_limit
    given = [100_000 - limits(run, port)[-1] for port in ports]
    assert 0 <= max(given) <= 1 + minimum / count
    assert one.written[count + 1][0] == limits(run, count + 1)[-1] == minimum


async def test_a_switch_may_outgrow_the_number_of_ports_that_are_controlled_one_by_one(
    world, monkeypatch
) -> None:
    few = settings(switch("one", {"1-2": {}}))
    run = await reloaded(world, few, settings(switch("one", {f"1-{MANY}": {}})))
    undisturbed = await reloaded(World(monkeypatch), few, None)
    assert_goes_on(run, [1, 2])
    assert limits(run, 1) == limits(undisturbed, 1)
    assert len(limits(run, MANY)) == pytest.approx(HALF, abs=4)
