"""The virtual queue empties with time, at the rate of its register."""

from __future__ import annotations

from p4abs.p4_constants import DRAIN_RATE_SHIFT
from ptf.testutils import group

from absptf.capabilities import RECEIVER, SENDER, VIRTUAL_QUEUE
from absptf.frames import MAX_BYTES, ethernet, station
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest

DRAIN_RATE_UNIT_US = 2**DRAIN_RATE_SHIFT


@group(VIRTUAL_QUEUE)
class BytesDepartAtTheDrainRate(SwitchTest):
    """The snapshots' own timestamps tell how many bytes; only the part of a byte is unknown."""

    def runTest(self) -> None:
        with StandingQueue(self, least_bytes=8 * MAX_BYTES) as queue:
            for rate in (1, 777, 4096, 20_000):
                first = self.switch.exchange(queue.port, drain_rate=rate)
                last = first
                while last.timestamp_us - first.timestamp_us < 100_000:
                    last = self.switch.exchange(queue.port)
                    elapsed_us = last.timestamp_us - first.timestamp_us
                    departed = last.departed_bytes - first.departed_bytes
                    whole = elapsed_us * rate // DRAIN_RATE_UNIT_US
                    self.assertIn(departed, (whole, whole + 1))


@group(VIRTUAL_QUEUE)
class WithoutADrainRateNothingStands(SwitchTest):
    def runTest(self) -> None:
        for number in range(10):
            frame = ethernet(MAX_BYTES, station(RECEIVER), number=number)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
            self.assertEqual(self.switch.exchange(RECEIVER).backlog_bytes, 0)


@group(VIRTUAL_QUEUE)
class NewRateDoesNotChargeThePast(SwitchTest):
    """The time before the write drains at the old rate."""

    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            before = self.switch.exchange(queue.port)
            # Let time pass without touching the port.
            self.wait_for(SENDER, lambda s: s.timestamp_us > before.timestamp_us + 50_000)
            after = self.switch.exchange(queue.port, drain_rate=2**30)
            self.assertLessEqual(after.departed_bytes - before.departed_bytes, 1)


@group(VIRTUAL_QUEUE)
class QueueNeverEmptiesBelowZero(SwitchTest):
    """An idle port saves up no credit: after it, a frame stands in full again."""

    def runTest(self) -> None:
        self.switch.exchange(RECEIVER, drain_rate=2**30)
        self.send(SENDER, ethernet(MAX_BYTES, station(RECEIVER)))
        idle = self.wait_for(RECEIVER, lambda s: s.departed_bytes == MAX_BYTES)
        self.wait_for(SENDER, lambda s: s.timestamp_us > idle.timestamp_us + 20_000)
        frozen = self.switch.exchange(RECEIVER, drain_rate=1)
        self.assertEqual(frozen.backlog_bytes, 0)
        self.send(SENDER, ethernet(MAX_BYTES, station(RECEIVER)))
        seen = self.wait_until_offered(RECEIVER, 2 * MAX_BYTES)
        elapsed_us = seen.timestamp_us - frozen.timestamp_us
        departed = MAX_BYTES - seen.backlog_bytes
        self.assertLessEqual(departed, elapsed_us // DRAIN_RATE_UNIT_US + 1)
