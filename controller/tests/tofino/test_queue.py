"""Control of the program in front of the traffic manager's queues, against both stand-ins.

Its P4 source decides what is dropped, by the lengths that the stand-in's queues are reported with.
"""

import pytest
from finsy.proto import p4r
from p4abs.access.connection import Connection
from p4abs.access.rpc_error import PortRefused
from p4abs.errors import UserError
from p4abs.inspection import Outcome, inspect
from p4abs.session.requirements import fitted_port, unit_unsupported
from p4abs.targets.bfrt.queue import BY_QUEUE
from p4abs.targets.bfrt.target import Bfrt
from p4abs.targets.tofino.compiled import load_compiled
from p4abs.targets.tofino.mailbox import TofinoMailbox
from p4abs.targets.tofino.queue_program import QueueProgram

from controller.tests.tofino.by_bfrt import ADDRESS, FRAME, NUMBER, PORT, Election, one, with_queues
from controller.tests.tofino.controlling import Unhurried, controlling, refused, settings_of
from controller.tests.tofino.ports import QueuePort
from controller.tests.tofino.programs import QUEUE_BUILD, compiled, p4info, queue_program
from controller.tests.tofino.sde import SdeSwitch
from controller.tests.tofino.stratum import StratumStandIn, serving

pytestmark = pytest.mark.usefixtures("patience")

CELL = 176
WIRE = FRAME + 24
REPORTED_AS = (1, 128 * 0 + 4 * 16)  # port 132: pipe 1, the fifth port of its first group


def by_stratum(address: str, *ports):
    switch = {"target": "stratum", "grpc-addr": address, "enforcement": "queue"}
    return settings_of(*(ports or [PORT]), **switch)


def by_bfrt(*ports):
    return settings_of(*(ports or [PORT]), target="bfrt", enforcement="queue")


# --- P4Runtime, by the mailbox


def entry(port: int, queue: tuple[int, int] = REPORTED_AS) -> p4r.TableEntry:
    [update] = queue_program().queue_table.changes({}, {queue: (port,)})
    return update.entity.table_entry


@pytest.fixture
async def stratum():
    switch = StratumStandIn(p4info(QUEUE_BUILD), QueuePort)
    switch.entries[NUMBER] = entry(NUMBER)
    async with serving(switch):
        yield switch


@pytest.fixture
async def mailbox(stratum):
    async with Connection(stratum.address, 1, 1) as connection:
        yield TofinoMailbox(connection, queue_program())


async def test_the_mailbox_writes_limits_and_tells_what_the_wire_takes(stratum, mailbox) -> None:
    await mailbox.configure({NUMBER: 10**10}, {})
    before = await one(mailbox, 20_000)
    port = stratum.ports[NUMBER]
    assert port.frame(0, FRAME)
    port.report(100)
    assert not port.frame(0, FRAME)
    after = await one(mailbox)
    assert after.limit_bytes == port.limit_bytes == 20_000
    assert after.admitted_bytes - before.admitted_bytes == WIRE
    assert after.dropped_bytes - before.dropped_bytes == WIRE
    assert after.greatest_backlog_bytes == 100 * 2 * CELL


async def test_what_has_departed_stays_where_a_backlog_of_cells_outgrows_bytes(
    stratum, mailbox
) -> None:
    """A frame of 60 bytes takes 84 of the wire and a cell of 176."""
    port = stratum.ports[NUMBER]
    for _ in range(1000):
        port.frame(0, FRAME)
    before = await one(mailbox)
    for _ in range(20):
        port.frame(0, 60)
    port.report(10)
    after = await one(mailbox)
    assert after.departed_bytes == before.departed_bytes == after.unsaturated_bytes
    port.report(0)
    assert (await one(mailbox)).departed_bytes == 1000 * WIRE + 20 * 84


async def test_a_port_that_no_queue_is_of_is_refused_by_name(stratum, mailbox) -> None:
    failures = await mailbox.configure({NUMBER: 10**10, 133: 10**10}, {})
    with pytest.raises(PortRefused, match=r"port 133: .*no entry of the table port_of_queue"):
        raise failures.pop(133)
    assert failures == {}


async def test_control_by_the_mailbox_takes_any_rate_and_leaves_safe_limits(
    stratum, eventually
) -> None:
    settings = by_stratum(stratum.address, PORT | {"capacity": "12345Mbit"})
    async with controlling(settings) as (_, events, task):
        await eventually(lambda: events.ticks > 3)
        assert stratum.ports[NUMBER].limit_bytes == 10**6
        assert stratum.writes == []
    assert await task
    assert stratum.ports[NUMBER].limit_bytes == 3 * 10**6


def test_the_lowest_limit_holds_a_frame_of_the_mtu_as_it_takes_the_wire() -> None:
    (asked,) = by_stratum("127.0.0.1:1", PORT | {"mtu": "9216B", "min-limit": "9216B"}).port
    capabilities = queue_program().capabilities()
    assert fitted_port(capabilities, asked).min_limit == 9216 + 24
    limits = dict.fromkeys(("min-limit", "initial-limit", "safe-limit"), "1514B")
    (tight,) = by_stratum("127.0.0.1:1", PORT | limits | {"max-limit": "1537B"}).port
    assert unit_unsupported(capabilities, tight) == (
        "the highest limit, 1537B, must be at least 1538B: that is what the switch counts "
        "for a frame of the port's mtu, 1514B"
    )


async def test_a_push_is_followed_by_entries_and_control(tmp_path, eventually) -> None:
    """Tables are empty after a push, so no port has a queue; what runs is not pushed again."""
    wanted = load_compiled(str(compiled(tmp_path, QUEUE_BUILD)), QueueProgram)
    async with serving(StratumStandIn(port=QueuePort)) as switch:
        settings = by_stratum(switch.address)
        with pytest.raises(UserError, match=r"port 132: .*no entry of the table port_of_queue"):
            await refused(settings, wanted)
        switch.entries[NUMBER] = entry(NUMBER)
        async with controlling(settings, wanted) as (_, events, _):
            await eventually(lambda: events.ticks > 3)
        assert switch.ports[NUMBER].limit_bytes == 3 * 10**6


@pytest.mark.parametrize(("known", "outcome"), [(NUMBER, Outcome.OK), (7, Outcome.DIFFERS)])
async def test_check_says_whether_the_program_knows_a_port_s_queue(stratum, known, outcome) -> None:
    stratum.entries = {known: entry(known)}
    found = await inspect(by_stratum(stratum.address), None, Unhurried(), 0.0)
    [finding] = [each for each in found if each.check == "queue"]
    assert finding.outcome is outcome


@pytest.mark.parametrize(
    ("build", "enforcement", "lacking"),
    [("t2na", "queue", "port_of_queue"), (QUEUE_BUILD, "virtual", "drain_rate")],
)
async def test_a_program_with_the_other_queue_is_refused_by_name(
    build, enforcement, lacking
) -> None:
    async with serving(StratumStandIn(p4info(build))) as switch:
        settings = settings_of(
            PORT, target="stratum", enforcement=enforcement, **{"grpc-addr": switch.address}
        )
        with pytest.raises(UserError, match=f"not one of p4src/tna: it lacks the table {lacking}"):
            await refused(settings)
        assert (switch.writes, switch.packets) == ([], 0)


# --- BF Runtime


@pytest.fixture
def switch(monkeypatch) -> SdeSwitch:
    return with_queues(monkeypatch, SdeSwitch(QUEUE_BUILD))


@pytest.fixture
async def access(switch):
    target = Bfrt(BY_QUEUE)
    async with target.session(ADDRESS, 0, Election(), None) as session:
        program, _ = await session.installed()
        access, _ = await target.registers(session, program, [NUMBER], None)
        await access.configure({}, {NUMBER: False})
        yield access


async def test_the_ghost_thread_is_told_of_the_ports_queues(switch, access) -> None:
    assert switch.port_of_queue == {REPORTED_AS: NUMBER}
    assert switch.manager.report_modes == {1: "ANY"}
    assert switch.manager.queues[NUMBER].depth_report_enable
    assert not switch.manager.queues[1].depth_report_enable


async def test_its_frames_count_for_no_more_than_the_ports_mtu(switch, access) -> None:
    await access.configure({}, {NUMBER: False}, {NUMBER: 9000})
    assert switch.wire_bytes == {NUMBER: 9024}


async def test_a_queue_of_another_group_is_told_by_its_number_in_the_pipe(switch) -> None:
    """Port 150, the seventh port of the third group."""
    number = 128 + 22
    switch.manager.add(number, 10**10)
    switch.added.add(number)
    target = Bfrt(BY_QUEUE)
    async with target.session(ADDRESS, 0, Election(), None) as session:
        program, _ = await session.installed()
        access, _ = await target.registers(session, program, [number], None)
        await access.configure({}, {number: False})
    assert switch.port_of_queue == {(1, 2 * 128 + 6 * 16): number}


async def test_entries_that_are_so_are_not_written_again_and_others_are_changed(
    switch, access
) -> None:
    written = [table for table, _ in switch.writes if table.endswith("port_of_queue")]
    await access.configure({}, {NUMBER: False})
    switch.port_of_queue[REPORTED_AS] = 7
    await access.configure({}, {NUMBER: False})
    again = [table for table, _ in switch.writes if table.endswith("port_of_queue")]
    assert len(written) == 1
    assert len(again) == 2
    assert switch.port_of_queue == {REPORTED_AS: NUMBER}


async def test_what_is_sent_stands_and_is_dropped_adds_up_at_once(switch, access) -> None:
    """200 frames of 1.22 us each at once, from two pipes, into 100 frames' worth of cells."""
    before = await one(access, 100 * 9 * CELL + WIRE)
    queue = switch.manager.queues[NUMBER]
    admitted = sum(switch.queued_frame(NUMBER, 1000, FRAME, pipe=turn % 2) for turn in range(200))
    switch.manager.run(63_000)
    after = await one(access)
    assert admitted == pytest.approx(100, abs=1)
    assert after.dropped_bytes - before.dropped_bytes == (200 - admitted) * WIRE
    assert after.departed_bytes - before.departed_bytes == queue.sent_frames * WIRE == 50 * WIRE
    assert after.occupancy_bytes == (admitted - 50) * 9 * CELL
    assert after.timestamp_us - before.timestamp_us == 63


async def test_counts_begin_anew_where_somebody_has_cleared_those_of_the_port(
    switch, access
) -> None:
    for _ in range(20):
        switch.queued_frame(NUMBER, 1000, FRAME)
    switch.manager.run(10**6)
    await one(access)
    queue = switch.manager.queues[NUMBER]
    queue.sent_frames = queue.sent_octets = 0
    cleared = await one(access)
    assert (cleared.admitted_bytes, cleared.departed_bytes) == (0, 0)


@pytest.mark.parametrize("table", ["$PORT_STAT", "tm.counter.queue"])
async def test_a_port_without_an_entry_costs_no_other(switch, access, table) -> None:
    switch.vanished = {(table, 1)}
    snapshots = await access.exchange([1, NUMBER], {1: 10_000, NUMBER: 30_000})
    with pytest.raises(PortRefused, match=r"port 1: read queues: NOT_FOUND: Entry not found"):
        snapshots.of(1)
    assert snapshots.of(NUMBER).limit_bytes == 30_000
    switch.vanished.clear()
    assert (await access.exchange([1, NUMBER], {})).failures == {}


async def test_limits_are_in_force_in_every_pipe_and_safe_after_control(switch, eventually) -> None:
    async with controlling(by_bfrt()) as (controller, events, task):
        await eventually(lambda: events.ticks > 3)
        assert controller.register_path.startswith("BF Runtime, queues")
        assert [pipe[NUMBER].limit_bytes for pipe in switch.pipes] == [10**6, 10**6]
    assert await task
    assert [pipe[NUMBER].limit_bytes for pipe in switch.pipes] == [3 * 10**6, 3 * 10**6]


@pytest.mark.parametrize("lacking", ["tm.queue.cfg", "tm.pipe.cfg"])
async def test_a_chip_without_reports_is_refused_before_it_is_bound(switch, lacking) -> None:
    switch.fixed = {name: table for name, table in switch.fixed.items() if table.name != lacking}
    with pytest.raises(UserError, match=f"enforcement queue: the switch has no table {lacking}$"):
        await refused(by_bfrt())
    assert switch.owner is None


async def test_check_compares_limits_and_rates_and_binds_nothing(switch) -> None:
    switch.owner = 99
    switch.pipes[0][NUMBER].limit_bytes = 5
    found = {each.check: each for each in await inspect(by_bfrt(), None, Unhurried(), 0.0)}
    assert found["drain-rate"].outcome is Outcome.OK
    assert found["limit"].outcome is Outcome.DIFFERS
    assert (switch.owner, switch.writes) == (99, [])
