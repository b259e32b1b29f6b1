"""What the Tofino programs count, whatever the time is."""

from __future__ import annotations

from ptf.testutils import group

from absptf.capabilities import RECEIVER, SENDER, TOFINO
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet, ipv4, ipv6, station
from absptf.switch_test import SwitchTest
from absptf.tofino_test import OVERHEAD_BYTES


@group(TOFINO)
class PortWithoutARateDropsNothing(SwitchTest):
    def runTest(self) -> None:
        self.switch.exchange(RECEIVER, queue_limit_bytes=MIN_BYTES)
        for number in range(20):
            frame = ethernet(MAX_BYTES, station(RECEIVER), number=number)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).dropped_bytes, 0)


class CountsTest(SwitchTest):
    def expect_counted(self, frame: bytes, counted_bytes: int) -> None:
        """It is forwarded, and counts for so many bytes and the overhead of the wire."""
        before = self.switch.exchange(RECEIVER)
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        after = self.switch.exchange(RECEIVER)
        self.assertEqual(
            after.admitted_bytes - before.admitted_bytes, counted_bytes + OVERHEAD_BYTES
        )


@group(TOFINO)
class FrameThatIsNotIpCountsAsTheLeast(CountsTest):
    """Ingress of a Tofino knows no length but that of an IP header."""

    def runTest(self) -> None:
        self.expect_counted(ethernet(MAX_BYTES, station(RECEIVER)), MIN_BYTES)


@group(TOFINO)
class FrameCountsAsItsIpPacketAndWhatIsBeforeIt(CountsTest):
    def runTest(self) -> None:
        for size in (MIN_BYTES, 61, 333, MAX_BYTES):
            for frame in (
                ipv4(size, "10.0.0.1", ethernet_destination=station(RECEIVER)),
                ipv6(max(size, 62), "2001:db8::2", ethernet_destination=station(RECEIVER)),
            ):
                self.expect_counted(frame, len(frame))
                for tags in (b"\x81\x00\x00\x05", b"\x88\xa8\x00\x05\x81\x00\x60\x07"):
                    if size < MAX_BYTES:
                        self.expect_counted(frame[:12] + tags + frame[12:], len(frame) + len(tags))


@group(TOFINO)
class ForgedLengthCountsForNoMoreThanAFrameOfTheMtu(CountsTest):
    def runTest(self) -> None:
        to = station(RECEIVER)
        for claimed in (1501, 9000, 65_507, 65_535):
            self.expect_counted(
                ipv4(MIN_BYTES, "10.0.0.1", ethernet_destination=to, len=claimed), MAX_BYTES
            )
        self.expect_counted(ipv4(MAX_BYTES, "10.0.0.1", ethernet_destination=to, len=1), MIN_BYTES)
        self.switch.insert(
            "port_mtu", {"port": RECEIVER}, "at_most", {"wire_bytes": 1000 + OVERHEAD_BYTES}
        )
        frame = ipv4(MIN_BYTES, "10.0.0.1", ethernet_destination=to, len=9000)
        self.expect_counted(frame, 1000)
