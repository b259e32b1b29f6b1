"""The mailbox: a packet-out writes, port by port, and brings back all registers of its ports."""

from __future__ import annotations

import random

from finsy.proto import p4r
from p4abs.p4_constants import (
    CPU_PORT,
    MAILBOX_RECORDS_MAX,
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_QUEUE_LIMIT,
    PORT_COUNT,
)

from absptf.capabilities import MIDDLEBLOCK, PORTS, RECEIVER, SENDER
from absptf.frames import ETHERNET_BYTES
from absptf.mailbox_packets import Request, Snapshot
from absptf.switch_test import SwitchTest

SEED = 20261121
WRITE_BOTH = MAILBOX_WRITE_QUEUE_LIMIT | MAILBOX_WRITE_DRAIN_RATE


class SequenceAndPortAreEchoed(SwitchTest):
    def runTest(self) -> None:
        for sequence in (0, 1, 2**16, 2**31, 2**32 - 1):
            for port in (0, SENDER, 255, 256, PORT_COUNT - 1):
                self.switch.request(Request(port), sequence=sequence)
                reply = self.switch.reply()
                self.assertEqual((reply.port, reply.sequence), (port, sequence))


class RepliesComeInTheOrderOfTheRequests(SwitchTest):
    def runTest(self) -> None:
        for _ in range(10):
            sequences = [self.switch.request(Request(RECEIVER)) for _ in range(40)]
            self.assertEqual([self.switch.reply().sequence for _ in sequences], sequences)


class OnePacketVisitsAnyNumberOfPortsUpToItsMost(SwitchTest):
    """Each port is written what its own record says and answers where its record stands."""

    def runTest(self) -> None:
        chance = random.Random(SEED)
        for count in range(1, MAILBOX_RECORDS_MAX + 1):
            wanted = {
                port: (chance.getrandbits(64), chance.getrandbits(64))
                for port in chance.sample(range(PORT_COUNT), count)
            }
            sequence = self.switch.request(
                *(Request(port, WRITE_BOTH, *values) for port, values in wanted.items())
            )
            replies = self.switch.replies()
            self.assertEqual({reply.sequence for reply in replies}, {sequence})
            self.assertEqual(len({reply.timestamp_us for reply in replies}), 1)
            found = [(r.port, (r.queue_limit_bytes, r.drain_rate)) for r in replies]
            self.assertEqual(found, list(wanted.items()))
            self.assertTrue(all(reply.is_served for reply in replies))
            self.switch.request(*map(Request, wanted))
            again = self.switch.replies()
            self.assertEqual([r.state for r in again], [r.state for r in replies])


class PortInAPacketOfManyAnswersAsItDoesAlone(SwitchTest):
    def runTest(self) -> None:
        for number, port in enumerate((RECEIVER, SENDER, RECEIVER), 1):
            frame = self.frame(100 * number, port)
            self.send(SENDER, frame)
            self.expect_forwarded(port, frame)
        alone = [self.switch.exchange(port) for port in PORTS]
        self.switch.request(*map(Request, PORTS))
        batched = self.switch.replies()
        self.assertEqual([r.state for r in batched], [r.state for r in alone])
        self.assertGreater(sum(reply.admitted_bytes for reply in batched), 0)


class RecordsAreServedOneAfterTheOther(SwitchTest):
    """A port that comes twice in a packet answers twice, after each of its writes."""

    def runTest(self) -> None:
        limits = list(range(1000, 1000 + MAILBOX_RECORDS_MAX))
        self.switch.request(
            *(Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, limit) for limit in limits)
        )
        self.assertEqual([r.queue_limit_bytes for r in self.switch.replies()], limits)
        self.assertEqual(self.switch.exchange(RECEIVER).queue_limit_bytes, limits[-1])


class RequestThatComesTwiceIsAnsweredTwiceAndChangesNothing(SwitchTest):
    """But that its backlog window begins with the second one."""

    def runTest(self) -> None:
        frame = self.frame(500, RECEIVER)
        self.send(SENDER, frame)
        self.expect_forwarded(RECEIVER, frame)
        operation = MAILBOX_WRITE_QUEUE_LIMIT | MAILBOX_START_BACKLOG_WINDOW
        records = [Request(port, operation, 9000 + port) for port in PORTS]
        replies = []
        for sequence in (76, 77, 77):
            self.switch.request(*records, sequence=sequence)
            replies.append(self.switch.replies())
        _, first, again = replies
        for one, other in zip(first, again, strict=True):
            self.assertEqual((one.sequence, one.backlog_window), (77, 76))
            self.assertEqual((other.sequence, other.backlog_window), (77, 77))
            self.assertEqual(one._replace(backlog_window=77).state, other.state)


class ReplyThatIsLostLosesNothing(SwitchTest):
    """Counters go on; the window that the lost reply would have named tells of its loss."""

    def runTest(self) -> None:
        records = [Request(port, MAILBOX_START_BACKLOG_WINDOW) for port in PORTS]
        lost = None
        for count in range(1, 11):
            frame = self.frame(100, RECEIVER, number=count)
            self.send(SENDER, frame)
            self.expect_forwarded(RECEIVER, frame)
            sequence = self.switch.request(*records)
            replies = {reply.port: reply for reply in self.switch.replies()}
            if count % 2:
                lost = sequence
                continue
            self.assertEqual(replies[RECEIVER].admitted_bytes, 100 * count)
            self.assertEqual({reply.backlog_window for reply in replies.values()}, {lost})


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
            (0xF0, (11, 12)),  # flags that mean nothing in a request
            (MAILBOX_WRITE_QUEUE_LIMIT, (21, 12)),
            (MAILBOX_WRITE_DRAIN_RATE, (21, 22)),
        ):
            self.switch.request(Request(RECEIVER, operation, 21, 22))
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
        if self.plane is None:
            self.assertEqual(self.refused(CPU_PORT), (0, 0))


class BadRequestTest(SwitchTest):
    """Registers of all ports that a bad request could reach, before and after."""

    ports = (0, *PORTS, 255, 256, CPU_PORT, PORT_COUNT - 1)

    def state(self) -> list[tuple[int, ...]]:
        replies: list[Snapshot] = []
        for port in self.ports:
            sequence = self.switch.request(Request(port))
            replies.append(self.switch.reply_to(sequence))
        return [(r.port, *r.state) for r in replies]


class QueueThatDoesNotExistIsToldApartAndChangesNothing(BadRequestTest):
    """Its record comes back as it went; the others of the packet are served."""

    def runTest(self) -> None:
        for port in self.ports:
            self.switch.exchange(port, queue_limit_bytes=7000 + port, drain_rate=8000 + port)
        before = self.state()
        count = self.switch.register_size("queue_limit_bytes")
        for queue in (count, count + 1, count + SENDER, 2 * count, 0xFFFF, 0x1_0000, 0xFFFF_FFFF):
            unknown = Request(queue, WRITE_BOTH, queue_limit_bytes=1, drain_rate=1)
            self.switch.request(Request(SENDER), unknown, Request(RECEIVER))
            served, refused, also_served = self.switch.replies()
            self.assertTrue(served.is_served and also_served.is_served)
            self.assertFalse(refused.is_served)
            self.assertEqual((refused.port, refused.operation), (queue, WRITE_BOTH))
            self.assertEqual(sum(refused.state), 2)
        self.assertEqual(self.state(), before)


class PacketThatIsNotOfItsRecordsIsDropped(BadRequestTest):
    """It claims other than it carries, or more than a packet may have: no port of it is served."""

    def runTest(self) -> None:
        for port in self.ports:
            self.switch.exchange(port, queue_limit_bytes=7000 + port, drain_rate=8000 + port)
        before = self.state()
        most = MAILBOX_RECORDS_MAX
        write = Request(RECEIVER, WRITE_BOTH, queue_limit_bytes=1, drain_rate=1)
        for carried, claimed in (
            (0, 0), (0, 1), (1, 0), (1, 2), (2, 255), (most - 1, most), (most, 0),
            (most + 1, most + 1), (most + 1, 255),
        ):  # fmt: skip
            request = self.switch.mailbox.request(1, [write] * carried, record_count=claimed)
            self.switch.send_packet_out(request)
        # Replies keep the order of requests: the next one belongs to the next valid request.
        sequence = self.switch.request(Request(RECEIVER))
        self.assertEqual(self.switch.reply().sequence, sequence)
        self.assertEqual(self.state(), before)


class TruncatedRequestIsHarmless(BadRequestTest):
    """Packet-outs without metadata, or with a part of them, or cut within header or record."""

    def runTest(self) -> None:
        for port in self.ports:
            self.switch.exchange(port, queue_limit_bytes=7000 + port, drain_rate=8000 + port)
        if self.capabilities.build == MIDDLEBLOCK:  # sends what is no frame by port 0, as before
            self.ports = self.ports[1:]
        before = self.state()
        # BMv2's server takes what is missing for 0: whatever is long enough is a frame for port 0.
        for length in range(ETHERNET_BYTES):
            self.switch.send_packet_out(p4r.PacketOut(payload=b"\xff" * length))
        count_alone = p4r.PacketMetadata(metadata_id=2, value=b"\x01")
        self.switch.send_packet_out(p4r.PacketOut(metadata=[count_alone]))
        whole = self.switch.mailbox.request(1, [Request(RECEIVER, WRITE_BOTH, 1, 1)])
        for length in range(len(whole.payload)):
            cut = p4r.PacketOut(metadata=whole.metadata, payload=whole.payload[:length])
            self.switch.send_packet_out(cut)
        self.assertEqual(self.state(), before)
        self.expect_forwarding_works()


class PayloadBehindTheRecordsComesBackAsItIs(SwitchTest):
    def runTest(self) -> None:
        for length in (1, 23, 64, 1400):
            payload = random.Random(length).randbytes(length)
            sequence = self.switch.request(
                Request(RECEIVER, MAILBOX_WRITE_QUEUE_LIMIT, 5000 + length), payload=payload
            )
            reply = self.switch.reply(payload)
            self.assertEqual(reply.sequence, sequence)
            self.assertEqual(reply.queue_limit_bytes, 5000 + length)


class SnapshotFollowsTheTraffic(SwitchTest):
    """A frame seen at the far side is in the next snapshot, every time."""

    def runTest(self) -> None:
        for number in range(1, 301):
            frame = self.frame(100, RECEIVER, number=number)
            self.send(SENDER, frame)
            self.expect_forwarded(RECEIVER, frame)
            seen = self.switch.exchange(RECEIVER)
            self.assertEqual((seen.admitted_bytes, seen.departed_bytes), (100 * number,) * 2)
