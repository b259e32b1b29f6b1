"""A program that includes p4src/adaptive forwards as it did before."""

from __future__ import annotations

from p4abs.p4_constants import MAILBOX_WRITE_QUEUE_LIMIT
from ptf.testutils import group

from absptf.capabilities import PORTS, RECEIVER, ROUTER, SENDER
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet, ipv4, station
from absptf.mailbox_packets import Request
from absptf.switch_test import SwitchTest


@group(ROUTER)
class RoutedFrameLeavesAsBefore(SwitchTest):
    """By its port, with the next hop's address and a hop less; and it is counted there."""

    def runTest(self) -> None:
        for port in PORTS[:2]:
            for size in (MIN_BYTES, 333, MAX_BYTES):
                before = self.switch.exchange(port)
                frame = self.frame(size, port, number=size)
                self.send(SENDER, frame)
                self.expect_forwarded(port, frame)
                after = self.switch.exchange(port)
                self.assertEqual(after.admitted_bytes - before.admitted_bytes, size)
                self.assertEqual(after.departed_bytes - before.departed_bytes, size)


@group(ROUTER)
class FrameWithoutARouteIsDroppedAndCountedNowhere(SwitchTest):
    def runTest(self) -> None:
        self.send(SENDER, ipv4(100, "192.168.0.1"))
        self.expect_forwarding_works()
        counted = {snapshot.port: snapshot.offered_bytes for snapshot in self.snapshots()}
        self.assertEqual(counted, {port: 100 if port == RECEIVER else 0 for port in PORTS})


@group(ROUTER)
class PacketOutLeavesByItsPortAsItIs(SwitchTest):
    """And passes the port's limit like any other frame."""

    def runTest(self) -> None:
        for frame in (self.frame(500, SENDER), ethernet(500, station(SENDER))):
            before = self.switch.exchange(RECEIVER)
            self.switch.send_packet_out(self.switch.mailbox.frame_out(RECEIVER, frame))
            self.expect(RECEIVER, frame)
            after = self.switch.exchange(RECEIVER)
            self.assertEqual(after.admitted_bytes - before.admitted_bytes, 500)


@group(ROUTER)
class PacketOutIsForwardedLikeAFrameFromALink(SwitchTest):
    def runTest(self) -> None:
        frame = self.frame(500, RECEIVER)
        self.switch.send_packet_out(self.switch.mailbox.frame_out(0, frame, submit_to_ingress=1))
        self.expect_forwarded(RECEIVER, frame)


@group(ROUTER)
class FrameOfTheMailboxesTypeFromALinkIsNoRequest(SwitchTest):
    """Whoever is behind a port writes no limit."""

    def runTest(self) -> None:
        self.switch.exchange(RECEIVER, queue_limit_bytes=7000)
        request = self.switch.mailbox.request(1, [Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, 1)])
        self.send(SENDER, request.payload.ljust(MIN_BYTES, b"\0"))
        self.expect_forwarding_works()
        self.assertEqual(self.switch.exchange(RECEIVER).queue_limit_bytes, 7000)
