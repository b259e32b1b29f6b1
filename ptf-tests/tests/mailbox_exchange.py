"""The mailbox: a packet-out writes, a packet-in brings back all registers of the port."""

from __future__ import annotations

import random

from finsy.proto import p4r
from p4abs.p4_constants import (
    CPU_PORT,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_QUEUE_LIMIT,
    PORT_COUNT,
)

from absptf.capabilities import PORTS, RECEIVER, SENDER
from absptf.frames import ethernet, station
from absptf.p4runtime_client import Snapshot
from absptf.switch_test import SwitchTest

SEED = 20261121


class SequenceAndPortAreEchoed(SwitchTest):
    def runTest(self) -> None:
        for sequence in (0, 1, 2**16, 2**31, 2**32 - 1):
            for port in (0, SENDER, 255, 256, PORT_COUNT - 1):
                self.switch.request(port, operation=0, sequence=sequence)
                reply = self.switch.reply()
                self.assertEqual((reply.port, reply.sequence), (port, sequence))


class RepliesComeInTheOrderOfTheRequests(SwitchTest):
    def runTest(self) -> None:
        for _ in range(10):
            sequences = [self.switch.request(RECEIVER, operation=0) for _ in range(40)]
            self.assertEqual([self.switch.reply().sequence for _ in sequences], sequences)


class TimestampNeverGoesBack(SwitchTest):
    def runTest(self) -> None:
        times = [self.switch.exchange(RECEIVER).timestamp_us for _ in range(300)]
        self.assertEqual(times, sorted(times))
        self.assertGreater(times[-1], times[0])


class WriteIsVisibleInItsOwnReply(SwitchTest):
    def runTest(self) -> None:
        chance = random.Random(SEED)
        values = [0, 1, 2**32, 2**63, 2**64 - 1, *(chance.getrandbits(64) for _ in range(20))]
        for limit, rate in zip(values, reversed(values), strict=True):
            reply = self.switch.exchange(RECEIVER, queue_limit_bytes=limit, drain_rate=rate)
            self.assertEqual((reply.queue_limit_bytes, reply.drain_rate), (limit, rate))


class OnlyWhatTheOperationNamesIsWritten(SwitchTest):
    def runTest(self) -> None:
        self.switch.exchange(RECEIVER, queue_limit_bytes=11, drain_rate=12)
        for operation, expected in (
            (0, (11, 12)),
            (0xF0, (11, 12)),  # flags that mean nothing
            (MAILBOX_WRITE_QUEUE_LIMIT, (21, 12)),
            (MAILBOX_WRITE_DRAIN_RATE, (21, 22)),
        ):
            self.switch.request(RECEIVER, operation, queue_limit_bytes=21, drain_rate=22)
            reply = self.switch.reply()
            self.assertEqual((reply.queue_limit_bytes, reply.drain_rate), expected)
            again = self.switch.exchange(RECEIVER)
            self.assertEqual((again.queue_limit_bytes, again.drain_rate), expected)


class EveryPortHasItsOwnRegisters(SwitchTest):
    def runTest(self) -> None:
        for port in range(PORT_COUNT):
            self.switch.exchange(port, queue_limit_bytes=10_000 + port, drain_rate=20_000 + port)
        for port in range(PORT_COUNT):
            reply = self.switch.exchange(port)
            self.assertEqual(
                (reply.queue_limit_bytes, reply.drain_rate), (10_000 + port, 20_000 + port)
            )


class MailboxPacketsAreNotCounted(SwitchTest):
    """Neither in a queue nor as refused."""

    def runTest(self) -> None:
        for _ in range(20):
            reply = self.switch.exchange(CPU_PORT)
        self.assertEqual(reply.offered_bytes, 0)
        self.assertEqual(self.refused(CPU_PORT), (0, 0))


class BadRequestTest(SwitchTest):
    """Registers of all ports that a bad request could reach, before and after."""

    ports = (0, *PORTS, 255, 256, CPU_PORT, PORT_COUNT - 1)

    def state(self) -> list[tuple[int, ...]]:
        replies: list[Snapshot] = []
        for port in self.ports:
            sequence = self.switch.request(port, operation=0)
            replies.append(self.switch.reply_to(sequence))
        return [(r.port, *r.state) for r in replies]


class PortThatDoesNotExistGetsNoReplyAndChangesNothing(BadRequestTest):
    def runTest(self) -> None:
        for port in self.ports:
            self.switch.exchange(port, queue_limit_bytes=7000 + port, drain_rate=8000 + port)
        before = self.state()
        write = MAILBOX_WRITE_QUEUE_LIMIT | MAILBOX_WRITE_DRAIN_RATE
        for port in (512, 513, 514, 768, 1022, 1023, 1024, 0x8001, 0xFFFF):
            self.switch.request(port, write, queue_limit_bytes=1, drain_rate=1)
        # Replies keep the order of requests: the next one belongs to the next valid request.
        sequence = self.switch.request(RECEIVER, operation=0)
        self.assertEqual(self.switch.reply().sequence, sequence)
        self.assertEqual(self.state(), before)


class TruncatedRequestIsHarmless(BadRequestTest):
    """Packet-outs without metadata, or with a part of them: refused, or read as zeros."""

    def runTest(self) -> None:
        for port in self.ports:
            self.switch.exchange(port, queue_limit_bytes=7000 + port, drain_rate=8000 + port)
        before = self.state()
        for length in range(24):
            self.switch.send_packet_out(p4r.PacketOut(payload=b"\xff" * length))
        port_alone = p4r.PacketMetadata(metadata_id=2, value=bytes([RECEIVER]))
        self.switch.send_packet_out(p4r.PacketOut(metadata=[port_alone]))
        self.assertEqual(self.state(), before)
        self.expect_forwarding_works()


class PayloadOfARequestIsIgnored(SwitchTest):
    def runTest(self) -> None:
        for length in (1, 23, 64, 1400):
            payload = random.Random(length).randbytes(length)
            sequence = self.switch.request(
                RECEIVER,
                MAILBOX_WRITE_QUEUE_LIMIT,
                queue_limit_bytes=5000 + length,
                payload=payload,
            )
            reply = self.switch.reply()
            self.assertEqual(reply.sequence, sequence)
            self.assertEqual(reply.queue_limit_bytes, 5000 + length)


class SnapshotFollowsTheTraffic(SwitchTest):
    """A frame seen at the far side is in the next snapshot, every time."""

    def runTest(self) -> None:
        for number in range(1, 301):
            frame = ethernet(100, station(RECEIVER), number=number)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
            seen = self.switch.exchange(RECEIVER)
            self.assertEqual((seen.admitted_bytes, seen.departed_bytes), (100 * number,) * 2)
