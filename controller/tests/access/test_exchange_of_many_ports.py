"""An exchange of all ports of a switch, against the embedded target over real gRPC."""

import asyncio
import random
import re
from collections import Counter

import grpc
import pytest
from finsy.proto import p4r
from grpc.aio import _channel
from p4abs.access import conversation
from p4abs.access.backlog_windows import WINDOW_REGISTERS
from p4abs.access.connection import Connection
from p4abs.access.mailbox import HeadForm, MailboxAccess, RecordForm
from p4abs.access.program import (
    MissingObjects,
    Program,
    load_program,
    program_path,
)
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess, Snapshots
from p4abs.access.register_entry import RegisterEntryAccess
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.control import ControlledPort, ControlLoop, MemoryPool
from p4abs.control.ways import switch_control
from p4abs.measurements import Snapshot
from p4abs.p4_constants import MAILBOX_RECORDS_MAX, PACKET_IN_MAILBOX, PACKET_IN_REDIRECTED
from p4abs.policies import Targets, create
from p4abs.queues import QueueAddress, port_text
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

PATHS = [RegisterEntryAccess, MailboxAccess]
PROGRAM = load_program("queue")
UNKNOWN = QueueAddress(5, PROGRAM.queue_count()).index
PATIENCE_S = 60.0
CAPACITY_BPS = 10_000_000


@pytest.fixture
async def served():
    """The embedded target in virtual time."""
    async with running(config(program=program_path("queue")), live=False) as switch:
        yield switch


@pytest.fixture
async def connection(served):
    async with Connection(served.address, served.device_id, 1) as connection:
        yield connection


@pytest.fixture
def requests(monkeypatch) -> Counter[str]:
    """How many Reads and Writes the switch has had."""
    counted: Counter[str] = Counter()

    def count(name: str, kind: type) -> None:
        call = kind.__call__

        def counting(stub, *arguments, **options):
            counted[name] += 1
            return call(stub, *arguments, **options)

        monkeypatch.setattr(kind, "__call__", counting)

    # The only stream of answers is a Read's.
    count("read", _channel.UnaryStreamMultiCallable)
    count("write", _channel.UnaryUnaryMultiCallable)
    return counted


def without_extremes() -> Program:
    """A program that has no backlog windows to start."""
    p4info = type(PROGRAM.p4info)()
    p4info.CopyFrom(PROGRAM.p4info)
    for register in p4info.registers:
        if register.preamble.name.rpartition(".")[2] in WINDOW_REGISTERS:
            register.preamble.name = "other"
    return Program(p4info)


@pytest.mark.parametrize("count", [1, 10, 250])
async def test_any_number_of_ports_takes_one_read_and_at_most_one_write(
    connection, requests, count: int
) -> None:
    access = RegisterEntryAccess(connection, PROGRAM)
    ports = range(1, 1 + count)
    assert (await access.exchange(ports, {})).taken.keys() == set(ports)
    assert requests == {"read": 1}
    for limit_bytes in (10_000, 20_000):
        await access.exchange(ports, dict.fromkeys(ports, limit_bytes))
    assert requests == {"read": 3, "write": 2}


async def test_nothing_is_written_where_no_limit_changes_and_no_window_begins(
    connection, requests
) -> None:
    access = RegisterEntryAccess(connection, without_extremes())
    for _ in range(3):
        await access.exchange(range(1, 11), {})
    assert requests == {"read": 3}


async def test_an_interval_of_the_loop_is_one_read_and_at_most_one_write(
    clock, connection, requests
) -> None:
    class Enough(Exception):
        pass

    def stop_after_five() -> None:
        if loop.statistics.ticks == 5:
            raise Enough

    targets = Targets(0.98, 0.02, None, 3028, 1_250_000)
    policy = create("static", CAPACITY_BPS, targets)
    ports = [ControlledPort(port, CAPACITY_BPS, policy, 50_000) for port in range(1, 101)]
    loop = ControlLoop(
        ports, MemoryPool(None), 0.02, clock, lambda _samples: None, on_tick=stop_after_five
    )
    access = RegisterEntryAccess(connection, PROGRAM)
    await loop.begin(access)
    with pytest.raises(Enough):
        await loop.run(access)
    assert requests == {"read": 1 + 5, "write": 1 + 5}


async def one_by_one(access: RegisterAccess, ports, limits) -> Snapshots:
    """What single-port exchanges bring."""
    snapshots = Snapshots()
    for port in ports:
        own = {port: limits[port]} if port in limits else {}
        snapshots.taken[port] = (await access.exchange([port], own)).of(port)
    return snapshots


async def all_at_once(access: RegisterAccess, ports, limits) -> Snapshots:
    return await access.exchange(ports, limits)


async def history(path, exchange, seed: int) -> list[dict[int, Snapshot]]:
    """The snapshots of a switch whose registers hold other numbers before each exchange."""
    generator, ports, snapshots = random.Random(seed), range(1, 21), []
    registers = set(PROGRAM.register_ids()) - {"backlog_window", "measured_window"}
    async with (
        running(config(program=program_path("queue")), live=False) as switch,
        Connection(switch.address, switch.device_id, 1) as connection,
    ):
        access = path(connection, PROGRAM)
        for _ in range(4):
            values = [
                (name, port, generator.randrange(10**6))
                for name in sorted(registers - {"ecn_marking"})
                for port in ports
            ]
            switch.engine.registers_write(values)
            wanted = [("backlog_window", port) for port in ports]
            begun = switch.engine.registers_read(wanted)
            switch.engine.registers_write(
                [("measured_window", *own) for own in zip(ports, begun, strict=True)]
            )
            limits = {port: generator.randrange(1, 10**6) for port in generator.sample(ports, 7)}
            snapshots.append((await exchange(access, ports, limits)).taken)
    return snapshots


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seed", range(3))
async def test_snapshots_of_many_ports_are_those_of_single_port_exchanges(path, seed: int) -> None:
    batched = await history(path, all_at_once, seed)
    assert batched == await history(path, one_by_one, seed)
    assert batched[0].keys() == set(range(1, 21))
    assert batched[-1][1].least_backlog_bytes is not None


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("count", [1, 250])
async def test_a_port_that_the_switch_does_not_know_fails_alone(
    served, connection, path, count: int
) -> None:
    access = path(connection, PROGRAM)
    ports = [*range(1, 1 + count), UNKNOWN, UNKNOWN + 1]
    for limits in ({}, {port: 10_000 + port for port in ports}):
        snapshots = await access.exchange(ports, limits)
        assert snapshots.taken.keys() == set(range(1, 1 + count))
        assert snapshots.failures.keys() == {UNKNOWN, UNKNOWN + 1}
        with pytest.raises(PortRefused, match=rf"{port_text(UNKNOWN)}: .*: OUT_OF_RANGE"):
            snapshots.of(UNKNOWN)
    assert snapshots.of(count).limit_bytes == 10_000 + count
    assert served.engine.registers_read([("queue_limit_bytes", count)]) == [10_000 + count]


@pytest.mark.parametrize("path", PATHS)
async def test_a_limit_beyond_all_memory_is_one_that_is_replaced(served, connection, path) -> None:
    access = path(connection, PROGRAM)
    ports = [*range(1, 21)]
    served.engine.registers_write([("queue_limit_bytes", 3, 2**64 - 1)])
    taken = (await access.exchange(ports, {})).taken
    control = switch_control([ControlledPort(port, CAPACITY_BPS, None, 0) for port in ports])
    control.decide(taken, MemoryPool(None))
    assert control.limits_to_write() == {3: 0}


@pytest.mark.parametrize("path", PATHS)
async def test_a_setting_that_the_switch_refuses_is_an_error_of_its_port(connection, path) -> None:
    access = path(connection, PROGRAM)
    for failures in (
        await access.configure({1: CAPACITY_BPS, UNKNOWN: CAPACITY_BPS}, {}),
        await access.configure({}, {1: True, UNKNOWN: True}),
    ):
        [(port, failure)] = failures.items()
        assert port == UNKNOWN
        assert isinstance(failure, PortRefused)
        assert re.fullmatch(rf"{port_text(UNKNOWN)}: \w+: OUT_OF_RANGE.*", str(failure))


async def test_a_limit_that_the_switch_refuses_fails_its_port_alone(
    connection, monkeypatch
) -> None:
    async def refusing(updates, _timeout_s):
        refusal = RpcError("write", grpc.StatusCode.RESOURCE_EXHAUSTED, "")
        sent = p4r.WriteRequest.FromString(updates).updates
        ports = [update.entity.register_entry.index.index for update in sent]
        return {position: refusal for position, port in enumerate(ports) if port == 2}

    monkeypatch.setattr(connection, "write_prepared", refusing)
    access = RegisterEntryAccess(connection, PROGRAM)
    snapshots = await access.exchange([1, 2, 3], {1: 1000, 2: 2000, 3: 3000})
    assert snapshots.taken.keys() == {1, 3}
    assert snapshots.failures[2].code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_registers_missing_in_the_answer_fail_their_port_alone(
    connection, monkeypatch
) -> None:
    read = connection.read_partly

    async def forgetful(request, timeout_s):
        answer, failures = await read(request, timeout_s)
        found = p4r.ReadResponse.FromString(answer).entities
        kept = [each for each in found if each.register_entry.index.index != 2][:-1]
        return p4r.ReadResponse(entities=kept).SerializeToString(), failures

    monkeypatch.setattr(connection, "read_partly", forgetful)
    snapshots = await RegisterEntryAccess(connection, PROGRAM).exchange([1, 2, 3], {})
    assert snapshots.taken.keys() == {1}
    assert {failure.code for failure in snapshots.failures.values()} == {grpc.StatusCode.DATA_LOSS}


@pytest.mark.parametrize("call", ["read_partly", "write_prepared"])
async def test_an_answer_that_comes_too_late_is_a_timeout_of_all_its_ports(
    connection, monkeypatch, call: str
) -> None:
    async def late(*_arguments: object) -> None:
        raise RpcError("late", grpc.StatusCode.DEADLINE_EXCEEDED, "")

    access = RegisterEntryAccess(connection, PROGRAM)
    monkeypatch.setattr(connection, call, late)
    snapshots = await access.exchange([1, 2], {1: 1000})
    assert not snapshots.taken
    assert [type(failure) for failure in snapshots.failures.values()] == [ExchangeTimeout] * 2


async def test_a_write_waits_for_the_answer_to_a_bid_no_longer_than_for_its_own(
    connection, monkeypatch
) -> None:
    access = RegisterEntryAccess(connection, PROGRAM)
    # Nobody sends what stands in this queue.
    monkeypatch.setattr(connection, "_outgoing", asyncio.Queue())
    connection._bid()
    monkeypatch.setattr("p4abs.access.register_entry.EXCHANGE_TIMEOUT_S", 0.05)
    async with asyncio.timeout(PATIENCE_S):
        snapshots = await access.exchange([1, 2], {1: 1000})
    assert [type(failure) for failure in snapshots.failures.values()] == [ExchangeTimeout] * 2


@pytest.fixture
def packets_out(connection, monkeypatch) -> list[object]:
    """Packet-outs, which reach the switch."""
    sent: list[object] = []
    send = connection.packet_out

    def sending(packet) -> None:
        sent.append(packet)
        send(packet)

    monkeypatch.setattr(connection, "packet_out", sending)
    return sent


def packets_for(count: int) -> int:
    """As few as hold these many ports."""
    return -(-count // MAILBOX_RECORDS_MAX)


@pytest.mark.parametrize("count", [1, MAILBOX_RECORDS_MAX, MAILBOX_RECORDS_MAX + 1, 511])
async def test_the_ports_are_packed_into_as_few_packets_as_hold_them(
    connection, packets_out, count: int
) -> None:
    ports = range(1, 1 + count)
    limits = {port: 10_000 + port for port in ports}
    snapshots = await MailboxAccess(connection, PROGRAM).exchange(ports, limits)
    assert len(packets_out) == packets_for(count)
    assert {port: snapshots.taken[port].limit_bytes for port in ports} == limits


async def test_without_ports_nothing_is_sent(connection, packets_out) -> None:
    assert await MailboxAccess(connection, PROGRAM).exchange([], {}) == Snapshots()
    assert not packets_out


async def test_a_silent_mailbox_fails_all_its_ports_in_one_timeout(
    connection, monkeypatch, waiting
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(connection, "packet_out", sent.append)
    exchange = asyncio.create_task(MailboxAccess(connection, PROGRAM).exchange(range(1, 251), {}))
    await turns()
    waiting.end()
    snapshots = await exchange
    assert waiting.times == 1
    assert len(sent) == packets_for(250) > 1
    assert not snapshots.taken
    assert snapshots.failures.keys() == set(range(1, 251))
    assert {type(failure) for failure in snapshots.failures.values()} == {ExchangeTimeout}


async def turns() -> None:
    """Some of the event loop's, more than a question or an answer takes."""
    for _ in range(5):
        await asyncio.sleep(0)


def batch(number: int) -> set[int]:
    """The ports of a packet, where they are all ports from 1 on."""
    first = 1 + number * MAILBOX_RECORDS_MAX
    return set(range(first, first + MAILBOX_RECORDS_MAX))


async def test_lost_mailbox_replies_cost_their_ports_alone(connection, waiting) -> None:
    access = MailboxAccess(connection, PROGRAM)
    receive, received = connection.on_packet_in, []

    def lossy(packet) -> None:
        received.append(packet)
        if len(received) not in (2, 4):
            receive(packet)
        if len(received) == 5:
            waiting.end()

    connection.on_packet_in = lossy
    ports = range(1, 1 + 5 * MAILBOX_RECORDS_MAX)
    snapshots = await access.exchange(ports, dict.fromkeys(ports, 1000))
    assert snapshots.taken.keys() == batch(0) | batch(2) | batch(4)
    assert snapshots.failures.keys() == batch(1) | batch(3)


@pytest.mark.parametrize("seed", range(3))
async def test_lost_late_and_repeated_replies_change_nothing_but_an_interval_s_length(
    served, connection, waiting, seed: int
) -> None:
    """Each snapshot is of its own exchange; extremes are told of whole intervals only."""
    generator = random.Random(seed)
    access = MailboxAccess(connection, PROGRAM)
    receive, arrived, kept = connection.on_packet_in, [], []

    def unreliable(packet) -> None:
        fate = generator.choice(["pass", "pass", "lose", "repeat", "keep"])
        for late in kept[: generator.randrange(3)]:
            receive(late)
        if fate == "keep":
            kept.insert(0, packet)
        for _ in range({"pass": 1, "repeat": 2}.get(fate, 0)):
            receive(packet)
        arrived.append(packet)
        if len(arrived) % packets_for(len(ports)) == 0:
            waiting.end()

    connection.on_packet_in = unreliable
    ports, told = range(1, 1 + 3 * MAILBOX_RECORDS_MAX), set()
    for number in range(1, 21):
        served.engine.registers_write([("admitted_bytes", port, number) for port in ports])
        snapshots = await access.exchange(ports, dict.fromkeys(ports, 1000 + number))
        assert snapshots.taken.keys() | snapshots.failures.keys() == set(ports)
        for port, snapshot in snapshots.taken.items():
            assert (snapshot.admitted_bytes, snapshot.limit_bytes) == (number, 1000 + number)
            assert (snapshot.least_backlog_bytes is not None) == ((port, number - 1) in told)
            told.add((port, number))
    assert len(told) < 20 * len(ports)


async def test_what_is_no_mailbox_packet_is_no_reply(connection, waiting) -> None:
    access = MailboxAccess(connection, PROGRAM)
    receive = connection.on_packet_in

    def noise(packet) -> None:
        for payload in (b"", b"x", packet.payload[:-1], packet.payload * 2):
            receive(p4r.PacketIn(metadata=packet.metadata, payload=payload))
        receive(p4r.PacketIn(payload=packet.payload))
        redirected = p4r.PacketIn.FromString(packet.SerializeToString())
        [reason] = [
            item for item in redirected.metadata if item.value == bytes([PACKET_IN_MAILBOX])
        ]
        reason.value = bytes([PACKET_IN_REDIRECTED])
        receive(redirected)
        waiting.end()

    connection.on_packet_in = noise
    snapshots = await access.exchange([1, 2], {})
    assert [type(failure) for failure in snapshots.failures.values()] == [ExchangeTimeout] * 2


def misfits(packet) -> list[tuple[bytes, str]]:
    """Payloads that are no reply to a request of ports 1 and 2, and what is wrong with each."""
    begin = HeadForm(PROGRAM.mailbox_bits("mailbox")).length_bytes
    head, records = packet.payload[:begin], packet.payload[begin:]
    first, second = records[: len(records) // 2], records[len(records) // 2 :]
    return [
        (head, "with 0 of 2 records"),
        (head + first, "with 1 of 2 records"),
        (head + first + second + first, "with 3 of 2 records"),
        (head + second + second, "with a record of port 2 instead of port 1"),
    ]


@pytest.mark.parametrize("number", range(4))
async def test_a_reply_that_does_not_fit_is_none_and_the_right_one_is_waited_for(
    connection, number: int
) -> None:
    access = MailboxAccess(connection, PROGRAM)
    receive = connection.on_packet_in

    def misfit_first(packet) -> None:
        payload, _ = misfits(packet)[number]
        receive(p4r.PacketIn(metadata=packet.metadata, payload=payload))
        asyncio.get_running_loop().call_soon(receive, packet)

    connection.on_packet_in = misfit_first
    snapshots = await access.exchange([1, 2], {2: 20_000})
    assert not snapshots.failures
    assert snapshots.of(2).limit_bytes == 20_000


@pytest.mark.parametrize("number", range(4))
async def test_a_reply_that_does_not_fit_is_named_where_no_other_came(
    connection, waiting, eventually, number: int
) -> None:
    access = MailboxAccess(connection, PROGRAM)
    receive, said = connection.on_packet_in, []

    def misfit(packet) -> None:
        payload, words = misfits(packet)[number]
        said.append(words)
        receive(p4r.PacketIn(metadata=packet.metadata, payload=payload))

    async def in_vain(asking):
        """Waits for another reply until there is no more time."""
        said.clear()
        task = asyncio.ensure_future(asking)
        await eventually(lambda: said)
        await turns()
        assert not task.done()
        waiting.end()
        return await task

    connection.on_packet_in = misfit
    snapshots = await in_vain(access.exchange([1, 2], {}))
    assert not snapshots.taken
    words = f"no mailbox reply within {conversation.REPLY_TIMEOUT_S} s; one came {said[0]}"
    assert [str(failure) for failure in snapshots.failures.values()] == [words] * 2
    failures = await in_vain(access.configure({1: 10_000_000, 2: 10_000_000}, {}))
    assert {type(failure) for failure in failures.values()} == {ExchangeTimeout}
    assert [str(failure) for failure in failures.values()] == [words] * 2


@pytest.mark.parametrize("width", [9, 128])
def test_a_record_s_field_of_an_odd_width_is_named(width: int) -> None:
    p4info = type(PROGRAM.p4info)()
    p4info.CopyFrom(PROGRAM.p4info)
    for header in p4info.controller_packet_metadata:
        for each in header.metadata:
            if each.name == "marked_bytes":
                each.bitwidth = width
    with pytest.raises(MissingObjects, match=rf"mailbox_record.marked_bytes has {width} bits"):
        RecordForm(Program(p4info))
