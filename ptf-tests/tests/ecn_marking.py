"""Packets beyond the limit are marked instead of dropped, where port and sender agree (RFC 3168).

The queue is empty, and the limit is less than one frame: it turns every frame away.
"""

from __future__ import annotations

from p4abs_switch.testbed.entry import Lpm
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import ROUTER, ethernet, ipv4, ipv6, mac, station
from absptf.mailbox_packets import Snapshot
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest

FRAME_BYTES = 1000
LIMIT_BYTES = 600
DSCP = 0xB8  # expedited forwarding
NOT_ECT, ECT_1, ECT_0, CE = range(4)


def ipv4_frame(ecn: int, **fields: int) -> bytes:
    return ipv4(
        FRAME_BYTES, "10.0.0.1", ethernet_destination=station(RECEIVER), tos=DSCP | ecn, **fields
    )


def ipv6_frame(ecn: int) -> bytes:
    return ipv6(FRAME_BYTES, "2001:db8::2", ethernet_destination=station(RECEIVER), tc=DSCP | ecn)


class MarkingTest(SwitchTest):
    def limited(self, limit_bytes: int = LIMIT_BYTES, marking: int = 1) -> Snapshot:
        return self.switch.exchange(RECEIVER, queue_limit_bytes=limit_bytes, ecn_marking=marking)

    def expect_marked(self, sent: bytes, received: bytes) -> None:
        """The first frame is admitted as the second one."""
        before = self.switch.exchange(RECEIVER)
        self.send(SENDER, sent)
        self.expect(RECEIVER, received)
        after = self.wait_until_offered(RECEIVER, before.offered_bytes + FRAME_BYTES)
        self.assertEqual(after.admitted_bytes - before.admitted_bytes, FRAME_BYTES)
        self.assertEqual(after.marked_bytes - before.marked_bytes, FRAME_BYTES)

    def expect_dropped(self, frame: bytes) -> None:
        before = self.switch.exchange(RECEIVER)
        self.send(SENDER, frame)
        after = self.wait_until_offered(RECEIVER, before.offered_bytes + FRAME_BYTES)
        self.assertEqual(after.dropped_bytes - before.dropped_bytes, FRAME_BYTES)
        self.assertEqual(after.marked_bytes, before.marked_bytes)
        self.assertEqual(self.received_frames(RECEIVER), 0)


class PacketOfASenderThatUnderstandsIsMarkedAndAdmitted(MarkingTest):
    """Its class and all else stay, and its checksum is right; one that is marked stays so."""

    def runTest(self) -> None:
        self.limited()
        for ecn in (ECT_0, ECT_1, CE):
            self.expect_marked(ipv4_frame(ecn), ipv4_frame(CE))
            self.expect_marked(ipv6_frame(ecn), ipv6_frame(CE))


class RoutedPacketIsMarked(MarkingTest):
    def runTest(self) -> None:
        self.limited()
        next_hop = {"port": RECEIVER, "source": ROUTER, "destination": station(RECEIVER)}
        routes = (
            ("ipv4", Lpm(0x0A000000, 8), ipv4_via_router(ECT_0), "ttl"),
            ("ipv6", Lpm(0x2001_0DB8 << 96, 32), ipv6_via_router(ECT_0), "hlim"),
        )
        for protocol, prefix, frame, hops in routes:
            self.switch.insert(
                f"{protocol}_route",
                {f"hdr.{protocol}.destination": prefix},
                f"route_{protocol}",
                next_hop,
            )
            self.expect_marked(frame, routed(frame, hops))


class PacketOfASenderThatDoesNotUnderstandIsDropped(MarkingTest):
    def runTest(self) -> None:
        self.limited()
        self.expect_dropped(ipv4_frame(NOT_ECT))
        self.expect_dropped(ipv6_frame(NOT_ECT))
        self.expect_dropped(ethernet(FRAME_BYTES, station(RECEIVER)))


class WithoutTheOptionEverythingIsDropped(MarkingTest):
    def runTest(self) -> None:
        self.limited(marking=0)
        for frame in (ipv4_frame(ECT_0), ipv4_frame(CE), ipv6_frame(ECT_1)):
            self.expect_dropped(frame)


class PacketWithinTheLimitIsNotMarked(MarkingTest):
    def runTest(self) -> None:
        for limit in (FRAME_BYTES, 2**64 - 1, 0):
            self.limited(limit)
            for frame in (ipv4_frame(ECT_0), ipv6_frame(ECT_1), ipv4_frame(NOT_ECT)):
                self.send(SENDER, frame)
                self.expect(RECEIVER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).marked_bytes, 0)


class BeyondTwiceTheLimitEverythingIsDropped(MarkingTest):
    """A queue that no sender answers to does not grow without end."""

    def runTest(self) -> None:
        self.limited(FRAME_BYTES // 2)
        self.expect_marked(ipv4_frame(ECT_0), ipv4_frame(CE))
        self.limited(FRAME_BYTES // 2 - 1)
        self.expect_dropped(ipv4_frame(ECT_0))
        self.expect_dropped(ipv6_frame(ECT_0))


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
        self.limited()
        header = IP(src="192.0.2.1", dst="10.0.0.1", tos=ECT_0, options=b"\x01" * 4)
        frame = bytes(Ether(ipv4_frame(ECT_0)[:14]) / header)
        self.expect_dropped(frame + bytes(FRAME_BYTES - len(frame)))


class PortsMarkOnTheirOwn(MarkingTest):
    def runTest(self) -> None:
        self.limited(marking=0)
        self.switch.exchange(SENDER, queue_limit_bytes=LIMIT_BYTES, ecn_marking=1)
        self.expect_dropped(ipv4_frame(ECT_0))


class RegisterEntryTurnsMarkingOn(MarkingTest):
    def runTest(self) -> None:
        if not self.capabilities.serves_registers:
            self.skipTest(f"{self.capabilities.target} serves no registers")
        self.limited(marking=0)
        self.switch.write_register("ecn_marking", RECEIVER, 1)
        self.expect_marked(ipv4_frame(ECT_0), ipv4_frame(CE))
        read = self.switch.read_register("marked_bytes", RECEIVER)
        self.assertEqual(read, {RECEIVER: FRAME_BYTES})


def ipv4_via_router(ecn: int) -> bytes:
    return ipv4(FRAME_BYTES, "10.0.0.1", tos=DSCP | ecn)


def ipv6_via_router(ecn: int) -> bytes:
    return ipv6(FRAME_BYTES, "2001:db8::2", tc=DSCP | ecn)


def routed(frame: bytes, hops: str) -> bytes:
    """The frame after one hop, marked."""
    packet = Ether(frame)
    packet.src, packet.dst = mac(ROUTER), mac(station(RECEIVER))
    datagram = packet.payload
    setattr(datagram, hops, getattr(datagram, hops) - 1)
    if isinstance(datagram, IP):
        datagram.tos |= CE
        del datagram.chksum
    else:
        datagram.tc |= CE
    return bytes(packet)
