"""Limits of the traffic manager's queues, with stand-ins for the SDE's client and the queues."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.access.rpc_error import PortRefused
from p4abs.config import Source, load_settings
from p4abs.errors import UserError
from p4abs.inspection import Outcome, inspect
from p4abs.session import SwitchState
from p4abs.session.requirements import fitted_port, unit_unsupported
from p4abs.targets.bfrt.target import Bfrt
from p4abs.targets.bfrt.tm.counts import QueueCounts
from p4abs.targets.bfrt.tm.enforcer import BY_TRAFFIC_MANAGER
from p4abs.targets.bfrt.tm.program import TmProgram
from p4abs.targets.bfrt.tm.queues import QueueReading

from controller.tests.tofino.by_bfrt import ADDRESS, FRAME, NUMBER, PORT, Election, one, with_queues
from controller.tests.tofino.controlling import Unhurried, controlling, refused, settings_of
from controller.tests.tofino.sde import SdeSwitch
from controller.tests.tofino.traffic_manager import NS, PORT_REFRESH_NS, QUEUE_REFRESH_NS

CELL = 80


def tm(*ports, **switch):
    return settings_of(*(ports or [PORT]), target="bfrt", enforcement="tm", **switch)


@pytest.fixture
def switch(monkeypatch) -> SdeSwitch:
    return with_queues(monkeypatch, SdeSwitch())


@pytest.fixture
async def access(switch):
    target = Bfrt(BY_TRAFFIC_MANAGER)
    async with target.session(ADDRESS, 0, Election(), None) as session:
        program, _ = await session.installed()
        access, _ = await target.registers(session, program, [NUMBER], None)
        yield access


async def test_a_limit_is_static_in_whole_cells_and_nothing_else_is_touched(switch, access) -> None:
    queue = switch.manager.queues[NUMBER]
    guaranteed, hysteresis = queue.guaranteed_cells, queue.hysteresis_cells
    queue.tail_drop_enable = False
    assert (await one(access)).limit_bytes == 0
    assert (await one(access, 100_039)).limit_bytes == 100_000
    assert (queue.limit_cells, queue.guaranteed_cells) == (1250, guaranteed)
    assert queue.hysteresis_cells == hysteresis
    assert switch.writes == [("tm.queue.buffer", NUMBER)]


async def test_a_limit_below_the_guaranteed_cells_is_told_as_what_it_is(switch, access) -> None:
    assert (await one(access, 400)).limit_bytes == 20 * CELL
    assert switch.manager.queues[NUMBER].pool_max_cells == 0


async def test_a_limit_that_is_in_force_is_not_written_again(switch, access) -> None:
    await one(access, 100_000)
    switch.writes.clear()
    await one(access, 100_079)
    assert switch.writes == []
    await access.exchange([1, NUMBER], {})
    await access.exchange([1, NUMBER], {1: 100_000, NUMBER: 100_000})
    assert switch.writes == [("tm.queue.buffer", 1)]
    switch.manager.queues[NUMBER].pool_max_cells = 7
    await one(access)
    assert (await one(access, 100_000)).limit_bytes == 100_000


@given(limit_bytes=st.integers(1600, 2**30), cell_bytes=st.sampled_from([80, 176]))
def test_rounding_stays_within_a_port_s_bounds(limit_bytes, cell_bytes) -> None:
    """Whatever the law decides within the fitted bounds, and whatever is left behind."""
    capabilities = capabilities_of(cell_bytes)
    sizes = {"min-limit": f"{limit_bytes}B", "max-limit": f"{limit_bytes + 300}B"}
    wide = {"initial-limit": f"{limit_bytes}B", "safe-limit": f"{limit_bytes + 1}B"}
    (asked,) = settings_of({"number": NUMBER, "capacity": "10Gbit", **sizes, **wide}).port
    assert unit_unsupported(capabilities, asked) == ""
    port = fitted_port(capabilities, asked)
    for limit in (port.min_limit, port.max_limit, port.initial_limit, port.safe_limit):
        rounded = limit // cell_bytes * cell_bytes
        assert asked.min_limit <= rounded <= asked.max_limit


def capabilities_of(cell_bytes: int):
    return TmProgram(None, None, {}, cell_bytes, 2**20 * 16).capabilities()


async def test_what_is_sent_stands_and_is_dropped_adds_up(switch, access) -> None:
    """200 frames at once into 100 frames' worth of cells, which take 1.22 us each to be sent."""
    await one(access, 100 * 19 * CELL)
    before = await one(access)
    queue = switch.manager.queues[NUMBER]
    for _ in range(200):
        queue.frame(1000, FRAME)
    switch.manager.run(63_000)
    during = await one(access)
    assert during.timestamp_us - before.timestamp_us == 63
    assert during.departed_bytes - before.departed_bytes == queue.sent_frames * FRAME == 50 * FRAME
    assert during.occupancy_bytes == 50 * 19 * CELL
    switch.manager.run(PORT_REFRESH_NS)
    after = await one(access)
    assert after.admitted_bytes == during.admitted_bytes
    assert after.dropped_bytes - before.dropped_bytes == 100 * FRAME
    assert after.occupancy_bytes <= after.admitted_bytes - 100 * FRAME


async def test_idle_time_is_that_of_the_wire(switch, access) -> None:
    before = await one(access)
    queue = switch.manager.queues[NUMBER]
    for _ in range(1000):
        queue.frame(0, FRAME)
    wire_s = 1000 * (FRAME + 24) * 8 / queue.rate_bps
    switch.manager.run(round((wire_s + 0.001) * NS))
    after = await one(access)
    sending_s = 8 * (after.unsaturated_bytes - before.unsaturated_bytes) / queue.rate_bps
    idle_s = (after.unsaturated_us - before.unsaturated_us) / 1e6 - sending_s
    assert idle_s == pytest.approx(0.001, abs=2e-6)


@pytest.mark.parametrize(
    ("ports_count_drops", "known_ns"), [(True, PORT_REFRESH_NS), (False, QUEUE_REFRESH_NS)]
)
async def test_drops_are_known_by_the_port_s_count_or_else_by_the_queue_s(
    switch, access, ports_count_drops, known_ns
) -> None:
    switch.manager.ports_count_drops = ports_count_drops
    await one(access, 10 * 19 * CELL)
    queue = switch.manager.queues[NUMBER]
    for _ in range(20):
        queue.frame(0, FRAME)
    switch.manager.run(known_ns - 1)
    assert (await one(access)).dropped_bytes == 0
    switch.manager.run(known_ns)
    assert (await one(access)).dropped_bytes == queue.dropped_bytes > 0


READING = QueueReading(20, 100, True, 0, 0, 0, 0, 0)


def reading(frames: int, frame_bytes: int, packets: int) -> QueueReading:
    octets = frames * (frame_bytes + 4)
    return QueueReading(20, 100, True, 0, packets, frames, octets, 0)


def test_dropped_packets_are_as_large_as_the_mean_frame_of_the_same_time() -> None:
    counts = QueueCounts.first(READING, CELL)
    counts = counts.after(reading(10, 1000, 5), CELL)
    assert counts.dropped_bytes == 5000
    # 30 frames more of 400 bytes in the mean.
    counts = counts.after(QueueReading(20, 100, True, 0, 8, 40, 10 * 1004 + 30 * 404, 0), CELL)
    assert counts.dropped_bytes == 5000 + 3 * 400


def test_drops_without_a_frame_that_was_sent_wait_for_one() -> None:
    counts = QueueCounts.first(READING, CELL).after(reading(0, 1000, 5), CELL)
    assert counts.dropped_bytes == 0
    assert counts.after(reading(1, 1000, 5), CELL).dropped_bytes == 5000


def test_a_drop_count_that_somebody_has_cleared_is_no_loss() -> None:
    counts = QueueCounts.first(READING, CELL).after(reading(10, 1000, 5), CELL)
    counts = counts.after(reading(20, 1000, 0), CELL)
    assert counts.dropped_bytes == 5000
    assert counts.after(reading(30, 1000, 1), CELL).dropped_bytes == 6000


def test_a_backlog_that_is_read_late_takes_nothing_back_from_what_was_admitted() -> None:
    standing = QueueReading(20, 100, True, 50, 0, 0, 0, 0)
    counts = QueueCounts.first(standing, CELL)
    counts = counts.after(reading(1, 1000, 0), CELL)
    assert counts.admitted_bytes == 50 * CELL


def test_counts_begin_anew_where_somebody_has_cleared_those_of_the_port() -> None:
    counts = QueueCounts.first(READING, CELL).after(reading(10, 1000, 5), CELL)
    assert counts.after(reading(1, 1000, 5), CELL) == QueueCounts.first(reading(1, 1000, 5), CELL)


STEPS = st.lists(st.tuples(st.integers(0, 50), st.integers(64, 1518), st.integers(0, 9)))


@given(steps=STEPS, backlogs=st.lists(st.integers(0, 100), min_size=1))
def test_counts_never_go_backwards(steps, backlogs) -> None:
    """Whatever is sent, dropped and left standing between two readings."""
    frames = octets = packets = 0
    counts = QueueCounts.first(READING, CELL)
    for number, (more, size, dropped) in enumerate(steps):
        frames, octets, packets = frames + more, octets + more * size, packets + dropped
        backlog = backlogs[number % len(backlogs)]
        after = counts.after(QueueReading(20, 100, True, backlog, packets, frames, octets, 0), CELL)
        assert after.admitted_bytes >= max(counts.admitted_bytes, after.sent_bytes)
        assert after.dropped_bytes >= counts.dropped_bytes
        counts = after


async def test_a_refused_limit_concerns_its_port_alone(switch, access) -> None:
    switch.refused_ports = {2}
    snapshots = await access.exchange([1, 2, NUMBER], {1: 10_000, 2: 20_000, NUMBER: 30_000})
    assert [*snapshots.taken] == [1, NUMBER]
    assert snapshots.of(NUMBER).limit_bytes == 30_000
    with pytest.raises(PortRefused, match=r"port 2: write limits.*no room"):
        snapshots.of(2)


TABLES = ("$PORT_STAT", "tm.counter.eg_port", "tm.counter.queue", "tm.queue.buffer")


@pytest.mark.parametrize("table", TABLES)
async def test_a_port_without_an_entry_costs_no_other(switch, access, table) -> None:
    limits = {1: 10_000, 2: 20_000, NUMBER: 30_000}
    switch.vanished = {(table, 1)}
    unread = f"port 1: read queues: NOT_FOUND: Entry not found in table:{re.escape(table)}"
    for _ in range(2):
        snapshots = await access.exchange([1, 2, NUMBER], limits)
        assert [*snapshots.taken] == [2, NUMBER]
        with pytest.raises(PortRefused, match=unread):
            snapshots.of(1)
    assert [port for _, port in switch.writes] == [2, NUMBER]
    switch.vanished.clear()
    snapshots = await access.exchange([1, 2, NUMBER], limits)
    assert [snapshots.of(port).limit_bytes for port in limits] == [10_000, 20_000, 30_000]
    switch.vanished = {(table, 2)}
    assert (await access.exchange([1, 2, NUMBER], {})).failures.keys() == {2}


async def test_a_port_that_is_left_out_of_an_answer_is_refused(switch, access) -> None:
    switch.vanished, switch.tells_vanished = {("$PORT_STAT", 1)}, False
    snapshots = await access.exchange([1, NUMBER], {})
    with pytest.raises(PortRefused, match=r"port 1: .*no entry in the table \$PORT_STAT"):
        snapshots.of(1)
    assert snapshots.of(NUMBER)


async def test_a_port_that_vanishes_from_the_traffic_manager_has_no_queue(switch) -> None:
    switch.vanished = {("tm.port.cfg", 2)}
    target = Bfrt(BY_TRAFFIC_MANAGER)
    async with target.session(ADDRESS, 0, Election(), None) as session:
        program, _ = await session.installed()
    assert program.queues.keys() == {1, NUMBER}


async def test_control_goes_on_without_a_port_that_vanishes(switch, eventually) -> None:
    async with controlling(tm(PORT | {"number": 2}, PORT)) as (controller, events, _):
        await eventually(lambda: events.ticks > 3)
        switch.vanished = {("$PORT_STAT", 2)}
        await eventually(lambda: events.said("port 2: read queues: NOT_FOUND"))
        ticks = events.ticks
        await eventually(lambda: events.ticks > ticks + 3)
        assert controller.state is SwitchState.CONTROLLING


@pytest.mark.parametrize("table", ["$PORT", "$PORT_STAT"])
async def test_check_names_the_port_that_is_not_there(switch, table) -> None:
    switch.vanished = {(table, NUMBER)}
    found = {each.check: each for each in await inspect(tm(), None, Unhurried(), 0.0)}
    assert found["queues"].outcome is Outcome.DIFFERS
    assert f"port {NUMBER}: read queues: NOT_FOUND" in found["queues"].text


async def test_limits_are_in_force_during_control_and_safe_after_it(switch, eventually) -> None:
    """The virtual queue, which may have been in force before, drops nothing meanwhile."""
    switch.pipes[0][NUMBER].limit_bytes = 5_000
    async with controlling(tm()) as (controller, events, task):
        await eventually(lambda: events.ticks > 3)
        assert controller.register_path.startswith("BF Runtime, traffic manager")
        assert switch.manager.queues[NUMBER].limit_cells == 10**6 // CELL
        assert switch.pipes[0][NUMBER].limit_bytes == 0
        assert (switch.owner, switch.rates) == (1, {})
    assert await task
    assert switch.manager.queues[NUMBER].limit_cells == 3 * 10**6 // CELL
    assert switch.owner is None


async def test_a_switch_that_comes_back_gets_limits_again(switch, eventually) -> None:
    async with controlling(tm()) as (controller, events, _):
        await eventually(lambda: events.ticks > 3)
        switch.go_down()
        await eventually(lambda: controller.state is SwitchState.LOST)
        queue = switch.manager.add(NUMBER, 10 * 10**9)
        switch.is_up = True
        await eventually(lambda: queue.limit_cells == 10**6 // CELL)


async def test_a_program_that_another_client_has_is_waited_for(switch, eventually) -> None:
    switch.owner = 99
    async with controlling(tm()) as (_, events, _):
        await eventually(lambda: events.said("another client controls tna"))
        assert switch.writes == []
        switch.owner = None
        await eventually(lambda: events.ticks > 1)


@pytest.mark.parametrize(
    "lacking",
    ["tm.cfg", "tm.pool.cfg", "tm.port.cfg", "tm.queue.buffer", "tm.counter.queue", "$PORT_STAT"],
)
async def test_a_table_that_the_switch_has_not_is_named_before_it_is_bound(switch, lacking) -> None:
    switch.fixed = {name: table for name, table in switch.fixed.items() if table.name != lacking}
    named = lacking.replace("$", r"\$")
    with pytest.raises(UserError, match=f"enforcement tm: the switch has no table {named}$"):
        await refused(tm())
    assert (switch.writes, switch.owner) == ([], None)


@pytest.mark.parametrize("lacking", ["pool_max_cells", "guaranteed_cells"])
async def test_a_field_that_a_table_has_not_is_named(switch, lacking) -> None:
    name = "tf1.tm.queue.buffer"
    table = switch.fixed[name]
    switch.fixed[name] = replace(
        table,
        fields=tuple(field for field in table.fields if field != lacking),
        action_fields=tuple(field for field in table.action_fields if field != lacking),
    )
    with pytest.raises(UserError, match=f"the table {name} has no field {lacking}$"):
        await refused(tm())


async def test_an_action_that_a_table_has_not_is_named(switch) -> None:
    name = "tf1.tm.queue.buffer"
    switch.fixed[name] = replace(switch.fixed[name], action=None)
    with pytest.raises(UserError, match=f"the table {name} has no action shared_pool$"):
        await refused(tm())


REFUSED = {
    "a port without a queue": ({"number": 1}, "port 1: the traffic manager has no queue"),
    "a port that is not there": ({"number": 9}, "port 9: the switch has no such .*: 1, 2, 132$"),
    "more than the chip has": ({"max-limit": "1GB"}, r"port 132: max-limit .*at most 15.62MiB"),
    "less than a cell between": (
        {
            "min-limit": "3041B",
            "max-limit": "3100B",
            "initial-limit": "3050B",
            "safe-limit": "3050B",
        },
        "port 132: limits of 3041B to 3100B: must include a multiple of 80 bytes",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_cannot_be_is_refused_before_anything_is_written(switch, name) -> None:
    changes, message = REFUSED[name]
    del switch.manager.queues[1]
    with pytest.raises(UserError, match=message):
        await refused(tm(PORT | changes))
    assert switch.writes == []


@pytest.mark.parametrize(("target", "valid"), [("bmv2", "virtual"), ("stratum", "queue, virtual")])
def test_another_target_has_no_traffic_manager_to_limit(target, valid) -> None:
    with pytest.raises(
        UserError, match=f"enforcement tm: valid with the target {target}: {valid}$"
    ):
        load_settings(Source({"switch": {"target": target, "port": [PORT]}}), {"enforcement": "tm"})


async def test_check_reads_and_binds_nothing(switch) -> None:
    switch.owner = 99
    queue = switch.manager.add(NUMBER, 25 * 10**9)
    queue.dynamic_baf, queue.pool_max_cells = "DISABLE", 5
    found = {each.check: each for each in await inspect(tm(), None, Unhurried(), 0.0)}
    assert found["queues"].outcome is Outcome.OK
    assert found["drain-rate"].outcome is Outcome.DIFFERS
    assert "25Gbit, but 10Gbit" in found["drain-rate"].text
    assert found["limit"].outcome is Outcome.DIFFERS
    assert "1.953KiB lies outside" in found["limit"].text
    assert (switch.owner, switch.writes) == (99, [])


async def test_check_says_that_a_dynamic_limit_is_none(switch) -> None:
    found = {each.check: each for each in await inspect(tm(), None, Unhurried(), 0.0)}
    assert found["limit"].text == "the switch has none yet"


async def test_check_names_a_table_that_is_not_there(switch) -> None:
    del switch.fixed["tf1.tm.queue.buffer"]
    found = {each.check: each for each in await inspect(tm(), None, Unhurried(), 0.0)}
    assert "no table tm.queue.buffer" in found["program"].text


async def test_tofino_2_has_its_own_names_cells_and_groups(monkeypatch, eventually) -> None:
    switch = with_queues(monkeypatch, SdeSwitch("t2na"))
    async with controlling(tm()) as (_, events, _):
        await eventually(lambda: events.ticks > 3)
        assert switch.manager.queues[NUMBER].limit_cells == 10**6 // 176
