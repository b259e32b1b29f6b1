"""The arithmetic of the Tofino programs' virtual queue, compiled for v1model.

The backlog may be off by the frame that is compared with it, and by 8 ns of the link; see
docs/design/tofino-queue.md.
"""

from __future__ import annotations

import random

from p4abs.p4_constants import MAILBOX_START_BACKLOG_WINDOW
from ptf.testutils import group

from absptf.capabilities import PORTS, RECEIVER, TOFINO
from absptf.mailbox_packets import Request
from absptf.tofino_mailbox import stamped
from absptf.tofino_test import MAX_PACKET_BYTES, MIN_PACKET_BYTES, RATES_GBPS, STAMP_NS, TofinoTest

SIZES = (MIN_PACKET_BYTES, 88, 357, 1024, 1537, MAX_PACKET_BYTES)
FRAMES = 30  # at each rate


@group(TOFINO)
class FrameIsAdmittedExactlyUpToTheLimitWhileTimeStands(TofinoTest):
    def runTest(self) -> None:
        self.start_queue(10, 12_345)
        self.assertTrue(self.offer(MAX_PACKET_BYTES))
        for size in SIZES:
            standing_bytes = self.last.backlog_bytes
            self.ask(limit_bytes=standing_bytes + size - 1)
            self.assertFalse(self.offer(size))
            self.ask(limit_bytes=standing_bytes + size)
            self.assertTrue(self.offer(size))
            self.assertEqual(self.last.backlog_bytes, standing_bytes + size)


@group(TOFINO)
class BacklogIsThatOfExactFractionsButForOneFrame(TofinoTest):
    """Random frames and gaps at each rate, through the stamp's wrap."""

    limit_bytes = 2 * MAX_PACKET_BYTES

    def runTest(self) -> None:
        for rate_gbps in RATES_GBPS:
            chance = random.Random(rate_gbps)
            frame_ns = 8 * MAX_PACKET_BYTES / rate_gbps
            self.start_queue(rate_gbps, STAMP_NS - round(3 * frame_ns), self.limit_bytes)
            fates = []
            for _ in range(FRAMES):
                self.now_ns += round(chance.choice((0.1, 0.1, 0.1, 2)) * chance.random() * frame_ns)
                fates.append(self.offer(chance.choice(SIZES)))
                self.assertLessEqual(self.last.backlog_bytes, self.limit_bytes)
                self.assertLessEqual(abs(self.error_bytes()), MAX_PACKET_BYTES + rate_gbps)
            self.assertGreater(self.now_ns, STAMP_NS)
            self.assertEqual(set(fates), {True, False})


@group(TOFINO)
class BacklogDrainsAtTheRate(TofinoTest):
    def runTest(self) -> None:
        for rate_gbps in RATES_GBPS:
            self.start_queue(rate_gbps, 1_000)
            for _ in range(10):
                self.assertTrue(self.offer(MAX_PACKET_BYTES))
            for _ in range(10):
                self.now_ns += 8 * 1000 // rate_gbps  # a thousand bytes
                self.ask()
                # A request finds all that the clock's whole steps have drained.
                self.assertLessEqual(abs(self.error_bytes()), rate_gbps)
            self.assertTrue(self.offer(MAX_PACKET_BYTES))
            self.now_ns += 8 * 2**32 // rate_gbps  # the clock of bytes comes round
            self.assertEqual(self.ask().backlog_bytes, 0)


@group(TOFINO)
class LoweredLimitDropsUntilTheBacklogHasDrainedToIt(TofinoTest):
    def runTest(self) -> None:
        for rate_gbps in (1, 25, 400):
            self.start_queue(rate_gbps, 0)
            for _ in range(20):
                self.assertTrue(self.offer(MAX_PACKET_BYTES))
            self.ask(limit_bytes=10 * MAX_PACKET_BYTES)
            drained_ns = 8 * 10 * MAX_PACKET_BYTES // rate_gbps
            while not self.offer(MIN_PACKET_BYTES):
                self.now_ns += drained_ns // 10
                self.assertLess(self.now_ns, 2 * drained_ns)
            self.assertGreaterEqual(self.now_ns, drained_ns - 8 * MAX_PACKET_BYTES // rate_gbps)
            self.assertLessEqual(self.last.backlog_bytes, 10 * MAX_PACKET_BYTES)


@group(TOFINO)
class StampsThatOvertakeEachOtherLoseNoTime(TofinoTest):
    """Stamps go back by 80 ns, as between the parsers of a pipe."""

    def runTest(self) -> None:
        for rate_gbps in (10, 100, 400):
            chance = random.Random(rate_gbps)
            self.start_queue(rate_gbps, 1_000)
            for _ in range(10):
                self.assertTrue(self.offer(MAX_PACKET_BYTES))
            latest_ns = self.now_ns
            drained_bytes = 0
            while drained_bytes < 8 * MAX_PACKET_BYTES:
                latest_ns += 8 * 500 // rate_gbps
                self.now_ns = latest_ns - chance.choice((0, 80))
                self.ask()
                drained_bytes = (latest_ns // 8 - 1_000 // 8) * rate_gbps
            self.now_ns = latest_ns
            self.assertEqual(self.ask().backlog_bytes, 10 * MAX_PACKET_BYTES - drained_bytes)


@group(TOFINO)
class ExtremesAreThoseOfTheWindowThatTheRequestEnds(TofinoTest):
    def runTest(self) -> None:
        self.start_queue(10, 0, limit_bytes=5 * MAX_PACKET_BYTES)
        first = self.ask(start_window=True).sequence
        for _ in range(6):
            self.offer(MAX_PACKET_BYTES)
        self.now_ns += 8 * 3 * MAX_PACKET_BYTES // 10
        ended = self.ask(start_window=True)
        self.assertEqual(ended.backlog_window, first)
        self.assertEqual(
            (ended.least_backlog_bytes, ended.greatest_backlog_bytes), (0, 5 * MAX_PACKET_BYTES)
        )
        begun = self.ask()
        self.assertEqual(begun.backlog_window, ended.sequence)
        self.assertEqual(begun.least_backlog_bytes, ended.backlog_bytes)
        self.assertEqual(begun.greatest_backlog_bytes, ended.backlog_bytes)


@group(TOFINO)
class EachPortOfAPacketHasItsOwnBacklogAndWindow(TofinoTest):
    def runTest(self) -> None:
        self.start_queue(10, 1_000, limit_bytes=5 * MAX_PACKET_BYTES)
        windows = [Request(port, MAILBOX_START_BACKLOG_WINDOW) for port in PORTS]
        stamp = stamped(self.now_ns)
        first = self.switch.request(*windows, payload=stamp)
        self.switch.replies(stamp)
        for _ in range(3):
            self.assertTrue(self.offer(MAX_PACKET_BYTES))
        self.switch.request(*windows, payload=stamp)
        told = {reply.port: reply for reply in self.switch.replies(stamp)}
        self.assertEqual({reply.backlog_window for reply in told.values()}, {first})
        maximum = {port: reply.greatest_backlog_bytes for port, reply in told.items()}
        self.assertEqual(maximum, {port: 0 for port in PORTS} | {RECEIVER: 3 * MAX_PACKET_BYTES})
