"""How many flows send to a port of a Tofino 2: their time, against what was sent (tna/flows.p4).

The whole pipeline runs, compiled for v1model, and its mailbox tells what it has counted.
"""

import random
import struct
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from p4abs_switch._engine import PortConfig, Switch
from p4abs_switch.runtime.programmed import Programmed

from p4src.tests.flows import PAIRS, SIZE, every, ipv4, ipv6, sent_by_turns

COMPILED = Path(__file__).resolve().parents[1] / "build" / "tofino" / "on_v1model.json"
SENDER, PORT, OTHER_PORT, CPU = 1, 2, 3, 510
TICK_NS = 1 << 18
TIMEOUT, LONG = 4095, 2048  # ticks
STAMPS = 1 << 48
LAST_TICK = STAMPS // TICK_NS - 1
SECOND = 3815  # ticks
WIRE_BYTES = SIZE + 24
_COUNTS = struct.Struct(">QQQ")  # that a record ends with


class Tofino:
    """Frames at their times, in ticks of the chip's clock, and what the program makes of them."""

    def __init__(self, from_tick: int = 10 * SECOND) -> None:
        self.from_tick = from_tick
        self.switch = Switch([PortConfig(port) for port in (SENDER, PORT, OTHER_PORT)], CPU)
        self.switch.load(COMPILED.read_bytes())
        tables = Programmed.of(self.switch, COMPILED.read_bytes())
        forwarding = "OnV1modelIngress.tofino.forwarding"
        table, forward = f"{forwarding}.ethernet_forward", f"{forwarding}.forward"
        for port in (PORT, OTHER_PORT):
            tables.add(table, [(_station(port),)], forward, port)

    def send(self, at: float, inner: bytes, port: int = PORT) -> None:
        frame = _station(port).to_bytes(6) + self._stamp(at) + inner
        self.switch.inject(SENDER, frame.ljust(SIZE, b"\0"), 0)
        assert len(self.switch.run_until(0)) == 1

    def counts(self, port: int = PORT) -> tuple[int, int, int]:
        """Ticks of active and of long flows, and untracked bytes."""
        request = bytes(2) + port.to_bytes(2) + bytes(4)
        ethernet = bytes(12) + b"\x88\xb6"
        self.switch.packet_out((CPU << 7).to_bytes(2) + ethernet + bytes(4) + request)
        [reply] = self.switch.packet_in()
        return _COUNTS.unpack_from(reply, len(reply) - _COUNTS.size)

    def _stamp(self, at: float) -> bytes:
        return (round((self.from_tick + at) * TICK_NS) % STAMPS).to_bytes(6)


def _station(port: int) -> int:
    return 0x0200_0000_0000 + port


@pytest.mark.parametrize("datagram", [ipv4, ipv6])
def test_a_flow_adds_a_second_every_second_however_often_it_sends(datagram) -> None:
    for period in (0.5, 7.25, 250, 4000):
        tofino = Tofino()
        for packet in range(int(8_000 / period) + 1):
            tofino.send(packet * period, datagram(1))
        assert tofino.counts()[0] == int(int(8_000 / period) * period)


def random_times(seeded: random.Random, packets: int) -> Sequence[float]:
    """Gaps of all lengths below the timeout."""
    times = [SECOND * seeded.random()]
    while len(times) < packets:
        times.append(times[-1] + seeded.choice((1, 100, TIMEOUT - 1)) * seeded.random())
    return times


@pytest.mark.parametrize("from_tick", [10 * SECOND, LAST_TICK - 5 * SECOND])
def test_flows_add_the_time_from_their_first_packet_to_their_last(from_tick: int) -> None:
    """Where the chip's time wraps between two packets, this silence is lost."""
    tofino, seeded = Tofino(from_tick), random.Random(1)
    times = {flow: random_times(seeded, 40) for flow in range(30)}
    for at, flow in sent_by_turns(times):
        tofino.send(at, ipv4(flow))
    ticks = {flow: [int(from_tick + at) for at in of] for flow, of in times.items()}
    active = long = 0
    for of_flow in ticks.values():
        age = 0
        for before, after in pairwise(of_flow):
            wraps = before <= LAST_TICK < after
            silence = 0 if wraps else after - before
            active += silence
            long += silence if age >= LONG else 0
            age = 0 if wraps else age + silence
    assert tofino.counts() == (active, long, 0)
    assert sum(of[0] <= LAST_TICK < of[-1] for of in ticks.values()) in (0, 30)


@pytest.mark.parametrize("flows", [2, 30, 1000])
def test_a_second_after_a_change_the_time_that_flows_add_tells_their_number(flows: int) -> None:
    """Within 10 %, of flows that send four packets a second or more; twice as many until half of
    them leave. What is untracked counts as what is tracked, as the controller takes it."""
    tofino, seeded = Tofino(), random.Random(flows)
    left = 2.5 * SECOND
    times = {}
    for flow in range(2 * flows):
        gap = SECOND * seeded.uniform(0.1, 0.25)
        end = left if flow < flows else left + 2 * SECOND
        times[flow] = [gap * packet for packet in range(1, int(end / gap))]
    addresses = {flow: seeded.randbytes(16) for flow in times}
    packets = deque(sent_by_turns(times))

    def send(until: float) -> int:
        """All that is left; how many bytes it takes of the wire."""
        sent = 0
        while packets and packets[0][0] < until:
            at, flow = packets.popleft()
            tofino.send(at, ipv6(0, source=addresses[flow]))
            sent += WIRE_BYTES
        return sent

    for truth, begin in ((2 * flows, left - 1.1 * SECOND), (flows, left + SECOND / 2)):
        send(begin)
        before = tofino.counts()
        offered_bytes = send(begin + SECOND)
        active, long, untracked_bytes = (
            after - earlier for after, earlier in zip(tofino.counts(), before, strict=True)
        )
        tracked = SECOND * (1 - untracked_bytes / offered_bytes)
        assert (active / tracked, long / tracked) == pytest.approx((truth, truth), rel=0.1)


def test_flows_of_one_packet_add_nothing_however_many_there_are() -> None:
    tofino = Tofino()
    for packet in range(50):
        tofino.send(40 * packet, ipv4(1))
        for source in range(20):
            tofino.send(40 * packet, ipv6(0, source=(20 * packet + source + 1).to_bytes(4)))
    assert tofino.counts()[:2] == (40 * 49, 0)


def test_a_flow_that_has_been_silent_for_longer_than_the_timeout_begins_anew() -> None:
    tofino = Tofino()
    for at in (0, 2_500, 2_500 + TIMEOUT):
        tofino.send(at, ipv4(1))
    assert tofino.counts() == (2_500 + TIMEOUT, TIMEOUT, 0)
    begun = 2_500 + 2 * TIMEOUT + 1
    tofino.send(begun, ipv4(1))
    tofino.send(begun + 100, ipv4(1))
    assert tofino.counts() == (2_600 + TIMEOUT, TIMEOUT, 0)


def test_each_port_has_its_own_flows() -> None:
    tofino = Tofino()
    for at in every(100, 2_000):
        tofino.send(at, ipv4(1), PORT)
        tofino.send(at, ipv4(2), OTHER_PORT)
        tofino.send(at, ipv4(3), OTHER_PORT)
    assert [tofino.counts(port)[0] for port in (PORT, OTHER_PORT)] == [2_000, 4_000]


@pytest.mark.parametrize(("first", "second", "are_one"), PAIRS)
def test_packets_are_of_one_flow_by_what_is_seen_of_them(
    first: bytes, second: bytes, are_one: bool
) -> None:
    tofino = Tofino()
    for at in every(20, 200):
        tofino.send(at, first)
        tofino.send(at + 10, second)
    assert tofino.counts()[0] == (210 if are_one else 400)


def test_what_is_no_ip_is_of_no_flow() -> None:
    tofino = Tofino()
    for at in every(20, 200):
        tofino.send(at, b"\x88\xb5")
    assert tofino.counts() == (0, 0, 0)


def test_a_flow_whose_cell_is_taken_is_untracked_until_the_cell_is_vacant() -> None:
    """Of 32,768 cells 1,500 flows hold most of 1,500; those of some stand in others' cells."""
    tofino, seeded = Tofino(), random.Random(1)
    flows = [ipv6(0, source=seeded.randbytes(16)) for _ in range(1_500)]
    for at in (0, 1_000, 2_000):
        for flow in flows:
            tofino.send(at, flow)
    active, _, untracked_bytes = tofino.counts()
    untracked = untracked_bytes / (3 * WIRE_BYTES)
    assert 10 <= untracked <= 60  # 1500^2 / (2 * 32768) = 34 are expected
    assert active / 2_000 + untracked == len(flows)
    for at in (2_001 + TIMEOUT, 2_500 + TIMEOUT):
        for flow in reversed(flows):
            tofino.send(at, flow)
    assert tofino.counts()[2] - untracked_bytes == 2 * untracked * WIRE_BYTES
