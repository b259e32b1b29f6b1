"""Copies of packets: they are made behind the queue limit, and counted by their ports."""

from __future__ import annotations

from p4abs.p4_constants import CPU_PORT, PACKET_IN_FORWARDED

from absptf.capabilities import PORTS, RECEIVER, SENDER
from absptf.frames import ethernet, ipv4, ipv6, station, tcp
from absptf.packet_io_test import BROADCAST, LLDP, PacketIn, PacketIoTest
from absptf.routing_test import NEXT_HOP


class FrameForAGroupLeavesByEachPortButItsOwn(PacketIoTest):
    def runTest(self) -> None:
        self.replicate(BROADCAST, *PORTS)
        frame = ethernet(100, BROADCAST)
        self.send(SENDER, frame)
        for port in PORTS:
            if port != SENDER:
                self.expect(port, frame)
        for port in PORTS:
            packets = int(port != SENDER)
            self.assertEqual(self.bypassing(port), (packets, 100 * packets))
            self.assertEqual(self.switch.exchange(port).offered_bytes, 0)
        self.assertEqual(self.refused(SENDER), (0, 0))
        self.expect_forwarding_works()


class CopiesLeaveDeparturesAsTheyAre(PacketIoTest):
    """Among frames that are counted: what has departed is what was admitted."""

    def runTest(self) -> None:
        self.replicate(BROADCAST, RECEIVER)
        for number in range(1, 21):
            self.send(SENDER, ethernet(100, BROADCAST, number=number))
            frame = tcp(200, "10.0.0.1", "S", ethernet_destination=station(RECEIVER))
            self.send(SENDER, frame)
            self.receive(RECEIVER)
            self.receive(RECEIVER)
        seen = self.switch.exchange(RECEIVER)
        self.assertEqual((seen.admitted_bytes, seen.departed_bytes), (4000, 4000))
        self.assertEqual(self.bypassing(RECEIVER), (20, 2000))


class MirroredFrameIsCountedWhereItBypassesTheLimit(PacketIoTest):
    """A clone session that leads to a port, not to the controller."""

    def runTest(self) -> None:
        self.copy_to(SENDER)
        self.trap("copy", {"ether_type": LLDP})
        frame = ethernet(150, station(RECEIVER), ether_type=LLDP)
        self.switch.exchange(SENDER, queue_limit_bytes=1)
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        self.expect(SENDER, frame)
        self.assertEqual(self.bypassing(SENDER), (1, 150))
        self.assertEqual(self.bypassing(RECEIVER), (0, 0))
        self.assertEqual(self.switch.exchange(SENDER).offered_bytes, 0)


class GroupMayHaveTheController(PacketIoTest):
    """Whatever leaves by its port has its header, so that no frame is taken for one."""

    def runTest(self) -> None:
        self.replicate(BROADCAST, CPU_PORT, RECEIVER)
        frame = ethernet(100, BROADCAST)
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        self.assertEqual(self.packet_in(), PacketIn(SENDER, CPU_PORT, PACKET_IN_FORWARDED, frame))


class MartianIsNotRouted(PacketIoTest):
    """Nor is a frame for a group; both are switched."""

    def runTest(self) -> None:
        self.route("0.0.0.0/0")
        self.route("::/0")
        martians = [
            *(ipv4(100, address) for address in ("0.1.2.3", "127.0.0.1", "169.254.1.1")),
            *(ipv4(100, address) for address in ("224.0.0.5", "240.0.0.1", "255.255.255.255")),
            *(ipv4(100, "10.0.0.1", source=bad) for bad in ("127.0.0.1", "224.0.0.1", "0.0.0.0")),
            *(ipv6(100, address) for address in ("::", "::1", "fe80::1", "ff02::1")),
            *(ipv6(100, "2001:db8::9", source=bad) for bad in ("::1", "fe80::1", "ff02::1")),
            ipv4(100, "10.0.0.1", ethernet_destination=BROADCAST),
        ]
        self.expect_refused(martians)
        packets, _ = self.switch.counter("martian_packets", SENDER)
        self.assertEqual(packets, len(martians))
        for routed in (ipv4(100, "126.255.255.255"), ipv4(100, "128.0.0.1"), ipv6(100, "fec0::1")):
            self.expect_next_hop(routed, NEXT_HOP)
        switched = ipv4(100, "127.0.0.1", ethernet_destination=station(RECEIVER))
        self.send(SENDER, switched)
        self.expect(RECEIVER, switched)
