"""The *queue* build when the real queue loses packets that the limit had admitted."""

from __future__ import annotations

from ptf.testutils import group

from absptf.capabilities import QUEUE, SENDER, SLOW_SMALL
from absptf.frames import MAX_BYTES, MIN_BYTES
from absptf.mailbox_packets import Snapshot
from absptf.overflow_test import BURST_FRAMES, OverflowTest
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest

SLOW_PERIOD_US = 100_000  # the slow link needs more for a frame of 1514 bytes
STALL_TIMEOUT_US = 1_000_000  # p4src/adaptive/departures/queue.p4


class LostPacketsTest(OverflowTest):
    def receive_until_it_stands(self) -> tuple[int, list[Snapshot]]:
        """Frames received, and snapshots until the rest of the burst is found to be lost."""
        snapshots = self.snapshots_until_it_stands()
        received = 0
        while self.received_frames(SLOW_SMALL):
            self.assertEqual(len(self.receive(SLOW_SMALL)), MAX_BYTES)
            received += 1
        return received, snapshots


@group(QUEUE)
class NextDepartureRepairsTheCount(LostPacketsTest):
    """A departing frame proves that all admitted before it have left or are lost."""

    def runTest(self) -> None:
        self.overflow()
        received = 2  # the first may have left without queueing; the second has made room
        for _ in range(received):
            self.receive(SLOW_SMALL)
        probe = self.frame(MIN_BYTES, SLOW_SMALL)
        self.send(SENDER, probe)
        admitted = BURST_FRAMES * MAX_BYTES + MIN_BYTES
        while (frame := self.receive(SLOW_SMALL)) != self.forwarded(probe, SLOW_SMALL):
            self.assertEqual(len(frame), MAX_BYTES)
            received += 1
        self.assertLess(received, BURST_FRAMES, "the real queue lost nothing")
        seen = self.switch.exchange(SLOW_SMALL)
        self.assertEqual((seen.admitted_bytes, seen.departed_bytes), (admitted, admitted))


@group(QUEUE)
class QueueThatLostItsEndStandsAfterTheStallTimeout(LostPacketsTest):
    """Nothing behind the lost frames will depart: they count on, and only time tells."""

    def runTest(self) -> None:
        self.overflow()
        received, snapshots = self.receive_until_it_stands()
        self.assertLess(received, BURST_FRAMES, "the real queue lost nothing")
        *stuck, found, later = snapshots  # the first look after the timeout finds it
        final = stuck[-1].departed_bytes
        self.assertLessEqual(final, received * MAX_BYTES)
        self.assertEqual(later.departed_bytes, final)
        # The last departure lies between these two snapshots. Each is one further off than need
        # be: BMv2 stamps a packet some time before the program reads or writes the registers.
        first_final = next(i for i, s in enumerate(stuck) if s.departed_bytes == final)
        earliest_us = stuck[max(0, first_final - 2)].timestamp_us
        latest_us = stuck[first_final + 1].timestamp_us
        self.assertGreater(found.timestamp_us - earliest_us, STALL_TIMEOUT_US)
        self.assertLessEqual(stuck[-1].timestamp_us - latest_us, STALL_TIMEOUT_US)


@group(QUEUE)
class StallIsNoIdleTime(LostPacketsTest):
    """Lost frames are a queue that stands; once they have stood for long, nobody has sent any."""

    def runTest(self) -> None:
        self.overflow()
        _, (*stuck, found, _) = self.receive_until_it_stands()
        last = [s for s in stuck if s.departed_bytes == stuck[-1].departed_bytes]
        self.assertEqual({s.unsaturated_us for s in last}, {found.unsaturated_us})
        self.assertEqual({s.unsaturated_bytes for s in last}, {found.unsaturated_bytes})
        later = self.wait_for(
            SLOW_SMALL, lambda s: s.timestamp_us > found.timestamp_us + SLOW_PERIOD_US
        )
        self.assertEqual(later.unsaturated_bytes, found.unsaturated_bytes)
        self.assertEqual(
            later.unsaturated_us - found.unsaturated_us, later.timestamp_us - found.timestamp_us
        )


@group(QUEUE)
class PortIsNotBlockedForEverByLostPackets(LostPacketsTest):
    """After the stall timeout one frame is let in, and its departure repairs the count."""

    def runTest(self) -> None:
        self.overflow()
        self.switch.exchange(SLOW_SMALL, queue_limit_bytes=MAX_BYTES)
        self.receive_until_it_stands()
        frame = self.frame(MAX_BYTES, SLOW_SMALL, number=BURST_FRAMES)
        self.send(SENDER, frame)
        self.expect_forwarded(SLOW_SMALL, frame)
        seen = self.switch.exchange(SLOW_SMALL)
        self.assertEqual((seen.backlog_bytes, seen.dropped_bytes), (0, 0))


@group(QUEUE)
class SlowQueueIsNotTakenForStalled(SwitchTest):
    """A queue that drains for longer than the stall timeout leaves frame by frame to the end."""

    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=12 * MAX_BYTES) as queue:
            last = self.switch.exchange(queue.port)
            start = last
            while last.backlog_bytes > 0:
                seen = self.switch.exchange(queue.port)
                departed = (seen.departed_bytes - last.departed_bytes) // MAX_BYTES
                # So many frames need at least that many periods, but one, on the slow link.
                periods = (seen.timestamp_us - last.timestamp_us) // SLOW_PERIOD_US
                self.assertLessEqual(departed, periods + 1)
                last = seen
            self.assertGreater(last.timestamp_us - start.timestamp_us, STALL_TIMEOUT_US)
