"""Packet-in and packet-out beside the mailbox: frames that a controller gets, and that it sends."""

from __future__ import annotations

from p4abs.p4_constants import (
    CPU_PORT,
    ETHER_TYPE_MAILBOX,
    MAILBOX_WRITE_QUEUE_LIMIT,
    PACKET_IN_COPIED,
    PACKET_IN_REDIRECTED,
)

from absptf.capabilities import PORTS, RECEIVER, SENDER, TOFINO
from absptf.frames import ROUTER, ethernet, ipv4, ipv6, station, tcp
from absptf.mailbox_packets import Request
from absptf.packet_io_test import ARP, BROADCAST, IPV4, LLDP, NOWHERE, PacketIn, PacketIoTest
from absptf.routing_test import NEXT_HOP
from absptf.switch_test import BATCH_FRAMES

BGP = 179
TCP = 6
STORM_FRAMES = 1000
BURST = 10


class RedirectedFrameGoesToTheControllerAlone(PacketIoTest):
    """As it came, with the port that it came by."""

    def runTest(self) -> None:
        self.trap("redirect", {"ether_type": ARP})
        for ingress in PORTS:
            for destination in (BROADCAST, station(RECEIVER)):
                frame = ethernet(60, destination, ether_type=ARP, number=ingress)
                self.send(ingress, frame)
                self.assertEqual(
                    self.packet_in(), PacketIn(ingress, NOWHERE, PACKET_IN_REDIRECTED, frame)
                )
        self.assertEqual(self.refused(SENDER), (0, 0))
        self.expect_forwarding_works()


class CopiedFrameAlsoGoesWhereItWouldWithout(PacketIoTest):
    def runTest(self) -> None:
        self.copy_to(CPU_PORT)
        self.trap("copy", {"ether_type": LLDP})
        frame = ethernet(200, station(RECEIVER), ether_type=LLDP)
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        self.assertEqual(self.packet_in(), PacketIn(SENDER, RECEIVER, PACKET_IN_COPIED, frame))
        nowhere = ethernet(200, 0x0180_C200_000E, ether_type=LLDP)
        self.send(SENDER, nowhere)
        self.assertEqual(self.packet_in(), PacketIn(SENDER, NOWHERE, PACKET_IN_COPIED, nowhere))
        self.assertEqual(self.refused(SENDER), (1, 200))
        self.assertEqual(self.switch.exchange(RECEIVER).admitted_bytes, 200)


class ExpiredPacketReachesTheController(PacketIoTest):
    """As it came: no route has been taken. One with a hop left is routed."""

    def runTest(self) -> None:
        self.route("10.0.0.0/8")
        self.route("2001:db8::/32")
        for ether_type in (IPV4, 0x86DD):
            last_hops = {"ether_type": ether_type, "dst_mac": ROUTER, "ttl": "0x00/&0xfe"}
            self.trap("redirect", last_hops)
        for hops in (0, 1):
            for frame in (ipv4(100, "10.1.2.3", ttl=hops), ipv6(100, "2001:db8::9", hlim=hops)):
                self.send(SENDER, frame)
                self.assertEqual(
                    self.packet_in(), PacketIn(SENDER, NOWHERE, PACKET_IN_REDIRECTED, frame)
                )
        self.expect_next_hop(ipv4(100, "10.1.2.3", ttl=2), NEXT_HOP)
        switched = ipv4(100, "10.1.2.3", ttl=1, ethernet_destination=station(RECEIVER))
        self.send(SENDER, switched)
        self.expect(RECEIVER, switched)


class RoutingProtocolReachesTheController(PacketIoTest):
    """BGP to the switch's own address; what else goes to that address is routed."""

    def runTest(self) -> None:
        self.route("10.0.0.0/8")
        key = {"ether_type": IPV4, "dst_ip": "10.0.0.1", "ip_protocol": TCP, "l4_dst_port": BGP}
        self.trap("redirect", key)
        segment = tcp(100, "10.0.0.1", "A", ports=(1000, BGP))
        self.send(SENDER, segment)
        self.assertEqual(self.packet_in(), PacketIn(SENDER, NOWHERE, PACKET_IN_REDIRECTED, segment))
        self.expect_next_hop(tcp(100, "10.0.0.1", "A"), NEXT_HOP)
        self.expect_next_hop(tcp(100, "10.0.0.2", "A", ports=(1000, BGP)), NEXT_HOP)


class FrameFromTheControllerLeavesAsItIs(PacketIoTest):
    """It passes the limit of its port, and counts for its own length."""

    def runTest(self) -> None:
        for number, port in enumerate(PORTS, 1):
            frame = ethernet(100 * number, station(RECEIVER), ether_type=LLDP, number=number)
            self.send_out(port, frame)
            self.expect(port, frame)
            seen = self.switch.exchange(port)
            counted_bytes = self.counted_bytes(frame)
            self.assertEqual((seen.admitted_bytes, seen.departed_bytes), (counted_bytes,) * 2)
        broken = ipv4(100, "10.0.0.1", chksum=1)
        self.send_out(RECEIVER, broken)
        self.expect(RECEIVER, broken)


class SubmittedFrameIsTreatedLikeOneFromALink(PacketIoTest):
    def runTest(self) -> None:
        self.route("10.0.0.0/8")
        self.trap("redirect", {"ether_type": ARP})
        frame = ethernet(300, station(RECEIVER))
        self.send_out(0, frame, submit_to_ingress=1)
        self.expect(RECEIVER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).admitted_bytes, self.counted_bytes(frame))
        self.send_out(0, ipv4(100, "10.1.2.3"), submit_to_ingress=1)
        self.assertEqual(int.from_bytes(self.receive(RECEIVER)[:6]), NEXT_HOP)
        arp = ethernet(60, BROADCAST, ether_type=ARP)
        self.send_out(0, arp, submit_to_ingress=1)
        self.assertEqual(self.packet_in().frame, arp)
        if self.capabilities.target != TOFINO:  # whose port of the CPU has another number
            self.send_out(0, ethernet(60, 0x0200_0000_9999), submit_to_ingress=1)
            self.wait_for_count("refused_packets", CPU_PORT, 1)


class FrameForNoPortIsRefusedAndCounted(PacketIoTest):
    """The controller's own port, unless it is the mailbox's, and the one that v1model drops at,
    where the target's server does not refuse it."""

    def runTest(self) -> None:
        for port in (CPU_PORT, NOWHERE) if self.capabilities.target == "bmv2" else (CPU_PORT,):
            self.send_out(port, ethernet(60, station(RECEIVER)))
            self.wait_for_count("refused_packet_outs", port, 1)
        if self.capabilities.target != TOFINO:  # whose parser has its own ways
            self.send_out(RECEIVER, bytes(13))
            self.wait_for_count("refused_packet_outs", RECEIVER, 1)
        self.expect_forwarding_works()


class MailboxAnswersOnlyTheController(PacketIoTest):
    """A frame of its type from a link is like others; no trap makes it look like a reply."""

    def runTest(self) -> None:
        request = Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, queue_limit_bytes=1)
        frame = bytearray(self.switch.mailbox.request(1, [request]).payload)
        frame[:6] = station(RECEIVER).to_bytes(6)
        self.trap("redirect", {"dst_mac": station(RECEIVER)})
        self.send(SENDER, bytes(frame))
        self.expect(RECEIVER, bytes(frame))
        self.send_out(RECEIVER, bytes(frame))
        self.expect(RECEIVER, bytes(frame))
        self.send_out(0, bytes(frame), submit_to_ingress=1)
        self.expect(RECEIVER, bytes(frame))
        self.assertEqual(self.switch.exchange(RECEIVER).queue_limit_bytes, 0)
        self.assertEqual(
            self.switch.exchange(RECEIVER).admitted_bytes, 3 * self.counted_bytes(bytes(frame))
        )
        self.assertEqual(frame[12:14], ETHER_TYPE_MAILBOX.to_bytes(2))


class StormIsBoundedAndCountedByItsClass(PacketIoTest):
    """The mailbox answers each request meanwhile, and another class gets through."""

    def runTest(self) -> None:
        self.trap("redirect", {"ether_type": ARP}, packet_class=1)
        self.trap("redirect", {"ether_type": LLDP}, packet_class=2)
        self.allow(1, packets_per_s=1, burst=BURST)
        storm = ethernet(60, BROADCAST, ether_type=ARP)
        lldp = ethernet(60, 0x0180_C200_000E, ether_type=LLDP)
        for number in range(STORM_FRAMES):
            self.send(SENDER, storm)
            if number % 20 == 0:
                self.switch.request(Request(RECEIVER), sequence=number)
            if number % BATCH_FRAMES == 0 and number:
                self.wait_for_count("excess_packet_ins", 1, number + 1, most_fewer=BURST + 20)
        self.send(SENDER, lldp)
        got, answered = 0, 0
        while answered < STORM_FRAMES // 20 or lldp:
            packet = self.switch.any_packet_in()
            if packet.payload == storm:
                got += 1
            elif packet.payload == lldp:
                lldp = b""
            else:
                [reply] = self.switch.mailbox.snapshots(packet)
                self.assertEqual(reply.sequence, 20 * answered)
                answered += 1
        self.assertIn(got, range(BURST, BURST + 20))
        self.wait_for_count("excess_packet_ins", 1, STORM_FRAMES - got)
        self.assertEqual(self.switch.counter("excess_packet_ins", 2), (0, 0))


class ExcessiveCopyIsNotMadeAndItsFrameGoesOn(PacketIoTest):
    def runTest(self) -> None:
        self.copy_to(CPU_PORT)
        self.trap("copy", {"ether_type": LLDP}, packet_class=3)
        self.allow(3, packets_per_s=1, burst=1)
        frames = [
            ethernet(60, station(RECEIVER), ether_type=LLDP, number=number) for number in range(40)
        ]
        for frame in frames:
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
        self.assertEqual(self.packet_in().frame, frames[0])
        packets, _ = self.switch.counter("excess_packet_ins", 3)
        self.assertGreater(packets, 20)
