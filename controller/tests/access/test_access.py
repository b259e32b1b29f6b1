"""Both register paths against the embedded target, over real gRPC."""

import asyncio
from collections.abc import Sequence
from typing import NoReturn

import grpc
import pytest
from finsy.proto import p4i, p4r
from p4abs.access.connection import Connection, PrimacyLost, Role
from p4abs.access.discovery import RegisterPath, discover
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import MissingObjects, Program, load_program, program_path
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess, drain_rate
from p4abs.access.register_entry import RegisterEntryAccess
from p4abs.access.rpc_error import RpcError
from p4abs.measurements import Snapshot
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

PORT = 2
PATHS = [RegisterEntryAccess, MailboxAccess]


@pytest.fixture(params=["queue", "shared_queue", "virtual_queue"])
def build(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def served(build: str):
    """The embedded target in virtual time, running a build."""
    async with running(config(program=program_path(build)), live=False) as switch:
        yield switch


@pytest.fixture
async def connection(served):
    async with Connection(served.address, served.device_id, 1) as connection:
        yield connection


async def one(access: RegisterAccess, port: int, limit_bytes: int | None = None) -> Snapshot:
    """An exchange of one port."""
    limits = {} if limit_bytes is None else {port: limit_bytes}
    return (await access.exchange([port], limits)).of(port)


@pytest.mark.parametrize("path", PATHS)
async def test_an_exchange_writes_the_limit_and_reads_all_registers(
    served, connection, build: str, path
) -> None:
    served.engine.registers_write(
        [
            ("admitted_bytes", PORT, 2**63 + 7),
            ("dropped_bytes", PORT, 256),
            ("departed_bytes", PORT, 2**63),
        ]
    )
    access = path(connection, load_program(build))
    snapshot = await one(access, PORT, 70_000)
    assert snapshot.limit_bytes == 70_000
    assert snapshot.admitted_bytes == 2**63 + 7
    assert snapshot.dropped_bytes == 256
    assert served.engine.registers_read([("queue_limit_bytes", PORT)]) == [70_000]


@pytest.mark.parametrize("path", PATHS)
async def test_an_exchange_without_a_limit_only_reads(served, connection, build, path) -> None:
    served.engine.registers_write([("queue_limit_bytes", PORT, 5000)])
    access = path(connection, load_program(build))
    assert (await one(access, PORT)).limit_bytes == 5000
    assert served.engine.registers_read([("queue_limit_bytes", PORT)]) == [5000]


@pytest.mark.parametrize("path", PATHS)
async def test_ports_are_apart(served, connection, build, path) -> None:
    access = path(connection, load_program(build))
    await one(access, 1, 10_000)
    await one(access, 511, 20_000)
    assert (await one(access, 1)).limit_bytes == 10_000
    assert (await one(access, 2)).limit_bytes == 0
    assert (await one(access, 511)).limit_bytes == 20_000


@pytest.mark.parametrize("path", PATHS)
async def test_the_drain_rate_is_written_in_the_register_s_unit(
    served, connection, build, path
) -> None:
    await path(connection, load_program(build)).configure({PORT: 10_000_000}, {})
    assert served.engine.registers_read([("drain_rate", PORT)]) == [1_310_720]


@pytest.mark.parametrize("path", PATHS)
async def test_a_snapshot_tells_the_unsaturated_time(served, connection, build, path) -> None:
    served.engine.registers_write(
        [
            ("unsaturated_us", PORT, 2**64 - 1),
            ("unsaturated_wait_us", PORT, 5),
            ("unsaturated_bytes", PORT, 777),
        ]
    )
    snapshot = await one(path(connection, load_program(build)), PORT)
    assert (snapshot.unsaturated_us, snapshot.unsaturated_bytes) == (4, 777)


@pytest.mark.parametrize("path", PATHS)
async def test_extremes_are_told_once_a_window_began_with_a_snapshot(
    served, connection, build, path
) -> None:
    access = path(connection, load_program(build))
    assert (await one(access, PORT)).least_backlog_bytes is None
    await one(access, PORT)
    served.engine.registers_write(
        [("least_backlog_bytes", PORT, 0), ("greatest_backlog_bytes", PORT, 9000)]
    )
    packet_takes_the_window_over(served)
    snapshot = await one(access, PORT)
    assert (snapshot.least_backlog_bytes, snapshot.greatest_backlog_bytes) == (0, 9000)


@pytest.mark.parametrize("path", PATHS)
async def test_extremes_of_another_window_are_not_told(served, connection, build, path) -> None:
    access = path(connection, load_program(build))
    for _ in range(2):
        await one(access, PORT)
        packet_takes_the_window_over(served)
    another = [("backlog_window", PORT, 2**31), ("measured_window", PORT, 2**31)]
    served.engine.registers_write(another)
    assert (await one(access, PORT)).least_backlog_bytes is None


def packet_takes_the_window_over(served) -> None:
    """As p4src/adaptive/measurement/backlog_extremes.p4 does with the next packet."""
    [wanted] = served.engine.registers_read([("backlog_window", PORT)])
    served.engine.registers_write([("measured_window", PORT, wanted)])


IDLE_TIME = ("unsaturated_", "backlog", "measured_window", "busy_since_us")
FLOWS = ("flow", "untracked", "timed")


def without(parts: Sequence[str], program: Program) -> p4i.P4Info:
    """The program's P4Info without some registers and fields, by parts of their names."""
    p4info = p4i.P4Info()
    p4info.CopyFrom(program.p4info)
    for register in p4info.registers:
        if any(part in register.preamble.name for part in parts):
            register.preamble.name = "other"
    for header in p4info.controller_packet_metadata:
        for field in header.metadata:
            if any(part in field.name for part in parts):
                field.name = f"other_{field.id}"
    return p4info


@pytest.mark.parametrize("path", PATHS)
async def test_a_program_that_measures_no_more_than_bytes_serves(connection, build, path) -> None:
    access = path(connection, Program(without((*IDLE_TIME, *FLOWS), load_program(build))))
    for limit_bytes in (None, 5_000, 6_000):
        snapshot = await one(access, PORT, limit_bytes)
        assert (snapshot.unsaturated_us, snapshot.unsaturated_bytes) == (None, None)
        assert (snapshot.least_backlog_bytes, snapshot.greatest_backlog_bytes) == (None, None)
    assert snapshot.limit_bytes == 6_000


@pytest.mark.parametrize("path", PATHS)
async def test_a_program_that_measures_no_flows_serves_all_else(connection, build, path) -> None:
    access = path(connection, Program(without(FLOWS, load_program(build))))
    await one(access, PORT, 6_000)
    snapshot = await one(access, PORT)
    flows = (snapshot.active_flow_us, snapshot.long_flow_us, snapshot.untracked_bytes)
    assert flows == (None, None, None)
    assert (snapshot.timed_bytes, snapshot.timed_byte_us) == (None, None)
    assert (snapshot.limit_bytes, snapshot.unsaturated_bytes) == (6_000, 0)


@pytest.mark.parametrize("path", PATHS)
async def test_marking_is_turned_on_and_off(served, connection, build, path) -> None:
    access = path(connection, load_program(build))
    for is_on in (True, False):
        await access.configure({}, {PORT: is_on})
        assert served.engine.registers_read([("ecn_marking", PORT)]) == [int(is_on)]


def test_no_rate_becomes_the_drain_rate_that_means_none() -> None:
    assert drain_rate(1) == 1


async def test_the_mailbox_is_preferred_where_it_answers(connection, build) -> None:
    access, _ = await discover(connection, load_program(build), [PORT])
    assert access.path == "mailbox"


async def test_register_entry_is_taken_where_it_is_asked_for(connection, build) -> None:
    program, path = load_program(build), RegisterPath.REGISTER_ENTRY
    access, _ = await discover(connection, program, [PORT], path)
    assert access.path == "RegisterEntry"


@pytest.fixture
def silent_mailbox(patience, connection, monkeypatch) -> None:
    """The switch takes packet-outs and never answers."""
    monkeypatch.setattr(connection, "packet_out", lambda _packet: None)
    monkeypatch.setattr("p4abs.access.conversation.REPLY_TIMEOUT_S", 0.01)


@pytest.mark.usefixtures("silent_mailbox")
async def test_register_entry_is_taken_where_the_mailbox_is_silent(connection, build) -> None:
    access, _ = await discover(connection, load_program(build), [PORT])
    assert access.path == "RegisterEntry"


@pytest.mark.usefixtures("silent_mailbox")
async def test_a_silent_mailbox_on_a_switch_without_register_entry_is_named(
    connection, build, monkeypatch
) -> None:
    async def unimplemented(*_arguments: object) -> None:
        raise RpcError("read", grpc.StatusCode.UNIMPLEMENTED, "Register reads are not supported")

    monkeypatch.setattr(connection, "read_partly", unimplemented)
    with pytest.raises(ExchangeTimeout, match="no mailbox reply"):
        await discover(connection, load_program(build), [PORT])


@pytest.mark.usefixtures("silent_mailbox")
async def test_a_mailbox_that_was_asked_for_is_not_replaced(connection, build) -> None:
    with pytest.raises(ExchangeTimeout, match="no mailbox reply"):
        await discover(connection, load_program(build), [PORT], RegisterPath.MAILBOX)


async def test_a_lost_mailbox_reply_times_out_and_a_late_one_is_not_mistaken_for_the_next(
    connection, build, waiting
) -> None:
    access = MailboxAccess(connection, load_program(build))
    receive, held = connection.on_packet_in, []

    def hold(packet) -> None:
        held.append(packet)
        waiting.end()

    connection.on_packet_in = hold
    with pytest.raises(ExchangeTimeout):
        await one(access, PORT, 1_000)

    def late_and_then_the_right_one(packet) -> None:
        receive(held.pop())
        receive(packet)

    connection.on_packet_in = late_and_then_the_right_one
    assert (await one(access, PORT, 2_000)).limit_bytes == 2_000


@pytest.mark.parametrize("path", PATHS)
async def test_an_exchange_can_be_cancelled_at_any_moment(connection, build, path) -> None:
    access = path(connection, load_program(build))
    for switches in range(30):
        exchange = asyncio.create_task(one(access, PORT, 1_000))
        for _ in range(switches):
            await asyncio.sleep(0)
        exchange.cancel()
        await asyncio.wait([exchange])
        assert (await one(access, PORT, 2_000)).limit_bytes == 2_000


async def test_a_write_without_an_answer_does_not_take_the_place_of_a_cancellation(
    connection, build, monkeypatch
) -> None:
    read, answered = asyncio.Event(), asyncio.Event()

    async def reads_for_ever(_: object) -> NoReturn:
        read.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def late(*_: object) -> NoReturn:
        await answered.wait()
        raise RpcError("write", grpc.StatusCode.DEADLINE_EXCEEDED, "")

    access = RegisterEntryAccess(connection, load_program(build))
    monkeypatch.setattr(access._reader, "read", reads_for_ever)
    monkeypatch.setattr(connection, "write_prepared", late)
    exchange = asyncio.create_task(access.exchange([PORT], {PORT: 1_000}))
    await read.wait()
    exchange.cancel()
    answered.set()
    await asyncio.wait([exchange])
    assert exchange.cancelled()


async def test_the_switch_reads_before_it_writes(connection, build, monkeypatch) -> None:
    """Else a packet between both would begin the next window before the extremes are read."""
    read, write, order = connection._read, connection._write, []

    def reads(*arguments, **keywords):
        call = read(*arguments, **keywords)
        # gRPC sends it when the event loop comes to it.
        asyncio.get_running_loop().call_soon(order.append, "read")
        return call

    def writes(*arguments, **keywords):
        order.append("write")
        return write(*arguments, **keywords)

    monkeypatch.setattr(connection, "_read", reads)
    monkeypatch.setattr(connection, "_write", writes)
    snapshot = await one(RegisterEntryAccess(connection, load_program(build)), PORT, 1_000)
    assert snapshot.limit_bytes == 1_000
    assert order == ["read", "write"]


@pytest.mark.parametrize("missing", ["admitted_bytes", "queue_limit_bytes", "drain_rate"])
def test_a_program_without_a_register_is_refused_by_its_name(missing: str) -> None:
    p4info = p4i.P4Info()
    p4info.CopyFrom(load_program("queue").p4info)
    for register in p4info.registers:
        if register.preamble.name == missing:
            register.preamble.name = "other"
    with pytest.raises(MissingObjects, match=f"lacks the register {missing}; it has .*other"):
        Program(p4info).register_ids()


def test_a_program_without_the_mailbox_is_refused_by_its_name() -> None:
    p4info = p4i.P4Info()
    p4info.CopyFrom(load_program("queue").p4info)
    del p4info.controller_packet_metadata[:]
    with pytest.raises(MissingObjects, match="no controller header packet_out"):
        Program(p4info).mailbox_ids("packet_out")


async def test_the_higher_election_id_wins_and_primacy_comes_back(served, connection) -> None:
    assert connection.role is Role.PRIMARY
    async with Connection(served.address, served.device_id, 5) as rival:
        assert rival.role is Role.PRIMARY
        with pytest.raises(PrimacyLost, match="election id 5"):
            await connection.watch()
        assert connection.role is Role.BACKUP
    await connection.until(lambda: connection.role is Role.PRIMARY)
    assert connection.role is Role.PRIMARY


async def test_an_election_id_in_use_is_told_apart(served, connection) -> None:
    with pytest.raises(RpcError) as refused:
        async with Connection(served.address, served.device_id, 1):
            pass
    assert refused.value.is_election_id_used


async def test_the_election_id_of_a_session_that_has_ended_is_free(served) -> None:
    for _ in range(50):
        async with Connection(served.address, served.device_id, 7) as connection:
            assert connection.role is Role.PRIMARY


@pytest.mark.parametrize("path", [MailboxAccess, RegisterEntryAccess])
async def test_a_backup_writes_nothing(served, connection, build, path) -> None:
    access = path(connection, load_program(build))
    async with Connection(served.address, served.device_id, 5):
        await connection.until(lambda: connection.role is Role.BACKUP)
        with pytest.raises(PrimacyLost, match="election id 5"):
            await one(access, PORT, 1)


async def test_an_absent_switch_is_unavailable() -> None:
    with pytest.raises(RpcError) as failed:
        async with Connection("127.0.0.1:1", 1, 1):
            pass
    assert failed.value.is_unavailable


async def test_the_installed_program_is_known_by_its_cookie() -> None:
    program = load_program("queue")
    async with (
        running(config(), live=False) as switch,
        Connection(switch.address, switch.device_id, 1) as connection,
    ):
        assert await connection.installed_program() == (None, 0)
        await connection.push(program)
        installed, cookie = await connection.installed_program()
    assert installed is not None
    assert installed.register_ids() == program.register_ids()
    assert cookie == program.cookie


async def test_what_a_packet_raises_ends_the_session(served, connection, build) -> None:
    """Else the controller would wait for answers that nobody reads any more."""

    def fail(_packet: p4r.PacketIn) -> NoReturn:
        raise LookupError("packet")

    access = MailboxAccess(connection, load_program(build))
    connection.on_packet_in = fail
    asking = asyncio.create_task(access.exchange([PORT], {}))
    with pytest.raises(LookupError, match="packet"):
        await connection.watch()
    asking.cancel()
    await asyncio.wait([asking])


@pytest.mark.parametrize(
    ("details", "told"),
    [
        (
            "errors resolving leaf:9559: [field:hostname lookup error:address lookup failed for "
            "leaf:9559: Could not contact DNS servers]",
            "there is no host of this name",
        ),
        (
            "failed to connect to all addresses; last error: UNAVAILABLE: ipv4:127.0.0.1:22: "
            "Failed parsing HTTP/2 (Expected SETTINGS frame as the first frame, got frame type 45)",
            "127.0.0.1:22: the server there does not speak gRPC; is this the address of a "
            "P4Runtime server?",
        ),
        (
            "failed to connect to all addresses; last error: UNAVAILABLE: ipv4:127.0.0.1:80: "
            "recvmsg:Connection reset by peer (104)",
            "127.0.0.1:80: closed at once; does the switch ask for TLS (tls-ca), or for a client's "
            "certificate (tls-certificate)? Or is this not the address of a P4Runtime server?",
        ),
        (
            "failed to connect to all addresses; last error: FAILED_PRECONDITION: "
            "ipv4:192.0.2.1:9559: connect failed: addr: ipv4:192.0.2.1:9559 error: "
            "Network is unreachable",
            "192.0.2.1:9559: this machine has no route to this address",
        ),
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv4:192.0.2.1:9559: "
            "Failed to connect to remote host: getsockopt(SO_ERROR): No route to host",
            "192.0.2.1:9559: no route to this host; is it up?",
        ),
        (
            "failed to connect to all addresses; last error: FAILED_PRECONDITION: "
            "ipv4:192.0.2.2:9559: connect failed: addr: ipv4:192.0.2.2:9559 error: "
            "Invalid argument",
            "192.0.2.2:9559: Invalid argument",
        ),
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:9559: Tls "
            "handshake failed (TSI_PROTOCOL_FAILURE): SSL_ERROR_SSL: error:1000007d:SSL routines:"
            "OPENSSL_internal:CERTIFICATE_VERIFY_FAILED: certificate has expired: OK",
            "127.0.0.1:9559: TLS: the switch's certificate has expired; renew it",
        ),
        (
            "Method not found!",
            "Method not found!: is this the address of a P4Runtime server?",
        ),
    ],
)
def test_a_connection_that_fails_is_told_by_what_to_look_at(details: str, told: str) -> None:
    error = RpcError("stream", grpc.StatusCode.UNAVAILABLE, details)
    assert str(error) == f"stream: UNAVAILABLE: {told}"
