"""The *shared queue* build: one memory for all queues, and thresholds on what of it is free.

A queue stands at a slow port: it meets its threshold. Frames to another port, whose queue is empty,
meet what it leaves of the memory.
"""

from __future__ import annotations

from ptf.testutils import group

from absptf.capabilities import PORTS, QUEUES, RECEIVER, SENDER, SHARED_QUEUE, SLOW_SMALL
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
        with StandingQueue(self) as queue:
            self.share(queue.port, ALPHA_1 // 2)
            for size in SIZES:
                for above, is_admitted in ((2 * size - 1, False), (2 * size, True)):
                    offer = self.offer(queue, above, size, queue.port, times=3)
                    self.assertEqual(offer.admitted, is_admitted)


@group(SHARED_QUEUE)
class EmptyQueueHasRoomForAFrameThatTheMemoryHasRoomFor(SharedMemoryTest):
    """Whatever its threshold."""

    def runTest(self) -> None:
        self.share(RECEIVER, 1)
        with StandingQueue(self) as queue:
            for size in SIZES:
                self.assertTrue(self.offer(queue, size - 1, size).dropped)
                self.assertTrue(self.offer(queue, size, size).admitted)


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
class QueueWithoutAnEntryHasNoThreshold(SharedMemoryTest):
    """Whatever those of other ports, and the others of its port, have."""

    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            for port in PORTS:
                if port != queue.port:
                    self.share(port, 1)
            for other in range(1, QUEUES):
                self.share(queue.port, 1, queue=other)
            self.assertTrue(self.offer(queue, MAX_BYTES, MAX_BYTES, queue.port).admitted)


@group(SHARED_QUEUE)
class WithoutAMemoryNothingIsShared(SharedMemoryTest):
    def runTest(self) -> None:
        for port in PORTS:
            self.share(port, 1)
        with StandingQueue(self) as queue:
            self.assertEqual(queue.send(MAX_BYTES).dropped_bytes, 0)


@group(SHARED_QUEUE)
class ScaleOfAClassIsThatOfItsPortsThresholds(SharedMemoryTest):
    def runTest(self) -> None:
        key = {"memory_class": 3}
        with StandingQueue(self) as queue:
            self.share(queue.port, ALPHA_1, memory_class=3)

            def expect(times: int, least_above: int) -> None:
                for above, is_admitted in ((least_above - 1, False), (least_above, True)):
                    offer = self.offer(queue, above, 500, queue.port, times=times)
                    self.assertEqual(offer.admitted, is_admitted)

            expect(2, 500)
            self.switch.insert(SCALE, key, "set_scale", {"scale_65536ths": SCALE_1 // 4})
            expect(5, 2000)
            self.switch.modify(SCALE, key, "set_scale", {"scale_65536ths": SCALE_1 // 2})
            expect(3, 1000)
            self.switch.delete(SCALE, key)
            expect(2, 500)


@group(SHARED_QUEUE)
class ScaleOfAnotherClassChangesNothing(SharedMemoryTest):
    def runTest(self) -> None:
        self.switch.insert(SCALE, {"memory_class": 2}, "set_scale", {"scale_65536ths": 0})
        with StandingQueue(self) as queue:
            self.share(queue.port, ALPHA_1, memory_class=3)
            self.assertTrue(self.offer(queue, 500, 500, queue.port, times=2).admitted)


@group(SHARED_QUEUE)
class LimitBelowTheThresholdStaysInForce(SharedMemoryTest):
    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            self.share(queue.port, ALPHA_1)
            for above, is_admitted in ((499, False), (500, True)):
                offer = self.offer(queue, 10_000, 500, queue.port, times=2, limit_above=above)
                self.assertEqual(offer.admitted, is_admitted)


@group(SHARED_QUEUE)
class PacketsAreMarkedAtTheThresholdAndDroppedWhereMemoryIsFull(SharedMemoryTest):
    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            self.share(queue.port, ALPHA_1 // 2)
            self.switch.exchange(queue.port, ecn_marking=1)
            frame = ipv4(500, "10.0.0.1", ethernet_destination=station(queue.port), tos=ECT_0)
            within = self.offer(queue, 1000, 500, queue.port, frame, times=3)
            self.assertEqual((within.admitted, within.marked), (True, False))
            beyond = self.offer(queue, 999, 500, queue.port, frame, times=3)
            self.assertEqual((beyond.admitted, beyond.marked), (True, True))
            self.assertTrue(self.offer(queue, 499, 500, queue.port, frame).dropped)


@group(SHARED_QUEUE)
class WhatHasLeftAllQueuesIsFreeAgain(SharedMemoryTest):
    def runTest(self) -> None:
        with StandingQueue(self):
            pass
        self.expect_occupied(0)


@group(SHARED_QUEUE)
class LostFramesLeaveTheMemoryWithTheFrameThatAStallLetsIn(SharedMemoryTest, OverflowTest):
    def runTest(self) -> None:
        self.overflow()
        self.switch.exchange(SLOW_SMALL, queue_limit_bytes=1)
        self.snapshots_until_it_stands()
        probe = ethernet(MIN_BYTES, station(SLOW_SMALL))
        self.send(SENDER, probe)
        while self.receive(SLOW_SMALL) != probe:
            pass
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
