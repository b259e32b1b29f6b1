"""A pipeline that is pushed again replaces the program and all of its state."""

from __future__ import annotations

import time

from absptf.capabilities import PORTS, RECEIVER, SENDER
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet, station
from absptf.standing_queue import StandingQueue
from absptf.switch_test import DEADLINE_S, SwitchTest


class NewPipelineRemembersNothing(SwitchTest):
    def runTest(self) -> None:
        frame = ethernet(MAX_BYTES, station(RECEIVER))
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        self.expect_refused([ethernet(MIN_BYTES, 0x0200_0000_9999)])
        for port in PORTS:
            self.switch.exchange(port, queue_limit_bytes=1, drain_rate=1, ecn_marking=1)
        self.push_pipeline()
        self.assertEqual([any(each.state) for each in self.snapshots()], [False] * len(PORTS))
        self.assertEqual(self.refused(), (0, 0))
        self.add_stations()  # with ALREADY_EXISTS if the entries were still there
        self.expect_forwarding_works()


class PortRecoversFromAPushUnderAStandingQueue(SwitchTest):
    """Frames of the old pipeline may leave or be lost, but they do not block the port for good."""

    def runTest(self) -> None:
        queue = StandingQueue(self, least_bytes=6 * MAX_BYTES)
        queue.stand()
        self.push_pipeline()
        self.add_stations()
        self.switch.exchange(queue.port, queue_limit_bytes=2 * MAX_BYTES)
        probe = ethernet(MIN_BYTES, station(queue.port))
        end = time.monotonic() + DEADLINE_S
        while not self.switch.exchange(queue.port).admitted_bytes:
            self.assertLess(time.monotonic(), end, "the port admits nothing any more")
            self.send(SENDER, probe)
        while self.receive(queue.port) != probe:
            pass
        self.wait_for(queue.port, lambda s: s.backlog_bytes == 0)
