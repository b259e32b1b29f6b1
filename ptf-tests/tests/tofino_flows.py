"""How many flows send to a port of a Tofino 2, by their time; each packet brings its own."""

from __future__ import annotations

from ptf.testutils import group

from absptf.capabilities import RECEIVER, SENDER, TOFINO
from absptf.frames import ethernet, ipv4, ipv6, station, tagged
from absptf.tofino_mailbox import TICK_NS
from absptf.tofino_test import TofinoTest

FRAME_BYTES = 200
TICKS = 1000  # from packet to packet of a flow
PACKETS = 5
LONG_TICKS = 1000  # its age is beyond 2048 ticks before the last packet alone
VLAN = (0x8100, 5)


class TofinoFlowsTest(TofinoTest):
    def flow_ticks(self, *frames: bytes) -> tuple[int, int]:
        """What flows add to the time of active and of long ones; a frame's source is replaced."""
        before = self.ask()
        for _ in range(PACKETS):
            for frame in frames:
                stamped_frame = frame[:6] + self.now_ns.to_bytes(6) + frame[12:]
                self.send(SENDER, stamped_frame)
                self.expect(RECEIVER, stamped_frame)
            self.now_ns += TICKS * TICK_NS
        after = self.ask()
        active_us = after.active_flow_us - before.active_flow_us
        long_us = after.long_flow_us - before.long_flow_us
        return round(1000 * active_us / TICK_NS), round(1000 * long_us / TICK_NS)


@group(TOFINO)
class FlowsAddTheTimeBetweenTheirPackets(TofinoFlowsTest):
    def runTest(self) -> None:
        self.now_ns = 10**10
        frames = (
            ipv4(FRAME_BYTES, "10.0.0.1", ethernet_destination=station(RECEIVER)),
            ipv4(FRAME_BYTES, "10.0.0.2", ethernet_destination=station(RECEIVER)),
            ipv6(FRAME_BYTES, "2001:db8::2", ethernet_destination=station(RECEIVER)),
            tagged(ipv6(FRAME_BYTES, "2001:db8::3", ethernet_destination=station(RECEIVER)), VLAN),
        )
        active, long = self.flow_ticks(*frames)
        self.assertEqual(active, len(frames) * (PACKETS - 1) * TICKS)
        self.assertEqual(long, len(frames) * LONG_TICKS)


@group(TOFINO)
class FrameWithoutIpIsOfNoFlow(TofinoFlowsTest):
    def runTest(self) -> None:
        self.now_ns = 10**10
        self.assertEqual(self.flow_ticks(ethernet(FRAME_BYTES, station(RECEIVER))), (0, 0))
