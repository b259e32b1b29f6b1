"""The mailbox of Tofino's program, against a stand-in for Stratum over real gRPC."""

import re

import pytest
from p4abs.access.connection import Connection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import PortRefused
from p4abs.p4_constants import ETHER_TYPE_MAILBOX, PACKET_IN_REDIRECTED
from p4abs.targets.tofino.mailbox import TofinoMailbox
from p4abs.targets.tofino.records import REQUESTS_MAX

from controller.tests.tofino.ports import OVERHEAD_BYTES, TNA
from controller.tests.tofino.programs import BUILDS, program
from controller.tests.tofino.stratum import StratumStandIn, serving

PORT = 132
pytestmark = pytest.mark.usefixtures("patience")
GBPS = 10**9
FRAME = 1500
WIRE = FRAME + OVERHEAD_BYTES
ETHERNET = bytes(12) + ETHER_TYPE_MAILBOX.to_bytes(2, "big")


@pytest.fixture(params=BUILDS)
async def switch(request):
    async with serving(StratumStandIn(program(request.param).p4info)) as switch:
        switch.build = request.param
        switch.time_ns = 10**9
        switch.now_ns = lambda: switch.time_ns
        yield switch


@pytest.fixture
async def connection(switch):
    async with Connection(switch.address, 1, 1) as connection:
        yield connection


@pytest.fixture
def access(switch, connection):
    return TofinoMailbox(connection, program(switch.build))


async def one(access, port=PORT, limit_bytes=None):
    limits = {} if limit_bytes is None else {port: limit_bytes}
    return (await access.exchange([port], limits)).of(port)


async def test_an_exchange_writes_the_limit_and_reads_counts_of_64_bits(switch, access) -> None:
    port = switch.ports[PORT]
    port.admitted_bytes, port.dropped_bytes = 2**40 + 7, 2**33 + 9
    snapshot = await one(access, limit_bytes=70_000)
    assert (port.limit_bytes, snapshot.limit_bytes) == (70_000, 70_000)
    assert (snapshot.admitted_bytes, snapshot.dropped_bytes) == (2**40 + 7, 2**33 + 9)
    assert (await one(access)).limit_bytes == 70_000


async def test_what_flows_add_is_told_where_the_program_counts_it(switch, access) -> None:
    """In ticks of 2^18 ns; Tofino 1 has no room for it."""
    port = switch.ports[PORT]
    port.active_ticks, port.long_ticks, port.untracked_bytes = 10**10, 2**33 + 1, 2**40
    snapshot = await one(access)
    told = (snapshot.active_flow_us, snapshot.long_flow_us, snapshot.untracked_bytes)
    of_t2na = (10**10 * 2**18 // 1000, (2**33 + 1) * 2**18 // 1000, 2**40)
    assert told == (of_t2na if switch.build == "t2na" else (None, None, None))


async def test_ports_are_apart_and_all_are_asked_at_once(switch, access) -> None:
    ports = [*range(64), *range(128, 192)]
    snapshots = await access.exchange(ports, {port: 10_000 + port for port in ports[::2]})
    assert not snapshots.failures
    for index, port in enumerate(ports):
        limit = 10_000 + port if index % 2 == 0 else 0
        assert snapshots.of(port).limit_bytes == switch.ports[port].limit_bytes == limit


async def test_departed_is_what_the_queue_has_drained(switch, access) -> None:
    """By the P4 source itself: a burst of 100 frames at once drains at 10 Gbit/s."""
    await access.configure({PORT: 10 * GBPS}, {})
    before = await one(access, limit_bytes=10**6)
    for _ in range(100):
        assert switch.ports[PORT].frame(switch.time_ns, FRAME)
    switch.time_ns += 60_000  # 75 kB, half of the burst
    after = await one(access)
    assert after.admitted_bytes - before.admitted_bytes == 100 * WIRE
    assert after.departed_bytes - before.departed_bytes == pytest.approx(75_000, abs=WIRE + 10)
    assert after.occupancy_bytes == after.admitted_bytes - after.departed_bytes


@pytest.mark.parametrize(("duration_us", "idle_us"), [(300, 180), (60, 0)])
async def test_time_that_nothing_departs_in_is_idle(switch, access, duration_us, idle_us) -> None:
    """100 frames take 120 us at 10 Gbit/s."""
    await access.configure({PORT: 10 * GBPS}, {})
    before = await one(access, limit_bytes=10**6)
    for _ in range(100):
        switch.ports[PORT].frame(switch.time_ns, FRAME)
    switch.time_ns += 1000 * duration_us
    after = await one(access)
    sending_us = 8 * (after.unsaturated_bytes - before.unsaturated_bytes) / 10_000
    assert after.timestamp_us - before.timestamp_us == duration_us
    assert after.unsaturated_us - before.unsaturated_us == duration_us
    assert duration_us - sending_us == pytest.approx(idle_us, abs=2)


async def test_extremes_are_told_once_a_window_began_with_a_snapshot(switch, access) -> None:
    await access.configure({PORT: 10 * GBPS}, {})
    assert (await one(access, limit_bytes=10**6)).greatest_backlog_bytes is None
    for _ in range(10):
        switch.ports[PORT].frame(switch.time_ns, FRAME)
    snapshot = await one(access)
    assert snapshot.least_backlog_bytes == 0
    assert snapshot.greatest_backlog_bytes == pytest.approx(10 * WIRE, abs=WIRE)
    switch.ports[PORT].window += 1  # of another controller's
    assert (await one(access)).greatest_backlog_bytes is None


async def test_a_lowered_limit_takes_effect_on_what_stands_there(switch, access) -> None:
    await access.configure({PORT: 10 * GBPS}, {})
    await one(access, limit_bytes=150_000)
    port = switch.ports[PORT]
    for _ in range(200):
        port.frame(switch.time_ns, FRAME)
    assert port.backlog_bytes > 140_000
    await one(access, limit_bytes=30_000)
    for _ in range(400):  # twice the rate, for 480 us
        switch.time_ns += 1200
        port.frame(switch.time_ns, FRAME)
        port.frame(switch.time_ns, FRAME)
    assert (await one(access)).occupancy_bytes <= 30_000 + WIRE


async def test_the_timestamp_goes_on_where_the_chip_s_clock_wraps(switch, access) -> None:
    switch.time_ns = 2**48 - 5_000
    before = await one(access)
    switch.time_ns += 20_000
    assert (await one(access)).timestamp_us - before.timestamp_us == 20


def test_a_packet_holds_as_many_requests_as_the_p4_source_says() -> None:
    text = (TNA / "headers.p4").read_text()
    assert re.findall(r"#define MAILBOX_REQUESTS_MAX (\d+)", text) == [str(REQUESTS_MAX)]


@pytest.mark.parametrize("count", [1, REQUESTS_MAX, REQUESTS_MAX + 1, 3 * REQUESTS_MAX])
async def test_as_few_packets_as_hold_all_ports_visit_them(switch, access, count: int) -> None:
    await access.exchange(range(count), {})
    assert switch.packets == -(-count // REQUESTS_MAX)


async def test_a_lost_packet_costs_its_ports_alone(switch, connection, access, waiting) -> None:
    switch.drops = lambda packet: packet == 2
    after_packets(2, connection, waiting.end)
    snapshots = await access.exchange([*range(3 * REQUESTS_MAX)], {})
    lost = range(REQUESTS_MAX, 2 * REQUESTS_MAX)
    assert [*snapshots.failures] == [*lost]
    assert all(isinstance(snapshots.failures[port], ExchangeTimeout) for port in lost)
    assert snapshots.taken.keys() == {*range(3 * REQUESTS_MAX)} - {*lost}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (lambda records: records[:-1], r"with \d+ bytes, too few for 2 records"),
        (
            lambda records: records[len(records) // 2 :] + records[: len(records) // 2],
            "a record of port 1 instead of port 2",
        ),
    ],
    ids=["short", "another order"],
)
async def test_a_reply_that_does_not_fit_says_how(
    switch, connection, access, waiting, monkeypatch, changed, words
) -> None:
    after_packets(1, connection, waiting.end)
    served = switch._served

    def damaged(sequence: int, payload: bytes) -> bytes:
        record_bytes = sum(program(switch.build).record_form.bits.values()) // 8
        return changed(served(sequence, payload)[: 2 * record_bytes])

    monkeypatch.setattr(switch, "_served", damaged)
    snapshots = await access.exchange([2, 1], {})
    for port in (1, 2):
        with pytest.raises(ExchangeTimeout, match=words):
            raise snapshots.failures[port]


async def test_a_packet_in_of_another_reason_is_no_reply(switch, access, monkeypatch) -> None:
    """A frame may look like one: it says nothing of the port."""
    served = switch._served

    def after_a_forgery(sequence: int, payload: bytes) -> bytes:
        records = served(sequence, payload)
        frame = ETHERNET + sequence.to_bytes(4, "big") + bytes(2) + b"\xff" * 42
        switch.send(PACKET_IN_REDIRECTED, frame)
        return records

    monkeypatch.setattr(switch, "_served", after_a_forgery)
    snapshots = await access.exchange([0], {0: 5_000})
    assert snapshots.of(0).limit_bytes == 5_000


def after_packets(count: int, connection: Connection, act) -> None:
    """Acts once so many packet-ins have been received."""
    receive, received = connection.on_packet_in, []

    def receive_and_count(packet) -> None:
        receive(packet)
        received.append(packet)
        if len(received) == count:
            act()

    connection.on_packet_in = receive_and_count


async def test_rates_are_entries_and_those_that_are_there_stay_untouched(switch, access) -> None:
    await access.configure({1: 10 * GBPS, 2: 100 * GBPS}, {1: False})
    assert [switch.ports[port].rate_gbps for port in (1, 2)] == [10, 100]
    await access.configure({1: 10 * GBPS, 2: 100 * GBPS}, {})
    assert len(switch.writes) == 2
    await access.configure({1: 25 * GBPS, 2: 100 * GBPS, 3: GBPS}, {})
    assert [switch.ports[port].rate_gbps for port in (1, 2, 3)] == [25, 100, 1]
    assert len(switch.writes) == 4


async def test_frames_count_for_no_more_than_the_ports_mtu(switch, access) -> None:
    mtus = {1: 1514, 2: 9000, 3: 1000}
    await access.configure({}, {}, mtus)
    await access.configure({}, {}, mtus)
    assert switch.wire_bytes() == {2: 9024, 3: 1024}
    assert len(switch.writes) == 2
    await access.configure({}, {}, {2: 1514})
    assert switch.wire_bytes()[2] == 1538


async def test_a_refused_mtu_names_its_port(switch, access) -> None:
    switch.refused_ports = {2}
    failures = await access.configure({}, {}, {2: 9000, 3: 9000})
    with pytest.raises(PortRefused, match=r"port 2: .*no room"):
        raise failures.pop(2)
    assert failures == {}
    assert switch.wire_bytes() == {3: 9024}


async def test_a_refused_rate_names_its_port(switch, access) -> None:
    switch.refused_ports = {2}
    failures = await access.configure({1: GBPS, 2: GBPS, 3: GBPS}, {})
    with pytest.raises(PortRefused, match=r"port 2: .*no room"):
        raise failures.pop(2)
    assert failures == {}
    assert [switch.ports[port].rate_gbps for port in (1, 3)] == [1, 1]
