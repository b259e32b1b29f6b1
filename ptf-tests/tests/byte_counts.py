"""The registers count Ethernet frames without FCS, exact to the byte."""

from __future__ import annotations

import random

from absptf.capabilities import PORTS, RECEIVER, SENDER
from absptf.frames import ETHERNET_BYTES, MAX_BYTES, MIN_BYTES, ethernet, ipv4, station, vlan
from absptf.standing_queue import StandingQueue
from absptf.switch_test import BATCH_FRAMES, SwitchTest

SEED = 20261121


class EveryFrameSizeIsCountedToTheByte(SwitchTest):
    """Also the runts that veth lets through; a frame that has arrived has departed."""

    def runTest(self) -> None:
        total = 0
        for size in range(ETHERNET_BYTES + 1, MAX_BYTES + 1):
            frame = ethernet(size, station(RECEIVER), number=size)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
            total += size
            seen = self.switch.exchange(RECEIVER)
            self.assertEqual(
                (seen.admitted_bytes, seen.dropped_bytes, seen.departed_bytes), (total, 0, total)
            )


class VlanTagIsCounted(SwitchTest):
    def runTest(self) -> None:
        self.send(SENDER, vlan(1000, station(RECEIVER), tag=5))
        self.receive(RECEIVER)
        self.assertEqual(self.switch.exchange(RECEIVER).admitted_bytes, 1000)


class PaddingIsCounted(SwitchTest):
    """The frame counts, not the length that the IP header tells."""

    def runTest(self) -> None:
        datagram = ipv4(43, "10.0.0.1", ethernet_destination=station(RECEIVER))
        self.send(SENDER, datagram + bytes(MIN_BYTES - len(datagram)))
        self.receive(RECEIVER)
        self.assertEqual(self.switch.exchange(RECEIVER).admitted_bytes, MIN_BYTES)


class EveryDroppedSizeIsCountedToTheByte(SwitchTest):
    def runTest(self) -> None:
        with StandingQueue(self) as queue:
            for size in (*range(15, 140), *range(200, MAX_BYTES, 101), MAX_BYTES):
                self.assertTrue(queue.offer(size, above_backlog=0).dropped, size)


class CountsAreOfTheEgressPort(SwitchTest):
    def runTest(self) -> None:
        for ingress in (SENDER, RECEIVER):
            for port in PORTS:
                frame = ethernet(100 * port, station(port))
                self.send(ingress, frame)
                self.expect(port, frame)
        expected = [(port, 200 * port, 0, 200 * port) for port in PORTS]
        seen = [
            (s.port, s.admitted_bytes, s.dropped_bytes, s.departed_bytes) for s in self.snapshots()
        ]
        self.assertEqual(seen, expected)


class AdmittedAndDroppedAddUpToWhatWasSent(SwitchTest):
    """Random traffic under random limits: what was admitted leaves, in its order, and no more."""

    def runTest(self) -> None:
        chance = random.Random(SEED)
        with StandingQueue(self) as queue:
            start = self.switch.exchange(queue.port)
            sent = 0
            for _ in range(30):
                limit = chance.randrange(1, 3 * MAX_BYTES)
                self.switch.exchange(queue.port, queue_limit_bytes=limit)
                size = chance.randrange(MIN_BYTES, MAX_BYTES + 1)
                seen = queue.send(size)
                sent += size
                self.assertEqual(seen.offered_bytes, start.offered_bytes + sent)
                self.assertLessEqual(seen.departed_bytes, seen.admitted_bytes)
            self.assertGreater(seen.dropped_bytes, 0)
            self.assertGreater(seen.admitted_bytes, start.admitted_bytes)


class BurstIsCountedToTheByte(SwitchTest):
    def runTest(self) -> None:
        chance = random.Random(SEED)
        total = 0
        for batch in range(20):
            sizes = [chance.randrange(MIN_BYTES, MAX_BYTES + 1) for _ in range(BATCH_FRAMES)]
            for number, size in enumerate(sizes):
                self.send(SENDER, ethernet(size, station(RECEIVER), number=number + 1000 * batch))
            received = sum(len(self.receive(RECEIVER)) for _ in sizes)
            self.assertEqual(received, sum(sizes))
            total += received
            seen = self.switch.exchange(RECEIVER)
            self.assertEqual((seen.admitted_bytes, seen.departed_bytes), (total, total))
