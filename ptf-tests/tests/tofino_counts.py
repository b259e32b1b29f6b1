"""What the Tofino programs count, whatever the time is."""

from __future__ import annotations

from ptf.testutils import group

from absptf.capabilities import RECEIVER, SENDER, TOFINO
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet, ipv4, ipv6, station
from absptf.switch_test import SwitchTest


@group(TOFINO)
class PortWithoutARateDropsNothing(SwitchTest):
    def runTest(self) -> None:
        self.switch.exchange(RECEIVER, queue_limit_bytes=MIN_BYTES)
        for number in range(20):
            frame = ethernet(MAX_BYTES, station(RECEIVER), number=number)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).dropped_bytes, 0)


@group(TOFINO)
class FrameThatIsNotIpCountsAsTheLeast(SwitchTest):
    """Ingress of a Tofino knows no length but that of an IP header."""

    def runTest(self) -> None:
        frame = ethernet(MAX_BYTES, station(RECEIVER))
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).admitted_bytes, MIN_BYTES)


@group(TOFINO)
class FrameCountsAsItsIpPacketAndHeader(SwitchTest):
    def runTest(self) -> None:
        admitted_bytes = 0
        for size in (MIN_BYTES, 61, 333, MAX_BYTES):
            for frame in (
                ipv4(size, "10.0.0.1", ethernet_destination=station(RECEIVER)),
                ipv6(max(size, 62), "2001:db8::2", ethernet_destination=station(RECEIVER)),
            ):
                self.send(SENDER, frame)
                self.expect(RECEIVER, frame)
                admitted_bytes += len(frame)
                self.assertEqual(self.switch.exchange(RECEIVER).admitted_bytes, admitted_bytes)
