"""Several queues of a port: a packet's port and DSCP say which one it takes."""

from __future__ import annotations

from p4abs.queues import QueueAddress
from ptf.testutils import group

from absptf.capabilities import QUEUES, RECEIVER, SENDER, SHARED_QUEUE, SLOW
from absptf.frames import ipv4, ipv6, station
from absptf.switch_test import SwitchTest

FRAME_BYTES = 1000
LAST = QUEUES - 1
FRAMES = 6
ATTEMPTS = 10


def index(queue: int, port: int = SLOW) -> int:
    """The queue's in registers and mailbox."""
    return QueueAddress(port, queue).index


class SeveralQueuesTest(SwitchTest):
    """DSCP n takes queue n of the slow port."""

    def setUp(self) -> None:
        super().setUp()
        for queue in range(1, QUEUES):
            key = {"egress_port": SLOW, "dscp": queue}
            self.switch.insert("queue_selection", key, "set_queue", {"queue": queue})

    def send_to(self, queue: int, count: int = 1, port: int = SLOW) -> None:
        """Frames that are known by their DSCP."""
        to = station(port)
        for _ in range(count):
            frame = ipv4(FRAME_BYTES, "10.0.0.1", ethernet_destination=to, tos=queue << 2)
            self.send(SENDER, frame)

    def received_from(self) -> int:
        """The queue of the next frame that leaves the slow port."""
        return self.receive(SLOW)[15] >> 2


@group(SHARED_QUEUE)
class PacketTakesTheQueueOfItsPortAndDscp(SeveralQueuesTest):
    def runTest(self) -> None:
        self.send_to(LAST)
        self.wait_until_offered(index(LAST), FRAME_BYTES)
        self.send(
            SENDER, ipv6(FRAME_BYTES, "2001:db8::2", ethernet_destination=station(SLOW), tc=4)
        )
        self.wait_until_offered(index(1), FRAME_BYTES)
        self.send_to(LAST, port=RECEIVER)
        self.wait_until_offered(index(0, RECEIVER), FRAME_BYTES)
        self.send(SENDER, self.frame(FRAME_BYTES, SLOW))
        self.wait_until_offered(index(0), FRAME_BYTES)
        self.assertEqual(self.switch.exchange(index(LAST, RECEIVER)).offered_bytes, 0)
        for _ in range(QUEUES):
            self.receive(SLOW)
        for queue in range(QUEUES):
            snapshot = self.switch.exchange(index(queue))
            self.assertEqual((snapshot.departed_bytes, snapshot.backlog_bytes), (FRAME_BYTES, 0))


@group(SHARED_QUEUE)
class LimitBelongsToOneQueue(SeveralQueuesTest):
    def runTest(self) -> None:
        if not self.capabilities.slow_links:
            self.skipTest(f"{self.capabilities.target} offers no slow link here")
        self.switch.exchange(index(1), queue_limit_bytes=2 * FRAME_BYTES)
        sent = 6
        for queue in (1, 0):
            self.send_to(queue, sent)
            self.wait_until_offered(index(queue), sent * FRAME_BYTES)
        self.assertLessEqual(self.switch.exchange(index(1)).admitted_bytes, 4 * FRAME_BYTES)
        self.assertEqual(self.switch.exchange(index(0)).dropped_bytes, 0)
        for _ in range(self.switch.exchange(index(1)).admitted_bytes // FRAME_BYTES + sent):
            self.receive(SLOW)


@group(SHARED_QUEUE)
class HigherQueueLeavesFirst(SeveralQueuesTest):
    def runTest(self) -> None:
        if not self.capabilities.link_of_all_queues:
            self.skipTest(f"{self.capabilities.target} offers no link that queues share here")
        for _ in range(ATTEMPTS):
            if self.is_judged():
                return
        self.fail(f"queue 0 was empty too soon, {ATTEMPTS} times")

    def is_judged(self) -> bool:
        """Whether frames of queue 0 still waited when those of the higher one had come."""
        start = self.switch.exchange(index(0))
        higher = self.switch.exchange(index(LAST)).offered_bytes
        self.send_to(0, FRAMES)
        self.wait_until_offered(index(0), start.offered_bytes + FRAMES * FRAME_BYTES)
        self.send_to(LAST, 2)
        self.wait_until_offered(index(LAST), higher + 2 * FRAME_BYTES)
        waiting = self.switch.exchange(index(0))
        order = [self.received_from() for _ in range(FRAMES + 2)]
        if waiting.backlog_bytes < 2 * FRAME_BYTES:
            return False
        first = order.index(LAST)
        self.assertEqual(order, [0] * first + [LAST] * 2 + [0] * (FRAMES - first))
        self.assertLess(first, FRAMES)
        return True
