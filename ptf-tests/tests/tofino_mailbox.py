"""The mailbox of the Tofino programs: a packet visits its ports pass by pass."""

from __future__ import annotations

import random

from p4abs.p4_constants import MAILBOX_WRITE_QUEUE_LIMIT
from p4abs.targets.tofino.records import REQUESTS_MAX
from ptf.testutils import group

from absptf.capabilities import RECEIVER, TOFINO
from absptf.mailbox_packets import Request
from absptf.switch_test import SwitchTest

SEED = 20261123
# Of one pipe, as Tofino numbers them.
PORT_NUMBERS = range(72)


@group(TOFINO)
class OnePacketVisitsAnyNumberOfPortsUpToItsMost(SwitchTest):
    """Each port is written what its own request says and answers in its turn."""

    def runTest(self) -> None:
        chance = random.Random(SEED)
        for count in range(1, REQUESTS_MAX + 1):
            wanted = {port: chance.randrange(2**28) for port in chance.sample(PORT_NUMBERS, count)}
            sequence = self.switch.request(
                *(Request(port, MAILBOX_WRITE_QUEUE_LIMIT, limit) for port, limit in wanted.items())
            )
            replies = self.switch.replies()
            self.assertEqual({reply.sequence for reply in replies}, {sequence})
            found = [(reply.port, reply.queue_limit_bytes) for reply in replies]
            self.assertEqual(found, list(wanted.items()))
            self.switch.request(*map(Request, wanted))
            again = self.switch.replies()
            self.assertEqual([reply.state for reply in again], [reply.state for reply in replies])


@group(TOFINO)
class RequestsAreServedOneAfterTheOther(SwitchTest):
    """A port that comes twice in a packet answers twice, after each of its writes."""

    def runTest(self) -> None:
        limits = [1000 * number for number in range(1, REQUESTS_MAX + 1)]
        self.switch.request(
            *(Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, limit) for limit in limits)
        )
        self.assertEqual([r.queue_limit_bytes for r in self.switch.replies()], limits)


class DamagedRequestTest(SwitchTest):
    """A chip's parser has its own ways, and there a packet is filled up to the least frame."""

    def setUp(self) -> None:
        super().setUp()
        if not self.capabilities.stamped:
            self.skipTest(f"{self.capabilities.target}: its parser has its own ways")


@group(TOFINO)
class PacketWithMoreRequestsThanFitChangesNothingAndIsNotAnswered(DamagedRequestTest):
    def runTest(self) -> None:
        kept = self.switch.exchange(RECEIVER, queue_limit_bytes=9000)
        request = Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, 1)
        self.switch.request(*[request] * (REQUESTS_MAX + 1))
        self.assertEqual(self.switch.exchange(RECEIVER).state, kept.state)


@group(TOFINO)
class PacketThatEndsWithinItsRequestsChangesNothingAndIsNotAnswered(DamagedRequestTest):
    def runTest(self) -> None:
        kept = self.switch.exchange(RECEIVER, queue_limit_bytes=9000)
        request = Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, 1)
        for promised in (2, REQUESTS_MAX):
            packet = self.switch.mailbox.request(1, [request] * (promised - 1), promised)
            self.switch.send_packet_out(packet)
            self.assertEqual(self.switch.exchange(RECEIVER).state, kept.state)
