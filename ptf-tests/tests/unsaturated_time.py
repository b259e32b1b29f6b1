"""The time in which a link had nothing behind the frame that it sent, and what it sent then."""

from __future__ import annotations

from collections.abc import Callable

from p4abs.p4_constants import DRAIN_RATE_SHIFT
from ptf.testutils import group

from absptf.capabilities import QUEUE, RECEIVER, SENDER
from absptf.frames import MAX_BYTES
from absptf.mailbox_packets import Snapshot
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest

SLOW_FRAMES_PER_S = (7, 10)  # of MAX_BYTES, on the slow links of both targets
DRAIN_RATE = 10_000
BURSTS = (1, 2, 5)
STAMP_ERROR_US = 50_000  # one frame waits for twice as long


def saturated(first: Snapshot, last: Snapshot) -> tuple[int, int]:
    """Microseconds in which the link was busy throughout, and the bytes that it sent in them."""
    elapsed_us = last.timestamp_us - first.timestamp_us
    departed = (last.departed_bytes - first.departed_bytes) % 2**64
    unsaturated_us = (last.unsaturated_us - first.unsaturated_us) % 2**64
    unsaturated_bytes = (last.unsaturated_bytes - first.unsaturated_bytes) % 2**64
    return elapsed_us - unsaturated_us, departed - unsaturated_bytes


def has_departed(departed_bytes: int) -> Callable[[Snapshot], bool]:
    return lambda s: s.departed_bytes == departed_bytes


def is_later_than(timestamp_us: int) -> Callable[[Snapshot], bool]:
    return lambda s: s.timestamp_us > timestamp_us


class IdlePortIsUnsaturatedAllTheTime(SwitchTest):
    """The time under way is in every snapshot, to the microsecond."""

    def runTest(self) -> None:
        first = self.switch.exchange(RECEIVER)
        for _ in range(50):
            last = self.switch.exchange(RECEIVER)
            self.assertEqual(saturated(first, last), (0, 0))


class FramesThatNeverQueueLeaveALinkUnsaturated(SwitchTest):
    """On a port without a rate all time and all bytes are unsaturated, but for the way through."""

    def runTest(self) -> None:
        first = self.switch.exchange(RECEIVER)
        for number in range(20):
            frame = self.frame(MAX_BYTES, RECEIVER, number=number)
            self.send(SENDER, frame)
            self.expect_forwarded(RECEIVER, frame)
        last = self.switch.exchange(RECEIVER)
        self.assertEqual(saturated(first, last), (0, 0))
        self.assertEqual(last.unsaturated_bytes - first.unsaturated_bytes, 20 * MAX_BYTES)


class StandingQueueIsNoIdleTime(SwitchTest):
    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=6 * MAX_BYTES) as queue:
            # The second frame found the queue empty and waits for the first to be sent.
            first = self.switch.exchange(queue.port)
            if self.has_real_queue:
                first = self.wait_for(
                    queue.port, lambda s: s.departed_bytes >= first.departed_bytes + 2 * MAX_BYTES
                )
            last = first
            while last.timestamp_us < first.timestamp_us + 200_000:
                last = self.switch.exchange(queue.port)
                self.assertGreater(last.backlog_bytes, 0)
                self.assertEqual(last.unsaturated_us, first.unsaturated_us)
                self.assertEqual(last.unsaturated_bytes, first.unsaturated_bytes)


class SaturatedTimeMeasuresTheCapacity(SwitchTest):
    """With single frames, frames that wait for one in transmission, and a standing queue."""

    def runTest(self) -> None:
        queue = StandingQueue(self, least_bytes=3 * MAX_BYTES)
        port = queue.port
        first = self.switch.exchange(port, drain_rate=DRAIN_RATE)
        for frames in BURSTS:
            for number in range(frames):
                self.send(SENDER, self.frame(MAX_BYTES, port, number=number))
            for _ in range(frames):
                self.receive(port)
            sent = self.wait_for(port, lambda s: s.backlog_bytes == 0)
            self.wait_for(port, is_later_than(sent.timestamp_us + 300_000))
        last = self.switch.exchange(port)
        self.expect_capacity(*saturated(first, last))

    def expect_capacity(self, saturated_us: int, sent_bytes: int) -> None:
        if self.has_real_queue:
            # The last frame of each group is unsaturated, and so is the first, unless the next one
            # has overtaken its egress, which has a thread of its own on BMv2.
            self.assertGreaterEqual(sent_bytes, 3 * MAX_BYTES)
            slowest, fastest = SLOW_FRAMES_PER_S
            frames_per_s = sent_bytes / MAX_BYTES / (saturated_us / 1e6)
            self.assertTrue(slowest < frames_per_s < fastest, frames_per_s)
        else:
            drained = saturated_us * DRAIN_RATE / 2**DRAIN_RATE_SHIFT
            # Whole bytes drain: at the end of each burst the time of a part of one is left over.
            self.assertAlmostEqual(drained, sent_bytes, delta=len(BURSTS))


@group(QUEUE)
class WaitForAFrameInTransmissionIsNoIdleTime(SwitchTest):
    """Frames that find the queue empty and the link busy: all time between is told."""

    def runTest(self) -> None:
        port = StandingQueue(self).port
        self.send(SENDER, self.frame(MAX_BYTES, port))
        first = self.wait_for(port, has_departed(MAX_BYTES))
        for number in range(2, 8):
            self.send(SENDER, self.frame(MAX_BYTES, port, number=number))
            last = self.wait_for(port, has_departed(number * MAX_BYTES))
        saturated_us, sent_bytes = saturated(first, last)
        # BMv2 stamps a request some time before the program reads the registers.
        self.assertAlmostEqual(saturated_us, 0, delta=STAMP_ERROR_US)
        self.assertEqual(sent_bytes, 0)
