"""Packets beyond the limit are marked instead of dropped, where port and sender agree (RFC 3168).

A queue stands, and the limit is a byte less than what it holds with the frame.
"""

from __future__ import annotations

from functools import partial
from operator import add
from typing import Any

from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from absptf.capabilities import RECEIVER, SENDER, SLOW
from absptf.frames import ROUTER, ethernet, ipv4, ipv6, mac, station
from absptf.standing_queue import Decision, StandingQueue
from absptf.switch_test import SwitchTest

FRAME_BYTES = 1000
DSCP = 0xB8  # expedited forwarding
NOT_ECT, ECT_1, ECT_0, CE = range(4)


class MarkingTest(SwitchTest):
    """`port` is the one that has the queue; `expected` leaves by it, beside what else it holds."""

    def setUp(self) -> None:
        super().setUp()
        self.port = SLOW if self.has_real_queue else RECEIVER
        self.queue = StandingQueue(self, least_bytes=3 * FRAME_BYTES)
        self.expected: list[bytes] = []

    def stand(self, marking: int = 1) -> StandingQueue:
        self.switch.exchange(self.port, ecn_marking=marking)
        return self.queue

    def ipv4(self, ecn: int, **fields: Any) -> bytes:
        to = station(self.port)
        return ipv4(FRAME_BYTES, "10.0.0.1", ethernet_destination=to, tos=DSCP | ecn, **fields)

    def ipv6(self, ecn: int) -> bytes:
        to = station(self.port)
        return ipv6(FRAME_BYTES, "2001:db8::2", ethernet_destination=to, tc=DSCP | ecn)

    def offer(self, frame: bytes) -> Decision:
        return self.queue.offer_frame(frame, lambda backlog: backlog + FRAME_BYTES - 1)

    def expect_marked(self, sent: bytes, received: bytes) -> None:
        """The first frame is admitted, and leaves as the second one."""
        decision = self.offer(sent)
        self.assertTrue(decision.admitted and decision.marked, decision)
        self.expected.append(received)

    def expect_dropped(self, frame: bytes) -> None:
        decision = self.offer(frame)
        self.assertTrue(decision.dropped and not decision.marked, decision)
        self.assertEqual(decision.after.marked_bytes, decision.before.marked_bytes)

    def expect_received(self) -> None:
        """Once the queue is empty."""
        for frame in self.expected:
            self.assertIn(frame.hex(), [received.hex() for received in self.queue.received])


class PacketOfASenderThatUnderstandsIsMarkedAndAdmitted(MarkingTest):
    """Its class and all else stay, and its checksum is right; one that is marked stays so."""

    def runTest(self) -> None:
        with self.stand():
            for ecn in (ECT_0, CE):
                self.expect_marked(self.ipv4(ecn), self.ipv4(CE))
                self.expect_marked(self.ipv6(ecn), self.ipv6(CE))
        self.expect_received()


class RoutedPacketIsMarked(MarkingTest):
    def runTest(self) -> None:
        next_hop = {"port": self.port, "src_mac": ROUTER, "dst_mac": station(self.port)}
        routes = (
            ("ipv4", "10.0.0.0/8", ipv4_via_router(ECT_0), "ttl"),
            ("ipv6", "2001:db8::/32", ipv6_via_router(ECT_0), "hlim"),
        )
        with self.stand():
            for protocol, prefix, frame, hops in routes:
                self.switch.insert(
                    f"{protocol}_route",
                    {f"{protocol}_dst": prefix},
                    f"route_{protocol}",
                    next_hop,
                )
                self.expect_marked(frame, routed(frame, hops, self.port))
        self.expect_received()


class PacketOfASenderThatDoesNotUnderstandIsDropped(MarkingTest):
    """Those of ECT(1) neither: they expect marks from a short queue (RFC 9331)."""

    def runTest(self) -> None:
        with self.stand():
            for ecn in (NOT_ECT, ECT_1):
                self.expect_dropped(self.ipv4(ecn))
                self.expect_dropped(self.ipv6(ecn))
            self.expect_dropped(ethernet(FRAME_BYTES, station(self.port)))


class WithoutTheOptionEverythingIsDropped(MarkingTest):
    def runTest(self) -> None:
        with self.stand(marking=0):
            for frame in (self.ipv4(ECT_0), self.ipv4(CE), self.ipv6(ECT_0)):
                self.expect_dropped(frame)


class PacketWithinTheLimitIsNotMarked(MarkingTest):
    def runTest(self) -> None:
        with self.stand():
            for beyond in (FRAME_BYTES, 2**62):
                for frame in (self.ipv4(ECT_0), self.ipv6(ECT_1), self.ipv4(NOT_ECT)):
                    decision = self.queue.offer_frame(frame, partial(add, beyond))
                    self.assertTrue(decision.admitted and not decision.marked, decision)
                    self.expected.append(frame)
        self.expect_received()


class EmptyQueueMarksNothing(MarkingTest):
    """Whatever the limit, it admits: nothing waits."""

    def runTest(self) -> None:
        self.switch.exchange(RECEIVER, queue_limit_bytes=1, ecn_marking=1)
        for ecn in (NOT_ECT, ECT_1, ECT_0, CE):
            frame = ipv4(FRAME_BYTES, "10.0.0.1", ethernet_destination=station(RECEIVER), tos=ecn)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).marked_bytes, 0)


class BeyondTwiceTheLimitEverythingIsDropped(MarkingTest):
    """A queue that no sender answers to does not grow without end."""

    def runTest(self) -> None:
        with self.stand():
            for frame in (self.ipv4(ECT_0), self.ipv6(ECT_0)):
                at = self.queue.offer_frame(frame, lambda backlog: -(-(backlog + 1000) // 2))
                self.assertTrue(at.marked, at)
                beyond = self.queue.offer_frame(frame, lambda backlog: (backlog + 999) // 2)
                self.assertTrue(beyond.dropped, beyond)


class StandingQueueGrowsToTwiceTheLimit(MarkingTest):
    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=3 * FRAME_BYTES) as queue:
            seen = self.switch.exchange(queue.port)
            limit = seen.backlog_bytes
            self.switch.exchange(queue.port, queue_limit_bytes=limit, ecn_marking=1)
            frame = ipv4(
                FRAME_BYTES, "10.0.0.1", ethernet_destination=station(queue.port), tos=ECT_0
            )
            while not seen.dropped_bytes:
                offered = seen.offered_bytes + FRAME_BYTES
                self.send(SENDER, frame)
                seen = self.wait_until_offered(queue.port, offered)
                self.assertLessEqual(seen.backlog_bytes, 2 * limit)
            self.assertGreater(seen.marked_bytes, 0)


class HeaderWithOptionsIsNotMarked(MarkingTest):
    """Its checksum could not be renewed."""

    def runTest(self) -> None:
        header = IP(src="192.0.2.1", dst="10.0.0.1", tos=ECT_0, options=b"\x01" * 4)
        frame = bytes(Ether(self.ipv4(ECT_0)[:14]) / header)
        with self.stand():
            self.expect_dropped(frame + bytes(FRAME_BYTES - len(frame)))


class PortsMarkOnTheirOwn(MarkingTest):
    def runTest(self) -> None:
        self.switch.exchange(SENDER, ecn_marking=1)
        with self.stand(marking=0):
            self.expect_dropped(self.ipv4(ECT_0))


class RegisterEntryTurnsMarkingOn(MarkingTest):
    def runTest(self) -> None:
        if not self.capabilities.serves_registers:
            self.skipTest(f"{self.capabilities.target} serves no registers")
        with self.stand(marking=0):
            self.switch.write_register("ecn_marking", self.port, 1)
            self.expect_marked(self.ipv4(ECT_0), self.ipv4(CE))
            read = self.switch.read_register("marked_bytes", self.port)
            self.assertEqual(read[self.port] % FRAME_BYTES, 0)
            self.assertGreater(read[self.port], 0)


def ipv4_via_router(ecn: int) -> bytes:
    return ipv4(FRAME_BYTES, "10.0.0.1", tos=DSCP | ecn)


def ipv6_via_router(ecn: int) -> bytes:
    return ipv6(FRAME_BYTES, "2001:db8::2", tc=DSCP | ecn)


def routed(frame: bytes, hops: str, port: int) -> bytes:
    """The frame after one hop, marked."""
    packet = Ether(frame)
    packet.src, packet.dst = mac(ROUTER), mac(station(port))
    datagram = packet.payload
    setattr(datagram, hops, getattr(datagram, hops) - 1)
    if isinstance(datagram, IP):
        datagram.tos |= CE
        del datagram.chksum
    else:
        datagram.tc |= CE
    return bytes(packet)
