"""The limit: a frame is admitted when backlog + frame <= limit, or the queue is empty."""

from __future__ import annotations

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import MAX_BYTES, MIN_BYTES
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest

SIZES = (MIN_BYTES, 61, 64, 333, 1000, 1513, MAX_BYTES)


class FrameIsAdmittedExactlyUpToTheLimit(SwitchTest):
    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            for size in SIZES:
                one_byte_short = queue.offer(size, above_backlog=size - 1)
                self.assertTrue(one_byte_short.dropped, one_byte_short)
                fits = queue.offer(size, above_backlog=size)
                self.assertTrue(fits.admitted, fits)


class EmptyQueueAdmitsAnyFrame(SwitchTest):
    """Or else a port whose limit is less than its frames would never forward one."""

    def runTest(self) -> None:
        offered = 0
        for size in SIZES:
            frame = self.frame(size, RECEIVER, number=size)
            for limit in (1, size - 1, size):
                before = self.switch.exchange(RECEIVER, queue_limit_bytes=limit)
                self.assertEqual(before.backlog_bytes, 0)
                self.send(SENDER, frame)
                offered += size
                after = self.wait_until_offered(RECEIVER, offered)
                self.assertEqual(after.admitted_bytes - before.admitted_bytes, size)
                self.expect_forwarded(RECEIVER, frame)


class LimitLessThanAFrameAdmitsOneAtATime(SwitchTest):
    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=MIN_BYTES) as queue:
            for size in SIZES:
                self.assertTrue(
                    queue.offer_frame(
                        self.frame(size, queue.port, number=size), lambda _: 1
                    ).dropped
                )


class LargestLimitAdmits(SwitchTest):
    """No sum in the comparison overflows; and 0 means that no limit has been set."""

    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            for limit in (2**64 - 1, 2**63, 2**32, 0):
                before = self.switch.exchange(queue.port, queue_limit_bytes=limit)
                after = queue.send(MIN_BYTES)
                self.assertEqual(after.admitted_bytes, before.admitted_bytes + MIN_BYTES)
                self.assertEqual(after.dropped_bytes, before.dropped_bytes)


class RaisedLimitAdmitsAtOnce(SwitchTest):
    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            self.assertTrue(queue.offer(MIN_BYTES, above_backlog=0).dropped)
            self.assertTrue(queue.offer(MIN_BYTES, above_backlog=MIN_BYTES).admitted)
            self.assertTrue(queue.offer(MAX_BYTES, above_backlog=MIN_BYTES).dropped)
            self.assertTrue(queue.offer(MAX_BYTES, above_backlog=10 * MAX_BYTES).admitted)


class LimitBelowTheBacklogDropsUntilItHasDrained(SwitchTest):
    """A lowered limit throws nothing away that is in the queue, and admits nothing before it fits.

    The backlog only falls between two frames. So a frame must be dropped if it did not fit even
    after it was counted, and admitted if it did fit before it was sent.
    """

    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=4 * MAX_BYTES) as queue:
            backlog = self.switch.exchange(queue.port).backlog_bytes
            limit = backlog // 2
            self.switch.exchange(queue.port, queue_limit_bytes=limit)
            if not self.has_real_queue:
                self.switch.exchange(queue.port, drain_rate=backlog // 2)  # two seconds for all
            must_drop = must_admit = 0
            while not must_admit:
                before = self.switch.exchange(queue.port)
                after = queue.send(MIN_BYTES)
                admitted = after.admitted_bytes - before.admitted_bytes
                if before.backlog_bytes + MIN_BYTES <= limit:
                    self.assertEqual(admitted, MIN_BYTES)
                    must_admit += 1
                elif after.backlog_bytes - admitted + MIN_BYTES > limit:
                    self.assertEqual(admitted, 0)
                    must_drop += 1
            self.assertGreater(must_drop, 0)
