"""Round-trip times of flows: from a SYN's departure to its flow's next packet (p4src/flows)."""

import random

import pytest

from p4src.tests.flows import SIZE, UDP, every, ipv4, ipv6
from p4src.tests.test_flows import PORT, SECOND_US, TIMEOUT_US, UNIT_US, Sent
from p4src.tests.v1model_queues import BUILDS

SYN, SYN_ACK, ACK, RST = 0x02, 0x12, 0x10, 0x04
FRAME_US = SIZE  # a byte per microsecond
OTHER = b"\x88\xb5"
LATER_US = 10 * UNIT_US
WRAP_US = UNIT_US << 24


def tcp(flags: int, flow: int = 1, datagram=ipv4, **fields) -> bytes:
    """The ports are followed by sequence, acknowledgement, offset and flags."""
    return datagram(flow, **fields) + bytes(8) + bytes([0x50, flags])


class Timed(Sent):
    """Frames at their times, and the sums of round trips."""

    def timed_bytes(self) -> int:
        return self.queues.snapshot(PORT).timed_bytes

    def round_trip_us(self) -> float | None:
        """By bytes; None: of no packet is it known."""
        found = self.queues.snapshot(PORT)
        return found.timed_byte_us / found.timed_bytes if found.timed_bytes else None

    def stand(self, frames: int) -> None:
        """What is sent now waits for so many frames, of which one is on the link."""
        for _ in range(frames):
            self.queues.offer(PORT, SIZE)


def measured(sent: Timed, round_trip_us: int, *, first: int = SYN, begun_us: int = 0) -> None:
    """A connection is opened and sends a packet a little later."""
    sent.send(begun_us, tcp(first))
    sent.send(begun_us + round_trip_us, tcp(ACK))
    sent.send(begun_us + round_trip_us + LATER_US, tcp(ACK))


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("datagram", [ipv4, ipv6])
@pytest.mark.parametrize("first", [SYN, SYN_ACK])
@pytest.mark.parametrize("units", [1, 2, 100, 4000, 4093])
def test_a_round_trip_lasts_from_the_first_packet_to_the_next(
    build: str, datagram, first: int, units: int
) -> None:
    sent = Timed(build)
    sent.send(0, tcp(first, datagram=datagram))
    sent.send(units * UNIT_US, tcp(ACK, datagram=datagram))
    assert sent.round_trip_us() == units * UNIT_US
    sent.send(units * UNIT_US + LATER_US, tcp(ACK, datagram=datagram))
    assert (sent.round_trip_us(), sent.timed_bytes()) == (units * UNIT_US, 2 * SIZE)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("frames", [2, 50, 5_000])
def test_the_queue_that_the_first_packet_stands_in_is_not_in_its_round_trip(
    build: str, frames: int
) -> None:
    sent, round_trip_us = Timed(build), 100 * UNIT_US
    sent.send(0, OTHER)
    sent.stand(frames - 1)
    measured(sent, frames * FRAME_US + round_trip_us)
    assert sent.round_trip_us() == pytest.approx(round_trip_us, abs=UNIT_US)


def test_the_mean_is_weighted_by_what_flows_send() -> None:
    sent = Timed()
    for flow in (1, 2):
        sent.send(0, tcp(SYN, flow))
    for flow, round_trip_us in ((1, 100 * UNIT_US), (2, 400 * UNIT_US)):
        sent.send(round_trip_us, tcp(ACK, flow))
    for at_us in every(10 * UNIT_US, 890 * UNIT_US, 500 * UNIT_US):
        for flow in (1, 1, 2):
            at_us += 2 * UNIT_US
            sent.send(at_us, tcp(ACK, flow))
    packets = {1: 1 + 80, 2: 1 + 40}
    expected = (100 * packets[1] + 400 * packets[2]) / sum(packets.values())
    assert sent.round_trip_us() == pytest.approx(expected * UNIT_US)


def test_many_flows_have_the_mean_of_their_round_trips() -> None:
    sent, seeded = Timed(), random.Random(1)
    round_trips = [seeded.randrange(5_000, 300_000) for _ in range(50)]
    begun = [(at_us, flow, SYN) for flow, at_us in enumerate(range(0, 50_000, 1_000))]
    answered = [(at_us + round_trips[flow], flow, ACK) for at_us, flow, _ in begun]
    for at_us, flow, flags in sorted(begun + answered):
        sent.send(at_us, tcp(flags, flow))
    mean_us = sum(round_trips) / len(round_trips)
    assert sent.round_trip_us() == pytest.approx(mean_us, rel=0.005)


def test_a_round_trip_of_less_than_a_unit_is_one_unit() -> None:
    sent = Timed()
    sent.send(0, tcp(SYN))
    sent.send(UNIT_US - 50, tcp(ACK))
    sent.send(SECOND_US, tcp(ACK))
    assert sent.round_trip_us() == UNIT_US


def test_a_round_trip_of_more_than_a_second_is_unknown() -> None:
    sent = Timed()
    measured(sent, TIMEOUT_US + UNIT_US)
    assert sent.round_trip_us() is None


def test_a_flow_whose_beginning_was_not_seen_has_no_round_trip() -> None:
    sent = Timed()
    for at_us in every(LATER_US, 100 * LATER_US):
        sent.send(at_us, tcp(ACK))
        sent.send(at_us, tcp(SYN, protocol=UDP))
    assert sent.round_trip_us() is None
    assert sent.flows()[0] == 200 * LATER_US


def test_a_repeated_syn_that_had_been_dropped_is_timed() -> None:
    sent = Timed()
    sent.queues.exchange(PORT, limit=SIZE)
    for inner in (OTHER, OTHER, tcp(SYN)):  # one on the link, one in the queue
        sent.send(0, inner)
    assert sent.queues.snapshot(PORT).dropped_bytes == SIZE
    sent.send(SECOND_US, tcp(SYN))
    sent.send(SECOND_US + 100 * UNIT_US, tcp(ACK))
    assert sent.round_trip_us() == 100 * UNIT_US


def test_of_two_syns_that_have_departed_none_is_timed() -> None:
    """The answer may be to the first."""
    sent = Timed()
    sent.send(0, tcp(SYN))
    measured(sent, 100 * UNIT_US, begun_us=500 * UNIT_US)
    assert sent.round_trip_us() is None


def test_what_follows_a_syn_before_it_departs_is_no_answer() -> None:
    sent = Timed()
    sent.send(0, OTHER)
    sent.stand(100)
    measured(sent, 4 * UNIT_US)
    assert sent.round_trip_us() is None


def test_a_new_connection_of_the_same_ports_is_timed_anew() -> None:
    sent = Timed()
    measured(sent, 100 * UNIT_US)
    before = sent.queues.snapshot(PORT)
    measured(sent, 300 * UNIT_US, begun_us=500 * UNIT_US)
    after = sent.queues.snapshot(PORT)
    timed_us = after.timed_byte_us - before.timed_byte_us
    assert timed_us / (after.timed_bytes - before.timed_bytes) == 300 * UNIT_US


@pytest.mark.parametrize("flood", [SYN, SYN_ACK, RST])
def test_a_flood_of_first_packets_leaves_the_sums(flood: int) -> None:
    sent, alone = Timed(), Timed()
    for each in (sent, alone):
        measured(each, 100 * UNIT_US)
    for flow in range(100, 1_100):
        sent.send(200 * UNIT_US + flow, tcp(flood, flow, source=flow.to_bytes(2), datagram=ipv6))
    for each in (sent, alone):
        for at_us in every(LATER_US, SECOND_US, 600 * UNIT_US):
            each.send(at_us, tcp(ACK))
    assert sent.queues.snapshot(PORT)[-2:] == alone.queues.snapshot(PORT)[-2:]
    assert sent.flows() == alone.flows()


@pytest.mark.parametrize("before_us", [300 * UNIT_US, 50 * UNIT_US, 0])
def test_a_clock_that_wraps_meanwhile_does_not_matter(before_us: int) -> None:
    sent = Timed()
    begun_us = WRAP_US - 10 * SECOND_US - before_us
    measured(sent, 100 * UNIT_US, begun_us=begun_us)
    assert sent.round_trip_us() == 100 * UNIT_US


def test_a_packet_that_ends_before_its_flags_is_forwarded() -> None:
    sent = Timed()
    bare = (bytes([2, 0, 0, 0, 0, PORT, 2, 0, 0, 0, 0, 1]) + tcp(SYN))[:-1]
    assert sent.queues.offer_frame(PORT, bare)
