"""The *shared queue* build: one memory for all queues, and thresholds on what of it is free.

A queue stands at a slow port. Frames to another port, whose queue is empty, meet what that leaves.
"""

from __future__ import annotations

from ptf.testutils import group

from absptf.capabilities import PORTS, RECEIVER, SENDER, SHARED_QUEUE, SLOW_SMALL
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet, ipv4, station
from absptf.overflow_test import OverflowTest
from absptf.shared_memory_test import ALPHA_1, SCALE, SCALE_1, SharedMemoryTest
from absptf.standing_queue import StandingQueue

SIZES = (MIN_BYTES, 61, 333, MAX_BYTES)
ECT_0 = 2


@group(SHARED_QUEUE)
class MemoryIsFilledToTheByteAndNeverExceeded(SharedMemoryTest):
    """Also by ports that have no threshold."""

    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            for size in SIZES:
                self.assertTrue(self.offer(queue, size - 1, size).dropped)
                self.assertTrue(self.offer(queue, size, size).admitted)


@group(SHARED_QUEUE)
class ThresholdIsReachedExactlyAtTheByte(SharedMemoryTest):
    """alpha times what is free, fractions of a byte left out."""

    def runTest(self) -> None:
        self.share(RECEIVER, ALPHA_1 // 2)
        with StandingQueue(self) as queue:
            for size in SIZES:
                self.assertTrue(self.offer(queue, 2 * size - 1, size).dropped)
                self.assertTrue(self.offer(queue, 2 * size, size).admitted)


@group(SHARED_QUEUE)
class AlphaAboveOneEndsAtTheMemory(SharedMemoryTest):
    def runTest(self) -> None:
        self.share(RECEIVER, 8 * ALPHA_1)
        with StandingQueue(self) as queue:
            self.assertTrue(self.offer(queue, 499, 500).dropped)
            self.assertTrue(self.offer(queue, 500, 500).admitted)


@group(SHARED_QUEUE)
class QueueMeetsItsThresholdWithAllThatStandsInIt(SharedMemoryTest):
    """With alpha 1 a queue alone gets half of the memory: its backlog, and as much again."""

    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            self.share(queue.port, ALPHA_1)
            for above, is_admitted in ((MIN_BYTES - 1, False), (MIN_BYTES, True)):
                offer = self.offer(queue, above, MIN_BYTES, queue.port, times=2)
                self.assertEqual(offer.admitted, is_admitted)


@group(SHARED_QUEUE)
class PortWithoutAnEntryHasNoThreshold(SharedMemoryTest):
    def runTest(self) -> None:
        for port in PORTS:
            if port != RECEIVER:
                self.share(port, 1)
        with StandingQueue(self) as queue:
            self.assertTrue(self.offer(queue, MAX_BYTES, MAX_BYTES).admitted)


@group(SHARED_QUEUE)
class WithoutAMemoryNothingIsShared(SharedMemoryTest):
    def runTest(self) -> None:
        for port in PORTS:
            self.share(port, 1)
        frame = ethernet(MAX_BYTES, station(RECEIVER))
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)


@group(SHARED_QUEUE)
class ScaleOfAClassIsThatOfItsPortsThresholds(SharedMemoryTest):
    def runTest(self) -> None:
        self.share(RECEIVER, ALPHA_1, memory_class=3)
        key = {"memory_class": 3}
        with StandingQueue(self) as queue:
            self.assertTrue(self.offer(queue, 500, 500).admitted)
            self.switch.insert(SCALE, key, "set_scale", {"scale_65536ths": SCALE_1 // 4})
            self.assertTrue(self.offer(queue, 1999, 500).dropped)
            self.assertTrue(self.offer(queue, 2000, 500).admitted)
            self.switch.modify(SCALE, key, "set_scale", {"scale_65536ths": SCALE_1 // 2})
            self.assertTrue(self.offer(queue, 999, 500).dropped)
            self.assertTrue(self.offer(queue, 1000, 500).admitted)
            self.switch.delete(SCALE, key)
            self.assertTrue(self.offer(queue, 500, 500).admitted)


@group(SHARED_QUEUE)
class ScaleOfAnotherClassChangesNothing(SharedMemoryTest):
    def runTest(self) -> None:
        self.share(RECEIVER, ALPHA_1, memory_class=3)
        self.switch.insert(SCALE, {"memory_class": 2}, "set_scale", {"scale_65536ths": 0})
        with StandingQueue(self) as queue:
            self.assertTrue(self.offer(queue, 500, 500).admitted)


@group(SHARED_QUEUE)
class LimitBelowTheThresholdStaysInForce(SharedMemoryTest):
    def runTest(self) -> None:
        self.share(RECEIVER, ALPHA_1)
        self.switch.exchange(RECEIVER, queue_limit_bytes=499)
        with StandingQueue(self) as queue:
            self.assertTrue(self.offer(queue, 10_000, 500).dropped)
            self.assertTrue(self.offer(queue, 10_000, 499).admitted)


@group(SHARED_QUEUE)
class PacketsAreMarkedAtTheThresholdAndDroppedWhereMemoryIsFull(SharedMemoryTest):
    def runTest(self) -> None:
        self.share(RECEIVER, ALPHA_1 // 2)
        self.switch.exchange(RECEIVER, ecn_marking=1)
        frame = ipv4(500, "10.0.0.1", ethernet_destination=station(RECEIVER), tos=ECT_0)
        with StandingQueue(self) as queue:
            within = self.offer(queue, 1000, 500, frame=frame)
            self.assertEqual((within.admitted, within.marked), (True, False))
            beyond = self.offer(queue, 999, 500, frame=frame)
            self.assertEqual((beyond.admitted, beyond.marked), (True, True))
            self.assertTrue(self.offer(queue, 499, 500, frame=frame).dropped)


@group(SHARED_QUEUE)
class WhatHasLeftAllQueuesIsFreeAgain(SharedMemoryTest):
    def runTest(self) -> None:
        with StandingQueue(self):
            pass
        self.expect_occupied(0)


@group(SHARED_QUEUE)
class LostFramesDoNotStayInTheMemory(SharedMemoryTest, OverflowTest):
    """The stall timeout writes them off; nobody but the mailbox comes to their port again."""

    def runTest(self) -> None:
        self.overflow()
        self.wait_for(SLOW_SMALL, lambda seen: seen.backlog_bytes == 0)
        self.expect_occupied(0)


@group(SHARED_QUEUE)
class NextDepartureFreesWhatWasLostBeforeIt(SharedMemoryTest, OverflowTest):
    def runTest(self) -> None:
        self.overflow()
        self.receive(SLOW_SMALL)
        self.receive(SLOW_SMALL)  # has made room
        probe = ethernet(MIN_BYTES, station(SLOW_SMALL))
        self.send(SENDER, probe)
        while self.receive(SLOW_SMALL) != probe:
            pass
        self.expect_occupied(0)


@group(SHARED_QUEUE)
class NewPipelineHasAllMemoryAndNoThresholds(SharedMemoryTest):
    def runTest(self) -> None:
        self.share(RECEIVER, 1)
        self.set_memory(MIN_BYTES)
        self.push_pipeline()
        self.add_stations()
        frame = ethernet(MAX_BYTES, station(RECEIVER))
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        self.expect_occupied(0)
