"""How many flows send to a port: their time, against what was sent (p4src/flows)."""

import random
from itertools import islice

import pytest

from p4src.tests.flows import PAIRS, SIZE, every, ipv4, ipv6, sent_by_turns
from p4src.tests.v1model_queues import BUILDS, Queues, frame

PORT, OTHER_PORT = 2, 3
UNIT_US = 1 << 8
TICK_US = 4 * UNIT_US
TIMEOUT_US, LONG_US = 4093 * UNIT_US, 2048 * UNIT_US
SECOND_US = 1_000_000
OTHER = frame(PORT, 0)[12:]  # no IP packet


class Sent:
    """Frames at their times, and what the program makes of them."""

    def __init__(self, build: str = "queue") -> None:
        self.queues = Queues(build)
        # The clock of a switch that has run for a while: where a cell is empty, nothing is recent.
        self.queues.run(10 * SECOND_US)

    def send(self, at_us: int, inner: bytes, port: int = PORT) -> None:
        self.queues.run(10 * SECOND_US + at_us - self.queues.now_us)
        self.queues.offer_frame(port, frame(port, SIZE, inner))

    def flows(self, port: int = PORT) -> tuple[int, int]:
        """Active and long flows' time."""
        found = self.queues.snapshot(port)
        return found.active_flow_us, found.long_flow_us

    def untracked_bytes(self) -> int:
        return self.queues.snapshot(PORT).untracked_bytes


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("datagram", [ipv4, ipv6])
def test_a_flow_adds_a_second_every_second_however_often_it_sends(build: str, datagram) -> None:
    for period_us in (TICK_US // 2, 40 * TICK_US, 250 * TICK_US, 1000 * TICK_US):
        sent = Sent(build)
        for at_us in every(period_us, 4_000 * TICK_US):
            sent.send(at_us, datagram(1))
        assert sent.flows()[0] == 4_000 * TICK_US


def test_the_time_of_many_flows_is_the_sum_of_each() -> None:
    sent, seeded = Sent(), random.Random(1)
    periods = {flow: seeded.randrange(5, 900) * TICK_US for flow in range(30)}
    times = {flow: every(period, 3 * SECOND_US) for flow, period in periods.items()}
    for at_us, flow in sent_by_turns(times):
        sent.send(at_us, ipv4(flow))
    ends = (3 * SECOND_US // period * period for period in periods.values())
    assert sent.flows()[0] == sum(ends)


def test_a_flow_is_long_after_half_a_second() -> None:
    sent = Sent()
    for at_us in every(32 * TICK_US, 1_600 * TICK_US):
        sent.send(at_us, ipv4(1))
    assert sent.flows() == (1_600 * TICK_US, 1_600 * TICK_US - LONG_US)


def test_flows_of_one_packet_add_nothing_however_many_there_are() -> None:
    sent, sources = Sent(), iter(range(1, 2_000))
    for at_us in every(40 * TICK_US, 2_000 * TICK_US):
        sent.send(at_us, ipv4(1))
        for source in islice(sources, 20):
            sent.send(at_us, ipv6(0, source=source.to_bytes(4, "big")))
    assert sent.flows()[0] == 2_000 * TICK_US


def test_a_flow_that_has_been_silent_for_longer_than_a_second_begins_anew() -> None:
    sent = Sent()
    for at_us in (0, 600 * TICK_US, 600 * TICK_US + TIMEOUT_US):
        sent.send(at_us, ipv4(1))
    assert sent.flows() == (600 * TICK_US + TIMEOUT_US, TIMEOUT_US)
    begun_us = 600 * TICK_US + 2 * TIMEOUT_US + TICK_US
    sent.send(begun_us, ipv4(1))
    sent.send(begun_us + 100 * TICK_US, ipv4(1))
    assert sent.flows() == (700 * TICK_US + TIMEOUT_US, TIMEOUT_US)


def test_each_port_has_its_own_flows() -> None:
    sent = Sent()
    for at_us in every(100 * TICK_US, 2_000 * TICK_US):
        sent.send(at_us, ipv4(1), PORT)
        sent.send(at_us, ipv4(2), OTHER_PORT)
        sent.send(at_us, ipv4(3), OTHER_PORT)
    assert [sent.flows(port)[0] for port in (PORT, OTHER_PORT)] == [
        2_000 * TICK_US,
        4_000 * TICK_US,
    ]


@pytest.mark.parametrize(("first", "second", "are_one"), PAIRS)
def test_packets_are_of_one_flow_by_what_is_seen_of_them(
    first: bytes, second: bytes, are_one: bool
) -> None:
    sent = Sent()
    for at_us in every(20 * TICK_US, 200 * TICK_US):
        sent.send(at_us, first)
        sent.send(at_us + 10 * TICK_US, second)
    expected = 210 if are_one else 400
    assert sent.flows()[0] == expected * TICK_US


def test_dropped_packets_count_like_others() -> None:
    sent = Sent()
    sent.queues.exchange(PORT, limit=SIZE)
    for at_us in every(50 * TICK_US, 1_000 * TICK_US):
        for inner in (OTHER, OTHER, ipv4(1)):  # one on the link, one in the queue
            sent.send(at_us, inner)
    assert sent.queues.snapshot(PORT).dropped_bytes >= 20 * SIZE
    assert sent.flows()[0] == 1_000 * TICK_US


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("size", [34, 35, 37])
def test_a_packet_that_ends_before_its_ports_is_forwarded(build: str, size: int) -> None:
    queues = Queues(build)
    sent = frame(PORT, 0, ipv4(1, ports=False)).ljust(size, b"\x55")
    assert queues.offer_frame(PORT, sent)
    queues.run(1_000)
    assert queues.sent[-1] == (PORT, sent)


def test_a_flow_whose_cell_is_taken_is_untracked_until_the_cell_is_vacant() -> None:
    """Of 65,536 cells 2,000 flows hold most of 2,000; those of some stand in others' cells."""
    sent = Sent()
    flows = range(2_000)
    for at_us in (0, 500 * TICK_US, 1_000 * TICK_US):
        for flow in flows:
            sent.send(at_us, ipv4(flow))
    active_us, _ = sent.flows()
    untracked = sent.untracked_bytes() / (3 * SIZE)
    assert 10 <= untracked <= 50  # 2000^2 / (2 * 65536) = 30 are expected
    assert active_us / (1_000 * TICK_US) + untracked == 2_000
