"""Control by BF Runtime, with a stand-in for the SDE's client and the switch behind it."""

import asyncio
import threading
from typing import NoReturn

import pytest
from finsy.proto import rpc_status
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.config import Settings
from p4abs.errors import UserError
from p4abs.inspection import Outcome, inspect
from p4abs.session import SwitchController, SwitchState, check_replicated
from p4abs.targets.bfrt import access as bfrt_access
from p4abs.targets.bfrt import sde as finder
from p4abs.targets.bfrt.access import BY_VIRTUAL_QUEUE
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.sde import SdeError, load_client
from p4abs.targets.bfrt.target import Bfrt
from p4abs.targets.tofino.clocks import stamp_ns

from controller.tests.recorder import Recorder
from controller.tests.tofino.by_bfrt import (
    ADDRESS,
    FRAME,
    NUMBER,
    PATIENCE_S,
    PORT,
    WIRE,
    Election,
    installed,
    one,
)
from controller.tests.tofino.controlling import Unhurried, controlling, refused, settings_of
from controller.tests.tofino.sde import SdeSwitch

GBPS = 10**9


def bfrt(*ports, **switch):
    return settings_of(*(ports or [PORT]), target="bfrt", **switch)


@pytest.fixture
def switch(monkeypatch) -> SdeSwitch:
    return installed(monkeypatch, SdeSwitch())


@pytest.fixture
async def access(switch):
    target = Bfrt(BY_VIRTUAL_QUEUE)
    async with target.session(ADDRESS, 0, Election(), None) as session:
        program, _ = await session.installed()
        access, _ = await target.registers(session, program, [NUMBER], None)
        await access.configure({NUMBER: 10 * GBPS}, {})
        yield access


async def test_an_exchange_writes_the_limit_and_reads_counts_of_64_bits(switch, access) -> None:
    for pipe, count in enumerate((2**40 + 7, 5)):
        switch.pipes[pipe][NUMBER].admitted_bytes = count
        switch.pipes[pipe][NUMBER].dropped_bytes = 2**33
    snapshot = await one(access, 70_000)
    assert snapshot.limit_bytes == switch.pipes[1][NUMBER].limit_bytes == 70_000
    assert (snapshot.admitted_bytes, snapshot.dropped_bytes) == (2**40 + 12, 2**34)
    assert (await one(access)).limit_bytes == 70_000
    assert snapshot.greatest_backlog_bytes is None


@pytest.mark.parametrize("build", ["tna", "t2na"])
async def test_what_flows_add_is_summed_over_pipes_where_the_program_counts_it(
    monkeypatch, build
) -> None:
    """In ticks of 2^18 ns; Tofino 1 has no room for it."""
    switch = installed(monkeypatch, SdeSwitch(build))
    for pipe in switch.pipes:
        port = pipe[NUMBER]
        port.active_ticks, port.long_ticks, port.untracked_bytes = 10**10, 2**33, 2**40
    async with Bfrt(BY_VIRTUAL_QUEUE).session(ADDRESS, 0, Election(), None) as session:
        program, _ = await session.installed()
        access, _ = await Bfrt(BY_VIRTUAL_QUEUE).registers(session, program, [NUMBER], None)
        snapshot = await one(access)
    told = (snapshot.active_flow_us, snapshot.long_flow_us, snapshot.untracked_bytes)
    of_t2na = (2 * 10**10 * 2**18 // 1000, 2**34 * 2**18 // 1000, 2**41)
    assert told == (of_t2na if build == "t2na" else (None, None, None))


async def test_time_and_departures_are_those_of_the_last_packet(switch, access) -> None:
    """100 frames at once take 122 us at 10 Gbit/s; one more, after 300 us, finds nothing."""
    now_ns = 10**9
    switch.frame(NUMBER, now_ns, FRAME)
    before = await one(access, 10**6)
    for _ in range(100):
        switch.frame(NUMBER, now_ns, FRAME)
    assert (await one(access)).occupancy_bytes == pytest.approx(100 * WIRE, abs=WIRE)
    switch.frame(NUMBER, now_ns + 300_000, FRAME)
    after = await one(access)
    assert after.timestamp_us - before.timestamp_us == 300
    assert after.admitted_bytes - before.admitted_bytes == 101 * WIRE
    assert after.occupancy_bytes <= WIRE
    sending_us = 8 * (after.unsaturated_bytes - before.unsaturated_bytes) / 10_000
    assert sending_us == pytest.approx(8 * 100 * WIRE / 10_000, abs=2.5)


@pytest.mark.parametrize("rate_gbps", [1, 9, 10, 24, 25, 40, 49, 50, 98, 100, 200, 400])
@pytest.mark.parametrize("now_ns", [8, 123_456_789_136, 2**48 - 8])
def test_the_registers_tell_a_packet_s_time_to_8_ns(switch, rate_gbps, now_ns) -> None:
    switch.rates[NUMBER] = f"gbps_{rate_gbps}"
    switch.frame(NUMBER, now_ns, FRAME)
    control = switch.pipes[0][NUMBER].control
    ticks, clock_bytes = control.last_packet_65536ns, control.clock_bytes
    assert stamp_ns(ticks, clock_bytes, rate_gbps * GBPS) == now_ns
    assert stamp_ns(ticks, clock_bytes, None) == now_ns // 65536 * 65536
    # A packet has come between the reads of the two.
    switch.frame(NUMBER, now_ns + 1_000_000, FRAME)
    later = control.clock_bytes
    assert stamp_ns(ticks, later, rate_gbps * GBPS) == now_ns + 1_000_000
    ticks = control.last_packet_65536ns
    assert stamp_ns(ticks, clock_bytes, rate_gbps * GBPS) % 2**48 == now_ns


def test_a_clock_of_another_rate_is_not_taken_for_time() -> None:
    ticks = 10**9 // 65536
    assert stamp_ns(ticks, 100 * 10**9 // 8 % 2**32, 10 * GBPS) == ticks * 65536


async def test_the_time_is_that_of_the_pipe_with_the_traffic(switch, access) -> None:
    switch.frame(NUMBER, 10**9, FRAME, pipe=0)
    for _ in range(3):
        switch.frame(NUMBER, 2 * 10**9, FRAME, pipe=1)
    before = await one(access)
    switch.frame(NUMBER, 2 * 10**9 + 50_000, FRAME, pipe=1)
    assert (await one(access)).timestamp_us - before.timestamp_us == 50


async def test_time_goes_on_when_traffic_changes_pipe(switch, access) -> None:
    """The pipe that it leaves has let in more than the other one will for long."""
    now_ns = 10**9
    for _ in range(1000):
        now_ns += 2_000
        switch.frame(NUMBER, now_ns, FRAME, pipe=1)
    before = await one(access)
    for step in range(1, 4):
        switch.frame(NUMBER, now_ns + step * 5_000_000, FRAME, pipe=0)
        after = await one(access)
        assert after.timestamp_us - before.timestamp_us == 5_000 * step


@pytest.mark.parametrize("now_ns", [2**47 + 8, 2**48 - 80_000])
async def test_a_pipe_without_packets_has_no_time(switch, access, now_ns) -> None:
    switch.frame(NUMBER, now_ns, FRAME, pipe=0)
    before = await one(access)
    switch.frame(NUMBER, now_ns + 50_000, FRAME, pipe=0)
    assert (await one(access)).timestamp_us - before.timestamp_us == 50


@pytest.mark.parametrize("hours_ago", [30, 45, 77])
async def test_a_pipe_that_has_been_silent_for_days_holds_no_time_back(
    switch, access, hours_ago
) -> None:
    """Its stamp of 48 bits may look newer than what is new: then the series begins anew, once."""
    now_ns = 2**47
    switch.frame(NUMBER, (now_ns - hours_ago * 3600 * GBPS) % 2**48, FRAME, pipe=1)
    switch.frame(NUMBER, now_ns, FRAME, pipe=0)
    await one(access)
    switch.frame(NUMBER, now_ns + 50_000, FRAME, pipe=0)
    before = await one(access)
    switch.frame(NUMBER, now_ns + 100_000, FRAME, pipe=0)
    assert (await one(access)).timestamp_us - before.timestamp_us == 50


async def test_stamps_of_pipes_that_were_read_one_after_the_other_take_no_time_back(
    switch, access
) -> None:
    switch.frame(NUMBER, 10**9 + 4_000, FRAME, pipe=1)
    before = await one(access)
    switch.frame(NUMBER, 10**9, FRAME, pipe=0)
    assert (await one(access)).timestamp_us == before.timestamp_us


async def test_what_stood_in_a_pipe_that_fell_silent_has_departed(switch, access) -> None:
    now_ns = 10**9
    for _ in range(101):
        switch.frame(NUMBER, now_ns, FRAME, pipe=1)
    assert (await one(access)).occupancy_bytes >= 100 * WIRE
    switch.frame(NUMBER, now_ns + 60_000, FRAME, pipe=0)
    assert (await one(access)).occupancy_bytes >= 100 * WIRE
    switch.frame(NUMBER, now_ns + 200_000, FRAME, pipe=0)
    assert (await one(access)).occupancy_bytes <= 2 * WIRE


async def test_a_limit_that_one_pipe_has_lost_is_none(switch, access) -> None:
    assert (await one(access, 70_000)).limit_bytes == 70_000
    switch.pipes[1][NUMBER].limit_bytes = 0
    assert (await one(access)).limit_bytes == 0


async def test_a_refused_limit_concerns_its_port_alone(switch, access) -> None:
    switch.refused_ports = {2}
    snapshots = await access.exchange([1, 2, NUMBER], {1: 10_000, 2: 20_000, NUMBER: 30_000})
    assert snapshots.of(1).limit_bytes == 10_000
    assert snapshots.of(NUMBER).limit_bytes == 30_000
    assert [*snapshots.taken] == [1, NUMBER]
    with pytest.raises(PortRefused, match=r"port 2: write limits.*no room"):
        snapshots.of(2)


async def test_a_switch_that_hangs_is_an_exchange_without_answer(
    switch, access, monkeypatch
) -> None:
    monkeypatch.setattr(bfrt_access, "EXCHANGE_TIMEOUT_S", 0.05)
    switch.hangs = threading.Event()
    try:
        snapshots = await access.exchange([1, NUMBER], {})
        assert isinstance(snapshots.failures[1], ExchangeTimeout)
        assert [*snapshots.failures] == [1, NUMBER]
    finally:
        switch.hangs.set()


async def test_a_stream_that_ends_ends_the_session(switch) -> None:
    async with Bfrt(BY_VIRTUAL_QUEUE).session(ADDRESS, 0, Election(), None) as session:
        watching = asyncio.create_task(session.watch())
        switch.go_down()
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(RpcError, match="ended the session"):
                await watching


async def test_one_thread_waits_for_a_stream_however_often_it_is_watched(switch) -> None:
    async with Bfrt(BY_VIRTUAL_QUEUE).session(ADDRESS, 0, Election(), None) as session:
        for _ in range(20):
            watching = asyncio.create_task(session.watch())
            await asyncio.sleep(0)
            watching.cancel()
            await asyncio.wait([watching])
        waiting = [thread.name for thread in threading.enumerate()].count("bfrt stream")
        assert waiting == 1
        async with asyncio.timeout(PATIENCE_S):
            assert await asyncio.to_thread(lambda: True)


async def test_rates_are_entries_and_those_that_are_there_stay_untouched(switch, access) -> None:
    assert switch.rates == {NUMBER: "AbsIngress.virtual_queue.drain_rate.gbps_10"}
    switch.writes.clear()
    await access.configure({NUMBER: 10 * GBPS, 1: GBPS}, {})
    await access.configure({1: 25 * GBPS}, {})
    assert [number for _, number in switch.writes] == [1, 1]
    assert switch.rates[1].endswith(".gbps_25")


async def test_frames_count_for_no_more_than_the_ports_mtu(switch, access) -> None:
    switch.writes.clear()
    await access.configure({}, {}, {NUMBER: 9000, 1: 1514})
    await access.configure({}, {}, {NUMBER: 9000, 1: 1514})
    assert [number for _, number in switch.writes] == [NUMBER]
    assert switch.wire_bytes == {NUMBER: 9024}
    switch.refused_ports = {1}
    failures = await access.configure({}, {}, {NUMBER: 1514, 1: 9000})
    assert failures.keys() == {1}
    assert switch.wire_bytes == {NUMBER: 1538}


async def test_limits_are_in_force_during_control_and_safe_after_it(switch, eventually) -> None:
    async with controlling(bfrt()) as (controller, events, task):
        await eventually(lambda: events.ticks > 3)
        assert controller.register_path == "BF Runtime"
        assert switch.pipes[0][NUMBER].limit_bytes == 10**6
        assert switch.owner == 1
    assert await task
    assert switch.pipes[0][NUMBER].limit_bytes == 3_000_000
    assert switch.owner is None


async def test_a_switch_that_comes_back_gets_rates_and_limits_again(switch, eventually) -> None:
    async with controlling(bfrt()) as (controller, events, _):
        await eventually(lambda: events.ticks > 3)
        switch.go_down()
        await eventually(lambda: controller.state is SwitchState.LOST)
        switch.rates.clear()
        switch.pipes[0][NUMBER].limit_bytes = 0
        switch.is_up = True
        await eventually(lambda: controller.state is SwitchState.CONTROLLING)
        await eventually(lambda: switch.pipes[0][NUMBER].limit_bytes == 10**6)
        assert switch.rates[NUMBER].endswith(".gbps_10")


async def test_a_program_that_another_client_has_is_waited_for(switch, eventually) -> None:
    switch.owner = 99
    async with controlling(bfrt()) as (_, events, _):
        await eventually(lambda: events.said("another client controls tna"))
        assert switch.writes == []
        switch.owner = None
        await eventually(lambda: events.ticks > 1)


REFUSED = {
    "a port between pipes": ({"number": 100}, "port 100: Tofino 1 has no such port"),
    "a port that is not there": ({"number": 9}, "port 9: the switch has no such .*: 1, 2, 132$"),
    "a rate without an entry": ({"capacity": "12Gbit"}, "port 132: capacity 12Gbit: .*9Gbit, 10G"),
    "a limit that is none": ({"max-limit": "1GB"}, r"port 132: max-limit .*at most 256MiB"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_cannot_be_is_refused_before_anything_is_written(switch, name) -> None:
    changes, message = REFUSED[name]
    with pytest.raises(UserError, match=message):
        await refused(bfrt(PORT | changes))
    assert switch.writes == []


@pytest.mark.parametrize("lacking", ["queue_limit_bytes", "drain_rate", "wraps_of_dropped.wraps"])
async def test_a_program_that_is_not_ours_is_refused_before_it_is_bound(switch, lacking) -> None:
    tables = switch.schema["tables"]
    switch.schema["tables"] = [each for each in tables if not each["name"].endswith(lacking)]
    switch.p4_name = "fabric"
    with pytest.raises(
        UserError, match=f"program fabric is not one of p4src/tna: it lacks .*{lacking}; it has "
    ):
        await refused(bfrt())
    assert (switch.writes, switch.owner) == ([], None)


async def test_check_reads_and_binds_nothing(switch) -> None:
    switch.owner = 99
    switch.rates[NUMBER] = "AbsIngress.virtual_queue.drain_rate.gbps_9"
    switch.pipes[0][NUMBER].limit_bytes = 5_000
    found = {each.check: each for each in await inspect(bfrt(), None, Unhurried(), 0.0)}
    assert found["registers"].outcome is Outcome.OK
    assert found["limit"].outcome is Outcome.OK
    assert found["drain-rate"].outcome is Outcome.DIFFERS
    assert "9Gbit, but 10Gbit" in found["drain-rate"].text
    assert (switch.owner, switch.writes) == (99, [])


async def test_check_of_a_switch_that_hangs_says_so(switch, monkeypatch) -> None:
    async def hanging(_: BfrtClient) -> NoReturn:
        raise ExchangeTimeout("get pipeline: no answer within 5 s")

    monkeypatch.setattr(BfrtClient, "info", hanging)
    found = await inspect(bfrt(), None, Unhurried(), 0.0)
    assert [each.outcome for each in found] == [Outcome.NO_ANSWER, Outcome.NOT_CHECKED]
    assert "no answer" in found[0].text


async def test_check_says_that_a_port_is_not_there(switch) -> None:
    found = await inspect(bfrt(PORT | {"number": 9}), None, Unhurried(), 0.0)
    [outcome] = [each.outcome for each in found if each.check == "port"]
    assert outcome is Outcome.DIFFERS


IN_THE_FILE = {
    "TLS": ({"tls-ca": "ca.pem"}, "tls-ca: the target bfrt has no TLS"),
    "a register path": (
        {"register-path": "mailbox"},
        "register-path mailbox: valid with the target bfrt: auto",
    ),
    "a client id": ({"election-id": 2**40}, "election-id: .*at most"),
}


@pytest.mark.parametrize("name", IN_THE_FILE)
def test_settings_that_bf_runtime_has_not_are_refused(name) -> None:
    changes, message = IN_THE_FILE[name]
    with pytest.raises(UserError, match=message):
        bfrt(**changes)


def test_replicas_are_refused() -> None:
    with pytest.raises(UserError, match="--replica: the target bfrt"):
        check_replicated(Settings(switch=(bfrt(),)))


def test_a_program_to_push_is_refused() -> None:
    with pytest.raises(UserError, match=r"push-pipeline tna.*bf_switchd loads the program"):
        Bfrt(BY_VIRTUAL_QUEUE).load("tna")


def install(root, version="9.13.4", client="ClientInterface = None"):
    (root / "share").mkdir()
    (root / "share" / "VERSION").write_text(f"{version}\n")
    package = root / "lib/python3.11/site-packages/tofino/bfrt_grpc"
    package.mkdir(parents=True)
    (package / "client.py").write_text(client)
    return package


WRONG = {
    "nothing there": (lambda root: None, "not an installed SDE"),
    "another version": (lambda root: install(root, "9.7.0"), "has SDE 9.7.0; supported: 9.13"),
    "no client": (
        lambda root: (install(root) / "client.py").unlink(),
        "has no client for BF Runtime",
    ),
    "a client that needs more": (
        lambda root: install(root, client="import nowhere_to_be_found"),
        "cannot be imported: No module named 'nowhere_to_be_found'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_sde_that_cannot_be_used_is_said_in_one_line(name, tmp_path, monkeypatch) -> None:
    spoil, message = WRONG[name]
    spoil(tmp_path)
    monkeypatch.setenv("SDE_INSTALL", str(tmp_path))
    monkeypatch.setattr(finder.sys, "path", [*finder.sys.path])
    with pytest.raises(SdeError, match=message) as said:
        load_client()
    assert "\n" not in str(said.value)


NEEDS = """
import google.rpc.status_pb2 as status_pb2
import google.rpc.code_pb2 as code_pb2
from google.rpc import status_pb2 as again
ClientInterface = status_pb2.Status(code=code_pb2.OK, message="used")
"""


def test_the_client_is_found_and_shares_the_messages_of_google_rpc(tmp_path, monkeypatch) -> None:
    """Two copies of them cannot be in one process."""
    install(tmp_path, client=NEEDS)
    monkeypatch.setenv("SDE_INSTALL", str(tmp_path))
    monkeypatch.setattr(finder.sys, "path", [*finder.sys.path])
    found = load_client()
    for name in ("bfrt_grpc", "bfrt_grpc.client"):
        monkeypatch.delitem(finder.sys.modules, name)
    assert found.ClientInterface.message == "used"
    assert found.again is found.status_pb2 is rpc_status


def test_without_an_sde_control_is_refused(monkeypatch) -> None:
    monkeypatch.delenv("SDE_INSTALL", raising=False)
    with pytest.raises(UserError, match="set SDE_INSTALL"):
        SwitchController(bfrt(), None, Recorder(), Unhurried())
