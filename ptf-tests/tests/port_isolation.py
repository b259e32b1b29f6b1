"""What happens at one port leaves the others alone."""

from __future__ import annotations

from absptf.capabilities import PORTS, RECEIVER, SENDER
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest


class FullQueueLeavesOtherPortsAlone(SwitchTest):
    """While one port drops, every other port forwards at once and drops nothing."""

    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            others = [port for port in (SENDER, RECEIVER) if port != queue.port]
            total = 0
            for round_number in range(10):
                self.assertTrue(queue.offer(MIN_BYTES, above_backlog=0).dropped)
                for port in others:
                    frame = self.frame(MAX_BYTES, port, number=round_number)
                    self.send(SENDER, frame)
                    self.expect_forwarded(port, frame)
                total += MAX_BYTES
            for port in others:
                seen = self.switch.exchange(port)
                self.assertEqual(
                    (seen.admitted_bytes, seen.dropped_bytes, seen.departed_bytes),
                    (total, 0, total),
                )


class LimitBelongsToOnePort(SwitchTest):
    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=4 * MAX_BYTES) as queue:
            frame = self.frame(MIN_BYTES, queue.port)
            for limited in (queue.port, *PORTS):
                for port in PORTS:
                    self.switch.exchange(port, queue_limit_bytes=1 if port == limited else 0)
                before = self.switch.exchange(queue.port)
                after = queue.send_frame(frame)
                dropped = after.dropped_bytes - before.dropped_bytes
                self.assertEqual(dropped, MIN_BYTES if limited == queue.port else 0)


class RefusedPacketsAreCountedByIngressPort(SwitchTest):
    def runTest(self) -> None:
        unknown = ethernet(200, 0x0200_0000_9999)
        for number, ingress in enumerate(PORTS, 1):
            self.expect_refused([unknown] * number, ingress)
        self.assertEqual(
            [self.refused(ingress) for ingress in PORTS],
            [(number, 200 * number) for number in range(1, len(PORTS) + 1)],
        )
