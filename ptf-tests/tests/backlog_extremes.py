"""The least and the greatest backlog of a window, and the number of the window they are of."""

from __future__ import annotations

import random

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import MAX_BYTES, MIN_BYTES
from absptf.mailbox_packets import Snapshot
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest

SEED = 20261122


class WindowTest(SwitchTest):
    def start_window(self, port: int) -> Snapshot:
        """The reply has the extremes of the window that this request ends."""
        return self.switch.exchange(port, start_window=True)

    def send_through(self, size: int) -> None:
        frame = self.frame(size, RECEIVER, number=size)
        self.send(SENDER, frame)
        self.expect_forwarded(RECEIVER, frame)


class LongestFrameIsTheGreatestBacklogOfAnUnusedQueue(WindowTest):
    """It is found empty by every frame, and left with that frame alone."""

    def runTest(self) -> None:
        self.start_window(RECEIVER)
        for sizes in ([MIN_BYTES], [MAX_BYTES, 100], [200, 777, 300]):
            for size in sizes:
                self.send_through(size)
                self.wait_for(RECEIVER, lambda s: s.backlog_bytes == 0)
            seen = self.start_window(RECEIVER)
            self.assertEqual(seen.least_backlog_bytes, 0)
            self.assertEqual(seen.greatest_backlog_bytes, max(sizes))


class WindowHasTheNumberOfTheRequestThatStartedIt(WindowTest):
    def runTest(self) -> None:
        last = self.start_window(RECEIVER)
        for size in range(MIN_BYTES, MIN_BYTES + 20):
            self.send_through(size)
            self.switch.exchange(RECEIVER, queue_limit_bytes=10_000)  # starts none
            seen = self.start_window(RECEIVER)
            self.assertEqual(seen.backlog_window, last.sequence)
            last = seen


class WindowOfAStandingQueueIsBetweenItsExtremes(WindowTest):
    def runTest(self) -> None:
        chance = random.Random(SEED)
        with StandingQueue(self, least_bytes=4 * MAX_BYTES) as queue:
            for _ in range(10):
                seen = [self.start_window(queue.port)]
                seen += [queue.send(chance.randrange(MIN_BYTES, MAX_BYTES)) for _ in range(3)]
                ended = self.start_window(queue.port)
                backlogs = [s.backlog_bytes for s in (*seen, ended)]
                self.assertLessEqual(ended.least_backlog_bytes, min(backlogs))
                self.assertGreaterEqual(ended.greatest_backlog_bytes, max(backlogs))
                # Between two snapshots no more has come and gone than they count.
                departed = ended.departed_bytes - seen[0].departed_bytes
                admitted = ended.admitted_bytes - seen[0].admitted_bytes
                self.assertGreaterEqual(ended.least_backlog_bytes, seen[0].backlog_bytes - departed)
                self.assertLessEqual(ended.greatest_backlog_bytes, seen[0].backlog_bytes + admitted)


class DroppedFramesAddNothingToTheBacklog(WindowTest):
    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=4 * MAX_BYTES) as queue:
            start = self.switch.exchange(queue.port, queue_limit_bytes=1, start_window=True)
            for _ in range(5):
                queue.send(MAX_BYTES)
            seen = self.start_window(queue.port)
            self.assertEqual(seen.dropped_bytes - start.dropped_bytes, 5 * MAX_BYTES)
            self.assertEqual(seen.greatest_backlog_bytes, start.backlog_bytes)
            self.assertEqual(seen.least_backlog_bytes, seen.backlog_bytes)


class NumberInTheRegisterStartsAWindowWithTheNextFrame(WindowTest):
    def runTest(self) -> None:
        if not self.capabilities.serves_registers:
            self.skipTest(f"{self.capabilities.target} serves no registers")
        self.start_window(RECEIVER)
        self.send_through(MAX_BYTES)
        for number, size in ((2**32 - 1, 500), (0, 100)):
            self.switch.write_register("backlog_window", RECEIVER, number)
            self.send_through(size)
            read = [
                self.switch.read_register(register, RECEIVER)[RECEIVER]
                for register in ("measured_window", "least_backlog_bytes", "greatest_backlog_bytes")
            ]
            self.assertEqual(read, [number, 0, size])
