"""The mailbox of the Tofinos (p4src/tna/headers.p4), and of their pipeline on v1model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finsy.proto import p4r
from p4abs.p4_constants import CPU_PORT

from absptf.mailbox_packets import ETHERNET, MailboxPackets, Request, Snapshot

# With the header of 2 bytes the least frame of Ethernet without FCS.
MIN_PAYLOAD_BYTES = 58
TICK_NS = 2**18  # that flows are counted in


def stamped(now_ns: int) -> bytes:
    """The Ethernet header of requests for the pipeline on v1model: its source is the time."""
    return bytes(6) + now_ns.to_bytes(6, "big") + ETHERNET[12:]


class TofinoMailboxPackets(MailboxPackets):
    """As they are on a chip."""

    def request(
        self,
        sequence: int,
        records: Sequence[Request],
        record_count: int | None = None,
        payload: bytes = b"",
    ) -> p4r.PacketOut:
        """A packet-out; what the program does not know of a record is left out. `record_count` is
        how many the first one claims."""
        count = len(records) if record_count is None else record_count
        head = self._coded("mailbox", {"sequence": sequence})
        requests = b"".join(
            self._coded("mailbox_request", {**record._asdict(), "requests_left": left})
            for record, left in zip(records, range(count - 1, -1, -1), strict=False)
        )
        return self.frame_out(CPU_PORT, self._frame(head + requests, payload))

    def snapshots(self, packet: p4r.PacketIn, payload: bytes = b"") -> list[Snapshot]:
        """In the order of the requests; what the program does not count is 0."""
        head, behind = self._opened(packet, self._ethernet(payload))
        records = [*self._unpack("mailbox_record", self._records(behind, payload))]
        return [_snapshot(head["sequence"], record) for record in reversed(records)]

    def _ethernet(self, payload: bytes) -> bytes:
        """What a packet begins with, where a test gives this."""
        return ETHERNET

    def _frame(self, mailbox: bytes, payload: bytes) -> bytes:
        """A packet from what the mailbox reads and what the test gives."""
        frame = self._ethernet(payload) + mailbox + payload
        return frame.ljust(MIN_PAYLOAD_BYTES, b"\0")

    def _records(self, behind: bytes, payload: bytes) -> bytes:
        """What stands in the place of the requests. Raises AssertionError unless the rest of the
        packet is as it was."""
        head_bytes = len(self._ethernet(payload)) + sum(self._lengths_bytes["mailbox"].values())
        request_bytes = sum(self._lengths_bytes["mailbox_request"].values())
        for count in range(1, len(behind) // self.record_length_bytes + 1):
            end = count * self.record_length_bytes
            mailbox = bytes(head_bytes - len(self._ethernet(payload)) + count * request_bytes)
            if behind[end:] == self._frame(mailbox, payload)[head_bytes + count * request_bytes :]:
                return behind[:end]
        raise AssertionError(f"{behind.hex()} does not bring back what followed its requests")


class StampedMailboxPackets(TofinoMailboxPackets):
    """Their Ethernet header is what `stamped` makes, the payload; without one the time is 0."""

    def _ethernet(self, payload: bytes) -> bytes:
        return payload or stamped(0)

    def _frame(self, mailbox: bytes, payload: bytes) -> bytes:
        return self._ethernet(payload) + mailbox

    def _records(self, behind: bytes, payload: bytes) -> bytes:
        return behind


def _snapshot(sequence: int, record: Mapping[str, int]) -> Snapshot:
    def words(name: str) -> int:
        """Of 64 bits; 0 of what the program does not count."""
        return record.get(f"{name}_high", 0) << 32 | record.get(f"{name}_low", 0)

    admitted_bytes = words("admitted_bytes")
    return Snapshot(
        port=record["port"],
        sequence=sequence,
        timestamp_us=record["timestamp_ns"] // 1000,
        operation=0,
        admitted_bytes=admitted_bytes,
        dropped_bytes=words("dropped_bytes"),
        departed_bytes=admitted_bytes - record["backlog_bytes"],
        queue_limit_bytes=record["queue_limit_bytes"],
        drain_rate=0,
        unsaturated_us=0,
        unsaturated_bytes=0,
        least_backlog_bytes=record["least_backlog_bytes"],
        greatest_backlog_bytes=record["greatest_backlog_bytes"],
        backlog_window=record["backlog_window"],
        marked_bytes=0,
        ecn_marking=0,
        active_flow_us=words("active_ticks") * TICK_NS // 1000,
        long_flow_us=words("long_ticks") * TICK_NS // 1000,
        untracked_bytes=words("untracked_bytes"),
        timed_bytes=0,
        timed_byte_us=0,
    )
